"""A peer: another login server, installed, started and loaded like the gateway."""

import concurrent.futures
import itertools
import json
import os
import shutil
import subprocess
import time
import urllib.parse

from . import settings
from .database import sql
from .processes import Program, Visitor, free_port, tree_cpu_us, tree_memory_mib

JSON = "Content-Type=application/json"
FORM = "application/x-www-form-urlencoded"
PASSWORD = "correct horse battery staple 7"
USERS = 32
# The folder of the cluster's socket.
HOST = urllib.parse.parse_qs(urllib.parse.urlsplit(settings.ADMINISTRATOR_URL).query)["host"][0]
APPS = settings.ROOT / "bench/peers"
_databases = itertools.count(1)


def run(*command, **changes):
    """Runs a command to its end; ends this peer with its last lines if it fails."""
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        cwd=settings.FOLDER, env={**os.environ, **changes})
    if result.returncode != 0:
        raise SystemExit(f"{command[0]} failed: " + " ".join((result.stdout + result.stderr).strip().splitlines()[-4:]))
    return result.stdout.strip()


class Peer:
    """One server with a database of its own. `hashes` is `default` or `comparable`."""

    title, packages, ready, is_own = "", (), "/", False
    # What the passwords cost, by `hashes`; how it runs; what its works are, where that is not obvious.
    costs, server, notes = {}, "", ""
    refresh_form, refresh_type = '{"refresh_token":"%s"}', "application/json"
    refresh_path = None

    def __init__(self, hashes):
        self.hashes = hashes
        self.name = f"{type(self).__name__.lower()}-{hashes}"
        self.port = free_port()
        self.folder = settings.FOLDER / self.name
        self.folder.mkdir()
        self.database = f"peer{next(_databases)}"
        self.program = None
        self.numbers = itertools.count(1)
        self.environment = {
            "PEER_HASH": hashes, "PEER_HOST": HOST, "PEER_DATABASE": self.database, "PEER_PORT": str(self.port),
            "PEER_SECRET": os.urandom(32).hex(), "PYTHONPATH": str(APPS),
        }
        # Synapse takes no other collation; the others get the same.
        sql(f"create database {self.database} owner peer template template0 lc_collate 'C' lc_ctype 'C'")

    @classmethod
    def home(cls):
        return settings.ROOT / "var/bench-peers" / cls.__name__.lower()

    @classmethod
    def program_in(cls, name):
        return cls.home() / "bin" / name

    @classmethod
    def install(cls):
        """Its packages of PyPI in a virtual environment, once; remove the folder for newer ones."""
        if (cls.home() / "complete").exists():
            return
        shutil.rmtree(cls.home(), ignore_errors=True)
        run("python3", "-m", "venv", cls.home())
        run(cls.program_in("pip"), "install", "--quiet", "--disable-pip-version-check", "--no-input", *cls.packages)
        (cls.home() / "complete").touch()

    @classmethod
    def versions(cls):
        names = [package.split("[")[0] for package in cls.packages]
        code = "import sys, importlib.metadata as m; print(', '.join(f'{n} {m.version(n)}' for n in sys.argv[1:]))"
        return run(cls.program_in("python"), "-c", code, *names)

    def url_of_database(self):
        return settings.ADMINISTRATOR_URL.replace("@/login?", f"@/{self.database}?")

    def prepare(self):
        """Tables and settings, before the first start."""

    def command(self):
        raise NotImplementedError

    def start(self):
        """Answers the milliseconds from its start until it is ready."""
        begun = time.monotonic()
        self.program = Program(self.name, self.command(), self.environment)
        self.program.wait_for(self.port, self.ready, 60)
        return (time.monotonic() - begun) * 1000

    def stop(self):
        if self.program:
            self.program.stop()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def cpu_us(self):
        return tree_cpu_us(self.program.pid)

    def memory_mib(self):
        return tree_memory_mib(self.program.pid)

    def ask(self, method, path, headers="", body=None, expected=(200, 201)):
        """The head and the content of an answer; headers are in the form of lua/door.lua."""
        named = dict(pair.split("=", 1) for pair in headers.split(";") if pair)
        answer, text = Visitor(self.port).ask(method, path, body or None, {"Host": f"localhost:{self.port}", **named})
        if answer.status not in expected:
            raise SystemExit(f"{self.title} refused {path}: {answer.status} {text.decode(errors='replace')[:300]}")
        return answer, text

    def make_users(self):
        """People with a password, by its own sign-up."""
        path, _ = self.sign_up(0)
        lines = [self.sign_up(next(self.numbers))[1] for _ in range(USERS)]
        # One after the other: Glewlwyd mixes up users that are made at once.
        for line in lines:
            self.ask("POST", path, *line.split("\t", 1))

    def sessions(self, count):
        """What sign-ins answer."""
        def one(number):
            path, line = self.password(number % USERS + 1)
            return json.loads(self.ask("POST", path, *line.split("\t", 1))[1])

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(one, range(count)))

    # The requests: path, and line of lua/door.lua.
    def sign_up(self, number):
        raise NotImplementedError

    def password(self, number):
        raise NotImplementedError

    def session(self, answer):
        raise NotImplementedError

    def refresh_token(self, answer):
        return answer["refresh_token"]
