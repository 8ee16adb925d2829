"""PostgreSQL with a synchronous standby under Patroni and etcd: three members, each on a machine and a disk of its own."""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import urllib.request

from measure.settings import POSTGRES_BIN, ROOT

from . import settings
from .disks import Disk
from .machines import NETWORK, Machine, run, until

_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_ROLES = ("postgres", "replicator", "rewind", "rest", "gateway_migrate", "gateway_serve")


def get(url, seconds=2):
    """The status of an answer, and its JSON; 0 without an answer."""
    try:
        with _DIRECT.open(url, timeout=seconds) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, None
    except (OSError, ValueError):
        return 0, None


class Member:
    """A PostgreSQL server with its Patroni."""

    def __init__(self, name, cluster):
        self.name, self.machine, self.disk = name, Machine(name), Disk(name)
        self.data = self.disk.path / f"{name}.data"
        self.configuration = self.disk.path / "patroni.yml"
        script = 'source "$0/deploy/patroni/configuration.sh"; configuration "$1" 5432 8008'
        variables = {
            "host": self.machine.address, "etcd_host": cluster.etcd.address, "network": NETWORK, "etcd_port": "2379",
            "ttl": "20", "folder": str(self.disk.path), "cluster_bin": str(POSTGRES_BIN),
            **{f"{role}_password": password for role, password in cluster.passwords.items()}}
        text = run("bash", "-euc", script, ROOT, name, env={**os.environ, **variables})
        self.configuration.write_text(text, encoding="utf-8")

    def start(self):
        self.machine.start("patroni", ["patroni", self.configuration], user="postgres")

    def is_a(self, state):
        """Whether Patroni confirms health, primary, replica or synchronous."""
        return get(f"http://{self.machine.address}:8008/{state}")[0] == 200

    def postgres(self):
        """The postmaster and its children; empty without one."""
        try:
            number = (self.data / "postmaster.pid").read_text(encoding="utf-8").split()[0]
            found = subprocess.run(["pgrep", "--parent", number], capture_output=True, text=True, check=False)
            return [int(number), *map(int, found.stdout.split())]
        except (OSError, IndexError):
            return []

    def signal(self, sent):
        """Sends a signal to PostgreSQL, and to nothing of Patroni."""
        for process in self.postgres():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, sent)

    def lose(self):
        """Ends Patroni and PostgreSQL at once, as the loss of the machine would."""
        self.machine.kill("patroni")
        self.signal(signal.SIGKILL)


class Cluster:
    def __init__(self):
        self.passwords = {role: secrets.token_urlsafe(16) for role in _ROLES}
        self.etcd = Machine("etcd")
        at, folder = f"http://{self.etcd.address}", settings.FOLDER / "etcd"
        self.etcd.start("etcd", [
            "etcd", "--name", "etcd", "--data-dir", folder, "--listen-client-urls", f"{at}:2379", "--advertise-client-urls",
            f"{at}:2379", "--listen-peer-urls", f"{at}:2380", "--initial-advertise-peer-urls", f"{at}:2380",
            "--initial-cluster", f"etcd={at}:2380"])
        until(30, lambda: get(f"{at}:2379/health")[0] == 200, "A healthy etcd")
        self.members = [Member(f"db{number}", self) for number in (1, 2, 3)]
        first = self.members[0]
        first.start()
        until(180, lambda: first.is_a("primary"), "A primary")
        for member in self.members[1:]:
            member.start()
        until(240, lambda: all(member.is_a("health") for member in self.members), "Three healthy members")
        until(60, self.is_whole, "A synchronous standby")
        self.sql("create database login", "postgres", database="postgres")
        self.grant()

    def url(self, role, database="login"):
        """A URL with every member: libpq picks the one that accepts changes."""
        hosts = ",".join(f"{member.machine.address}:5432" for member in self.members)
        options = "target_session_attrs=read-write&connect_timeout=5"
        return f"postgresql://{role}:{self.passwords[role]}@{hosts}/{database}?{options}"

    def grant(self):
        roles = (ROOT / "deploy/postgres/roles.sql").read_text(encoding="utf-8")
        self.sql(roles, "postgres", GATEWAY_MIGRATE_PASSWORD=self.passwords["gateway_migrate"],
                 GATEWAY_SERVE_PASSWORD=self.passwords["gateway_serve"])

    def sql(self, text, role="postgres", database="login", **environment):
        """Runs SQL; returns the rows, each a list of texts."""
        output = run(
            POSTGRES_BIN / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator=\x1f",
            "--set=ON_ERROR_STOP=1", "--dbname", self.url(role, database), input=text, env={**os.environ, **environment})
        return [line.split("\x1f") for line in output.splitlines() if line]

    def member(self, state):
        return next((member for member in self.members if member.is_a(state)), None)

    def primary(self):
        return until(60, lambda: self.member("primary"), "A primary")

    def is_whole(self):
        """Whether a primary with a synchronous standby commits a change: Patroni's word alone may be older than a crash."""
        return self.member("primary") and self.member("synchronous") and self.commits()

    def commits(self):
        change = subprocess.run(
            ["timeout", "3", POSTGRES_BIN / "psql", "--no-psqlrc", "--quiet", "--dbname", self.url("postgres", "postgres"),
             "--command", "select pg_logical_emit_message(true, 'chaos', '')"], capture_output=True, check=False)
        return change.returncode == 0

    def switch(self):
        leader = self.primary().name
        run("timeout", "60", "patronictl", "-c", self.members[0].configuration, "switchover", "login", "--leader", leader,
            "--force", env={**os.environ, "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"})
