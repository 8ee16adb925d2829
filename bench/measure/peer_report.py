"""The figures of the gateway and its peers, as tables and as JSON."""

import datetime
import json
import statistics

from . import machine, settings
from .database import sql
from .report import table
from .work import medians


def _cpu_ms(run):
    return (run["gateway_cpu_us"] + run["postgres_cpu_us"]) / 1000


def rows(contest, name):
    """A row for each server. Both ratios are above 1 where the gateway is better."""
    [own] = [runs for (work, server), runs in contest.runs.items() if work == name and server.is_own]
    for (work, server), runs in contest.runs.items():
        if work != name or len(runs) < len(own):
            continue
        middle = medians(runs)
        speed = statistics.median(first["per_second"] / run["per_second"] for first, run in zip(own, runs))
        cost = statistics.median(_cpu_ms(run) / _cpu_ms(first) for first, run in zip(own, runs))
        hashed = server.costs[server.hashes] if name in ("password", "sign_up") else "–"
        yield {
            "work": name, "server": server.title, "hash": hashed,
            "per_second": middle["per_second"], "speed": speed, "server_ms": middle["gateway_cpu_us"] / 1000,
            "postgres_ms": middle["postgres_cpu_us"] / 1000, "cost": cost, "p50_ms": middle["p50_us"] / 1000,
            "p99_ms": middle["p99_us"] / 1000, "failures": middle["failures"], "runs": runs}


def _cells(row):
    numbers = [f"{row[key]:,.2f}" for key in ("speed", "server_ms", "postgres_ms", "cost")]
    times = [f"{row[key]:,.1f}" for key in ("p50_ms", "p99_ms")]
    return [row["work"], row["server"], row["hash"], f"{row['per_second']:,.0f}", *numbers, *times, str(row["failures"])]


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
    head = ["work", "server", "hash", "requests/s", "gateway / it", "its CPU ms", "PostgreSQL ms", "it / gateway",
            "p50 ms", "p99 ms", "not 2xx"]
    sizes = ["server", "runs as", "processes", "ready ms", "idle RSS MiB", "PSS", "loaded RSS MiB", "PSS"]
    parts = [
        f"{results['date']}, {about['processor']}, {about['cores']} cores, {about['system']}; {settings.SECONDS} s a run, "
        f"medians of {settings.RUNS} rounds, {settings.CLIENTS} connections, fsync {results['fsync']}",
        "; ".join(f"{name}: {version}" for name, version in results["versions"].items() if version),
        table(head, [_cells(row) for row in found]), _wins(found), table(sizes, [_memory(server) for server in measured]),
        "\n".join(f"{server.title}: {server.notes}." for server in measured if server.notes)]
    parts += [f"Left out: {name}: {'; '.join(reasons)}" for name, reasons in contest.left_out.items()]
    print("\n\n".join(parts))
    print(f"\nWritten to {target.relative_to(settings.ROOT)}.")
