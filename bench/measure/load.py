"""Loads and limits: wrk against a server, pgbench against the database, what the cryptography alone allows."""

import ctypes
import json
import os
import re
import subprocess
import threading
import time

from . import settings

_LUA = settings.ROOT / "bench/lua"


class Wrk:
    """One wrk run in the background: `report` waits for it."""

    def __init__(self, url, script, connections, seconds, lines=None):
        environment = {**os.environ, "BENCH_LUA": str(_LUA)}
        if lines:
            environment["BENCH_LINES"] = str(lines)
        # One thread: it is far from busy, and leaves the cores to what is measured.
        self.process = subprocess.Popen(
            ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout", "15s",
             "--script", str(_LUA / script), url],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, stdin=subprocess.DEVNULL)

    def report(self):
        output, _ = self.process.communicate()
        for line in output.splitlines():
            if line.startswith('{"requests"'):
                report = json.loads(line)
                report["per_second"] = report["requests"] * 1_000_000 / max(1, report["duration_us"])
                report["failures"] = report["status_errors"] + report["socket_errors"] + report["timeouts"]
                return report
        raise SystemExit(f"wrk gave no report:\n{output}")


def sql(text, url=settings.ADMINISTRATOR_URL, **variables):
    """Runs SQL with psql and answers the first column of its rows."""
    arguments = [f"--set={name}={value}" for name, value in variables.items()]
    result = subprocess.run(
        [settings.POSTGRES_BIN / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
         *arguments, "--dbname", url],
        input=text, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise SystemExit(f"psql failed: {result.stderr.strip()}")
    return [line.split("|")[0] for line in result.stdout.splitlines() if line]


_base = 1_000_000_000_000_000


def pgbench(work):
    """Transactions a second of the work's SQL at 16 clients. Checks that each of them did what it is for."""
    global _base
    _base += 1_000_000_000_000_000
    variables = {"base": _base, "people": settings.PEOPLE}
    folder = settings.ROOT / "bench/sql"
    sql((folder / f"{work}.setup.sql").read_text(encoding="utf-8"), **variables)
    sql("checkpoint")
    done = "select count(*) from audit_events where outcome = 'done'"
    before = int(sql(done)[0])
    result = subprocess.run(
        [settings.POSTGRES_BIN / "pgbench", "--no-vacuum", "--protocol=prepared", f"--client={settings.CLIENTS}", "--jobs=1",
         f"--time={settings.SECONDS}", "--define=turn=0", *[f"--define={name}={value}" for name, value in variables.items()],
         f"--file={folder / (work + '.sql')}", settings.SERVE_URL],
        capture_output=True, text=True, check=False)
    rate = re.search(r"^tps = ([0-9.]+)", result.stdout, re.MULTILINE)
    count = re.search(r"actually processed: ([0-9]+)", result.stdout)
    if result.returncode != 0 or not rate or not count:
        raise SystemExit(f"pgbench failed on {work}: {result.stderr.strip()[-500:]}")
    worked = int(sql(done)[0]) - before
    if worked < int(count[1]):
        raise SystemExit(f"pgbench's {work} did its work {worked} times in {count[1]}: bench/sql no longer fits the schema.")
    return float(rate[1])


def openssl_speed(seconds=2):
    """Operations a second on one core: ES256 signatures and RS256 verifications are what a sign-in needs."""
    result = subprocess.run(
        ["openssl", "speed", "-mr", "-seconds", str(seconds), "ecdsap256", "rsa2048"],
        capture_output=True, text=True, check=False)
    rates = {}
    for line in result.stdout.splitlines():
        fields = line.split(":")
        # Key kind, key size, then signatures and verifications a second (OpenSSL 3).
        if fields[0] == "+F2" and fields[2] == "2048":
            rates["RS256 sign"], rates["RS256 verify"] = float(fields[3]), float(fields[4])
        elif fields[0] == "+F4" and fields[2] == "256":
            rates["ES256 sign"], rates["ES256 verify"] = float(fields[3]), float(fields[4])
    return {name: round(rate) for name, rate in rates.items()}


_argon2 = ctypes.CDLL("libargon2.so.1")
_argon2.argon2id_hash_encoded.argtypes = [
    ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t,
    ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t,
]


def password_hash(password):
    """An encoded Argon2id hash of the gateway's standard cost."""
    salt, encoded = os.urandom(16), ctypes.create_string_buffer(256)
    status = _argon2.argon2id_hash_encoded(
        settings.HASH_ITERATIONS, settings.HASH_MEMORY_KIB, 1, password, len(password), salt, len(salt), 32, encoded,
        len(encoded))
    if status != 0:
        raise SystemExit(f"libargon2 refused to hash (error {status}).")
    return encoded.value.decode()


def hashes_per_second(seconds):
    """What hashing alone allows with one thread a core: the library called from here, nothing else running."""
    end, counts = time.monotonic() + seconds, []

    def work():
        count = 0
        while time.monotonic() < end:
            password_hash(b"correct horse battery staple")
            count += 1
        counts.append(count)

    threads = [threading.Thread(target=work) for _ in os.sched_getaffinity(0)]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - begun)
