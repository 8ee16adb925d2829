"""One kind of work: how it is fed, run and counted."""

import contextlib
import statistics
import time

from . import database, profile, settings
from .load import Wrk
from .processes import postgres_cpu_us
from .settings import progress


def medians(runs):
    """Of each figure; of the failures the most, since none is allowed."""
    return {
        key: (max if key == "failures" else statistics.median)(run[key] for run in runs) for key in runs[0]
    }


class Work:
    """One kind of request. `feed` writes what the next run sends."""

    name = ""
    path = ""
    script = ""
    # The work whose SQL pgbench runs as the limit.
    has_sql = False
    # What the script reads besides `lines`.
    environment = {}
    # What the first run is fed for; later runs go by the last one's rate.
    first_guess = 2_000
    # The works that do the same through `/v1`, and what it may take of their gateway's time, without its RS256 signatures.
    same, most, signatures = (), 1.15, 0

    def __init__(self, gateway, simulator):
        self.gateway, self.simulator = gateway, simulator
        self.lines = settings.FOLDER / f"{self.name}.lines"
        self.rate = {}
        self.requests, self.calls = 0, {}

    def feed(self, connections, seconds):
        """Writes `self.lines`; answers how many requests they allow, or None when they can be sent again."""
        raise NotImplementedError

    def measure(self, connections, same=()):
        """The medians of the runs at so many connections, and the runs themselves, each right after those of the same works."""
        runs = []
        for number in range(settings.RUNS):
            progress(f"{self.name}: {connections} connections, run {number + 1} of {settings.RUNS}")
            beside = [work.run(connections, settings.SECONDS) for work in same]
            run = self.run(connections, settings.SECONDS)
            if beside:
                run["same_cpu_us"] = sum(other["gateway_cpu_us"] for other in beside)
                run["failures"] += sum(other["failures"] for other in beside)
            runs.append(run)
        return {**medians(runs), "runs": runs}

    def profile(self):
        """Where a request's time goes: the parts' shares in one more run."""
        progress(f"{self.name}: perf")
        self.run(settings.CLIENTS, settings.SECONDS, lambda: profile.recording(self.gateway.pid))
        return profile.shares()

    def run(self, connections, seconds, around=contextlib.nullcontext):
        while True:
            allowed = self.feed(connections, seconds)
            database.sql("checkpoint")
            self.settle()
            before = self._counters()
            with around():
                report = Wrk(self.gateway.url(self.path), self.script, connections, seconds, self.lines, self.environment).report()
            after = self._counters()
            self.rate[connections] = report["per_second"]
            if allowed is None or report["requests"] + connections + 2 < allowed:
                break
            # Everything was used up before the time was: the rate is too low a guess, not a result.
            self.rate[connections] *= 2
        requests = max(1, report["requests"])
        report["gateway_cpu_us"] = (after[0] - before[0]) / requests
        report["postgres_cpu_us"] = (after[1] - before[1]) / requests
        calls = {shape: count - before[2].get(shape, 0) for shape, count in after[2].items()}
        report["statements"] = sum(calls.values()) / requests
        self.requests += requests
        self.calls = {shape: self.calls.get(shape, 0) + count for shape, count in calls.items()}
        return report

    def settle(self):
        """Until the gateway rests: it goes on for a moment with what a run's end left behind."""
        for _ in range(50):
            before = self.gateway.cpu_us()
            time.sleep(0.2)
            if self.gateway.cpu_us() - before < 20_000:
                break

    def needed(self, connections, seconds):
        """How many single-use lines a run may take."""
        rate = self.rate.get(connections) or max([self.first_guess, *self.rate.values()])
        return int(rate * 1.5 * seconds) + 4 * connections

    def write(self, lines):
        self.lines.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return len(lines)

    def limit(self):
        """pgbench's rate for the same SQL, median, once it is known to be the same; None where there is none."""
        if not self.has_sql:
            return None
        database.check_copy(self.name, {shape: count / self.requests for shape, count in self.calls.items()})
        rates = []
        for number in range(settings.RUNS):
            progress(f"{self.name}: pgbench, run {number + 1} of {settings.RUNS}")
            rates.append(database.pgbench(self.name))
        return statistics.median(rates)

    def _counters(self):
        statements = database.statements()
        return self.gateway.cpu_us(), postgres_cpu_us(), statements
