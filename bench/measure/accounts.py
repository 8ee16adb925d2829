"""The work `accounts`: how long operators wait for an answer among a million accounts."""

import datetime
import math
import statistics

from . import large, machine, questions, settings
from .operator import Operator
from .settings import progress

# What a search may take, and what is asked about one account; the rest has none but this one.
LIMIT_MS = 50
OVERVIEW_LIMIT_MS = 300
# A kind that is slow is asked for no longer than this.
_SECONDS = 10
_AT_ONCE = 8


def measure(simulator):
    gateway, seeding = large.make(simulator)
    try:
        gateway.start()
        operator = Operator(gateway, simulator)
        progress("accounts: a day of the audit log is exported")
        searches = questions.searches(operator)
        reports, day = questions.reports(operator)
        lines, seconds = operator.export({"format": "jsonl", "filter": day, "reason": "the benchmark"})
        asked = {**searches, **questions.records(), **reports}
        firsts = _firsts(gateway, operator, asked)
        return {
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "command": settings.command(),
            "machine": machine.describe(), "versions": machine.versions(), "runs": settings.RUNS, "at_once": _AT_ONCE,
            "accounts": settings.ACCOUNTS, "events": settings.EVENTS, "seeding_s": round(seeding, 1),
            "database_mib": int(large.ask("select pg_database_size(current_database()) / 1048576")[0]),
            "export": {"rows": lines, "rows_per_second": round(lines / seconds)},
            "questions": {
                kind: {"limit_ms": _limit(kind, searches), "first_ms": firsts[kind], **_warm(operator, kind, paths, kind in searches)}
                for kind, paths in asked.items()},
        }
    finally:
        gateway.stop()


def _limit(kind, searches):
    if kind.startswith("overview"):
        return OVERVIEW_LIMIT_MS
    return LIMIT_MS if kind in searches else None


def _firsts(gateway, operator, asked):
    """Of each kind the first answer after PostgreSQL and the gateway were started anew: medians of the runs."""
    taken = {kind: [] for kind in asked}
    for number in range(settings.RUNS):
        progress(f"accounts: first answers, run {number + 1} of {settings.RUNS}")
        gateway.stop()
        large.restart()
        gateway.start()
        # Another path each time, and another kind that has to be the very first.
        kinds = list(asked)
        turn = number * len(kinds) // settings.RUNS
        for kind in kinds[turn:] + kinds[:turn]:
            taken[kind] += operator.times([asked[kind][-1 - number]], 1, _SECONDS)
    return {kind: round(statistics.median(times), 2) for kind, times in taken.items()}


def _warm(operator, kind, paths, is_search):
    operator.times(paths[:20], 1, _SECONDS)
    figures = {"1": _runs(operator, kind, paths, 1)}
    if is_search:
        figures[str(_AT_ONCE)] = _runs(operator, kind, paths, _AT_ONCE)
    return figures


def _runs(operator, kind, paths, connections):
    runs = []
    for number in range(settings.RUNS):
        progress(f"accounts: {kind}: {connections} connections, run {number + 1} of {settings.RUNS}")
        runs.append(_figures(sorted(operator.times(paths, connections, _SECONDS))))
    return {**{key: statistics.median(run[key] for run in runs) for key in runs[0]}, "runs": runs}


def _figures(times):
    def at(share):
        return round(times[max(0, math.ceil(share * len(times)) - 1)], 2)

    return {"requests": len(times), "p50_ms": at(0.5), "p95_ms": at(0.95), "p99_ms": at(0.99), "worst_ms": at(1)}


def reached(question):
    """Whether 99 answers of 100 came within the limit, one asked for after the other; None where there is none."""
    return None if question["limit_ms"] is None else question["1"]["p99_ms"] <= question["limit_ms"]
