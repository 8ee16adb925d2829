"""`make bench-peers`: the gateway and other login servers side by side. bench/README.md has the method."""

import itertools
import json
import os
import signal
import statistics
import time

from . import peer_works, settings
from .database import sql
from .gateway import Gateway
from .peer import PASSWORD
from .peer_kinds import ALL
from .peer_report import write
from .processes import tree, tree_memory_mib
from .settings import progress, progress_done
from .simulator import Simulator
from .work import Work
from .works import Password, Refresh, Session

WORKS = ("password", "sign_up", "refresh", "session")
_COST = f"Argon2id {settings.HASH_MEMORY_KIB // 1024} MiB, {settings.HASH_ITERATIONS}"
_STARTS = 3
# A run is repeated up to this length while fewer requests than connections are answered.
_MOST_SECONDS = 40


def _chosen(name, known):
    chosen = os.environ.get(name, " ".join(known)).split()
    if unknown := set(chosen) - set(known):
        raise SystemExit(f"{name} names {' '.join(sorted(unknown))}. Separated by spaces, it may name: {' '.join(known)}")
    return chosen


class OwnSignUp(Work):
    """A user name and a password, without an address: one request, as at the peers."""

    name, path, script, first_guess = "sign_up", "/v1/sign-up", "post_once.lua", 200
    _numbers = itertools.count(1)

    def feed(self, connections, seconds):
        numbers = list(itertools.islice(self._numbers, self.needed(connections, seconds)))
        bodies = [json.dumps({"client_id": "app", "username": f"peer{number}", "password": PASSWORD}) for number in numbers]
        # Throttles count sign-ups of one address.
        return self.write([f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}\t{body}" for n, body in zip(numbers, bodies)])


class Own(Gateway):
    """The gateway in the place of a peer."""

    title, hashes, server, costs, notes = "login gateway", "default", "one process", {"default": _COST}, ""
    name, is_own = "gateway", True

    def prepare(self):
        self.migrate()
        sql((settings.ROOT / "deploy/postgres/roles.sql").read_text(encoding="utf-8"))

    def make_users(self):
        pass

    def memory_mib(self):
        return tree_memory_mib(self.pid)

    def works(self):
        return {kind.name: kind(self, self.simulator) for kind in (Password, OwnSignUp, Refresh, Session)}


def _own(simulator):
    own = Own(simulator, changes={"CLIENT_SIGN_UP_NAMES": "email,user_name"})
    own.simulator = simulator
    return own


class Contest:
    """Everything that runs side by side, and what was left out with its reason."""

    def __init__(self):
        self.servers, self.left_out, self.versions, self.runs = [], {}, {}, {}

    def attempt(self, server, action):
        """Answers nothing where a peer fails, and notes why: the others go on."""
        try:
            return action()
        except (Exception, SystemExit) as error:
            if server.is_own:
                raise
            name = f"{server.title} ({server.hashes})" if hasattr(server, "hashes") else server.title
            reason = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else str(error)
            self.left_out.setdefault(name, []).append(reason)
            progress(f"{name} is left out: {reason}")
            return None

    def add(self, kind):
        progress(f"{kind.title}: installing")

        def install():
            kind.install()
            self.versions[kind.title] = kind.versions()
            return True
        if self.attempt(kind, install):
            for hashes in ("default", "comparable"):
                if server := self.attempt(kind, lambda: kind(hashes)):
                    self.begin(server)

    def begin(self, server):
        self.servers.append(server)

        def begin():
            progress(f"{server.title}, {server.hashes}: starting")
            server.prepare()
            server.start()
            if server.hashes == "default":
                self._measure_starts(server)
            progress(f"{server.title}, {server.hashes}: users")
            server.make_users()
            server.own_works = server.works() if server.is_own else peer_works.of(server)
            return True
        if not self.attempt(server, begin):
            server.stop()
            self.servers.remove(server)

    @staticmethod
    def _measure_starts(server):
        times = []
        for _ in range(_STARTS):
            server.stop()
            times.append(server.start())
        time.sleep(2)
        processes = len(tree(server.program.pid))
        server.figures = {"ready_ms": statistics.median(times), "idle": server.memory_mib(), "processes": processes}

    def measure(self, works):
        """Rounds in which the servers take turns; the one that begins changes with the round."""
        for name in works:
            for number in range(settings.RUNS):
                taking = [server for server in self.servers if name in server.own_works]
                for turn in range(len(taking)):
                    server = taking[(number + turn) % len(taking)]
                    progress(f"{name}: round {number + 1} of {settings.RUNS}, {server.title}, {server.hashes}")
                    if not self.attempt(server, lambda: self._run(server, name)):
                        # Its other works go on.
                        del server.own_works[name]
        for server in self.servers:
            if server.hashes == "default":
                server.figures["loaded"] = server.memory_mib()

    def _run(self, server, name):
        work = server.own_works[name]
        if not work.rate:
            # The rate of the first run tells how much the next is fed.
            work.run(settings.CLIENTS, 1)
        seconds = settings.SECONDS
        while (run := work.run(settings.CLIENTS, seconds))["requests"] < settings.CLIENTS and seconds < _MOST_SECONDS:
            seconds *= 2
        # What it has begun must not disturb the next server.
        work.settle()
        if not run["requests"]:
            raise SystemExit(f"{name}: no answer within {seconds} s")
        if run["failures"] > run["requests"] / 100:
            raise SystemExit(f"{name}: {run['failures']} of {run['requests']} requests failed")
        self.runs.setdefault((name, server), []).append(run)
        return True


def stop(_signal, _frame):
    """Ends by way of every `finally`, so that nothing that was started is left behind."""
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, stop)
    works = _chosen("BENCH_PEER_WORKS", WORKS)
    kinds = {kind.__name__.lower(): kind for kind in ALL}
    peers = _chosen("BENCH_PEERS", list(kinds))
    sql("create role peer login")
    contest, simulator = Contest(), Simulator()
    try:
        contest.begin(_own(simulator))
        for name in peers:
            contest.add(kinds[name])
        contest.measure(works)
    finally:
        progress_done()
        for server in contest.servers:
            server.stop()
        simulator.program.stop()
    write(contest, works)


if __name__ == "__main__":
    main()
