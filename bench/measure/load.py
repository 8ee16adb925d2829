"""Loads and limits: wrk against a server, what the cryptography alone allows."""

import ctypes
import json
import os
import subprocess
import threading
import time

from . import settings

_LUA = settings.ROOT / "bench/lua"


class Wrk:
    """One wrk run in the background: `report` waits for it."""

    def __init__(self, url, script, connections, seconds, lines=None, changes=None):
        environment = {**os.environ, "BENCH_LUA": str(_LUA), **(changes or {})}
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


def openssl_speed(seconds=2, kinds=("ecdsap256", "rsa2048")):
    """Operations a second of processor time of what sign-ins need: ES256 and RS256, signed and verified."""
    result = subprocess.run(
        ["openssl", "speed", "-mr", "-seconds", str(seconds), *kinds],
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
