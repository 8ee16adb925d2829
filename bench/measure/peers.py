"""`make bench-peers`: the gateway and other login servers side by side. bench/README.md has the method."""

import datetime
import itertools
import json
import os
import signal
import statistics
import time

from . import machine, settings
from .database import sql
from .gateway import Gateway
from .peer import PASSWORD
from .peer_kinds import ALL
from .processes import tree, tree_memory_mib
from .report import table
from .settings import progress, progress_done
from .simulator import Simulator
from .work import Work, medians
from .works import Password, Refresh, Session

WORKS = ("password", "sign_up", "refresh", "session")
_COST = f"Argon2id {settings.HASH_MEMORY_KIB // 1024} MiB, {settings.HASH_ITERATIONS}"
_STARTS = 3


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
    name = "gateway"

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
        """Ends one server's part where it fails, not the others'."""
        try:
            return action()
        except KeyboardInterrupt:
            raise
        except (Exception, SystemExit) as error:
            if server in self.servers:
                self.servers.remove(server)
                server.stop()
            name = f"{server.title} ({server.hashes})" if hasattr(server, "hashes") else server.title
            self.left_out[name] = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else str(error)
            progress(f"{name} is left out: {self.left_out[name]}")
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
            server.own_works = server.works()
        self.attempt(server, begin)

    @staticmethod
    def _measure_starts(server):
        times = []
        for _ in range(_STARTS):
            server.stop()
            times.append(server.start())
        time.sleep(5)
        server.figures = {"ready_ms": statistics.median(times), "idle": server.memory_mib(), "processes": len(tree(server.program.pid))}

    def measure(self, works):
        """Rounds in which the servers take turns; the one that begins changes with the round."""
        for name in works:
            for number in range(settings.RUNS):
                taking = [server for server in self.servers if name in server.own_works]
                for turn in range(len(taking)):
                    server = taking[(number + turn) % len(taking)]
                    progress(f"{name}: round {number + 1} of {settings.RUNS}, {server.title}, {server.hashes}")
                    self.attempt(server, lambda: self._run(server, name))
        for server in self.servers:
            if server.hashes == "default":
                server.figures["loaded"] = server.memory_mib()

    def _run(self, server, name):
        work = server.own_works[name]
        if not work.rate:
            # The rate of the first run tells how much the next is fed.
            work.run(settings.CLIENTS, 1)
        run = work.run(settings.CLIENTS, settings.SECONDS)
        if not run["requests"]:
            raise SystemExit(f"{name}: no answer within {settings.SECONDS} s. Set BENCH_SECONDS higher.")
        self.runs.setdefault((name, server), []).append(run)


def _cpu_ms(run):
    return (run["gateway_cpu_us"] + run["postgres_cpu_us"]) / 1000


def rows(contest, name):
    """A row for each server. Both ratios are above 1 where the gateway is better."""
    [own] = [runs for (work, server), runs in contest.runs.items() if work == name and isinstance(server, Own)]
    for (work, server), runs in contest.runs.items():
        if work != name or len(runs) < len(own):
            continue
        middle = medians(runs)
        speed = statistics.median(first["per_second"] / run["per_second"] for first, run in zip(own, runs))
        cost = statistics.median(_cpu_ms(run) / _cpu_ms(first) for first, run in zip(own, runs))
        yield {
            "work": name, "server": server.title, "hash": server.costs[server.hashes] if name in WORKS[:2] else "–",
            "per_second": middle["per_second"], "speed": speed, "server_ms": middle["gateway_cpu_us"] / 1000,
            "postgres_ms": middle["postgres_cpu_us"] / 1000, "cost": cost, "p50_ms": middle["p50_us"] / 1000,
            "p99_ms": middle["p99_us"] / 1000, "failures": middle["failures"], "runs": runs}


def _cells(row):
    return [row["work"], row["server"], row["hash"], f"{row['per_second']:,.0f}", f"{row['speed']:.2f}", f"{row['server_ms']:.2f}",
            f"{row['postgres_ms']:.2f}", f"{row['cost']:.2f}", f"{row['p50_ms']:.1f}", f"{row['p99_ms']:.1f}", str(row["failures"])]


def _memory(server):
    figures = server.figures
    sizes = [f"{size:,.0f}" for size in (*figures["idle"], *figures["loaded"])]
    return [server.title, server.server, str(figures["processes"]), f"{figures['ready_ms']:,.0f}", *sizes]


def _wins(found):
    lines = []
    for row in found:
        better = [f"{text} {row[key]:.2f}" for key, text in (("speed", "requests"), ("cost", "processor time")) if row[key] < 1]
        if better:
            lines.append(f"- {row['server']}, {row['work']}, {row['hash']}: {', '.join(better)}")
    return "Where a peer is better:\n\n" + ("\n".join(lines) or "- nowhere")


def write(contest, works):
    found = [row for name in works for row in rows(contest, name)]
    measured = [server for server in contest.servers if server.hashes == "default"]
    about = machine.describe()
    results = {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "machine": about,
        "versions": {**machine.versions(), **contest.versions}, "seconds": settings.SECONDS, "rounds": settings.RUNS,
        "connections": settings.CLIENTS, "fsync": sql("show fsync")[0], "works": found, "left_out": contest.left_out,
        "servers": {server.title: server.figures for server in measured}}
    target = settings.ROOT / "var/bench-peers.json"
    target.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    head = ["work", "server", "hash", "requests/s", "gateway / it", "its CPU ms", "PostgreSQL ms", "it / gateway", "p50 ms", "p99 ms", "not 2xx"]
    sizes = ["server", "runs as", "processes", "ready ms", "idle RSS MiB", "PSS", "loaded RSS MiB", "PSS"]
    parts = [
        f"{results['date']}, {about['processor']}, {about['cores']} cores, {about['system']}; {settings.SECONDS} s a run, medians of "
        f"{settings.RUNS} rounds, {settings.CLIENTS} connections, fsync {results['fsync']}",
        "; ".join(f"{name}: {version}" for name, version in results["versions"].items() if version),
        table(head, [_cells(row) for row in found]), _wins(found), table(sizes, [_memory(server) for server in measured]),
        "\n".join(f"{server.title}: {server.notes}." for server in measured if server.notes)]
    parts += [f"Left out: {name}: {reason}" for name, reason in contest.left_out.items()]
    print("\n\n".join(parts))
    print(f"\nWritten to {target.relative_to(settings.ROOT)}.")


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
        own = _own(simulator)
        contest.begin(own)
        if own not in contest.servers:
            raise SystemExit(f"The gateway did not start: {contest.left_out[own.title + ' (default)']}")
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
