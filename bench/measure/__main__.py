"""Everything in order: start, measure, report."""

import datetime
import json
import signal
import statistics
import time

from . import accounts, database, floors, load, machine, report, settings, works
from .gateway import Gateway
from .processes import Program, cpu_us, free_port
from .settings import progress, progress_done
from .simulator import Simulator
from .transactions import Script


def bare_answers(numbers):
    """Of a server that does nothing but answer, at so many connections: requests a second, and µs of its processor for each."""
    port = free_port()
    program = Program("bare", [settings.ROOT / ".build-bare/release/Bare", str(port)])
    try:
        program.wait_for(port, "/")
        rates, costs = {}, {}
        for connections in numbers:
            runs, spent = [], []
            for number in range(settings.RUNS):
                progress(f"bare answer: {connections} connections, run {number + 1} of {settings.RUNS}")
                before = cpu_us(program.pid)
                run = load.Wrk(f"http://127.0.0.1:{port}/", "get.lua", connections, settings.SECONDS).report()
                runs.append(run["per_second"])
                spent.append((cpu_us(program.pid) - before) / max(1, run["requests"]))
            rates[f"bare answer, {connections}"] = round(statistics.median(runs))
            costs[str(connections)] = round(statistics.median(spent), 1)
        return rates, costs
    finally:
        program.stop()


def starts(gateway, count=5):
    """Starts it some times over; leaves it running. Answers the median of the milliseconds to readiness."""
    times = []
    for number in range(count):
        progress(f"start {number + 1} of {count}")
        gateway.stop()
        times.append(gateway.start())
    return statistics.median(times)


def measure(gateway, simulator, results):
    kinds = {work.name: work for work in works.ALL}
    # In the order that is asked for, so that a work can be measured beside the one that it is compared with.
    chosen = {name: kinds[name] for name in settings.WORKS if name in kinds}
    limits = results["limits"]
    bare = results.setdefault("bare_cpu_us", {})
    peak = loaded = 0
    begun = {}
    for name, kind in chosen.items():
        work = begun[name] = kind(gateway, simulator)
        same = [begun[other] for other in kind.same] if begun.keys() >= set(kind.same) else []
        # Caches, connections and pages: what comes first is not what is measured.
        progress(f"{name}: warming up")
        work.run(settings.CLIENTS, 1)
        results["works"][name] = {str(number): work.measure(number, same) for number in settings.CONNECTIONS}
        if settings.PROFILE:
            results.setdefault("profiles", {})[name] = work.profile()
        if (limit := work.limit()) is not None:
            limits[f"pgbench {name}"] = round(limit)
        # Right after each: the speed of a shared machine changes within minutes.
        if name in floors.OF_BARE:
            rates, bare[name] = bare_answers(settings.CONNECTIONS)
            limits.update({f"{rate} beside {name}": value for rate, value in rates.items()})
        elif name in floors.BESIDE_BARE:
            _, bare[name] = bare_answers([settings.CLIENTS])
        if kind.signatures:
            progress(f"{name}: openssl speed")
            limits[f"RS256 signatures beside {name}"] = load.openssl_speed(kinds=["rsa2048"])["RS256 sign"]
        if name == "password":
            progress("password: what hashing alone allows")
            limits["Argon2id"] = round(load.hashes_per_second(settings.SECONDS), 1)
            results["beside"] = work.beside(works.Refresh(gateway, simulator), settings.CLIENTS)
        now, most = gateway.memory_mib()
        loaded, peak = max(loaded, now), max(peak, most)
    results["memory"].update(loaded_mib=round(loaded, 1), peak_mib=round(peak, 1))


def stop(_signal, _frame):
    """Ends by way of every `finally`, so that nothing that was started is left behind."""
    raise SystemExit(143)


def measure_works(simulator):
    """All works but `accounts`, with the limits of the machine at the same time."""
    progress("openssl speed")
    results = {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": settings.command(), "machine": machine.describe(), "versions": machine.versions(),
        "seconds": settings.SECONDS, "runs": settings.RUNS, "clients": settings.CLIENTS, "works": {},
        "limits": {f"openssl {name}, one core": rate for name, rate in load.openssl_speed().items()}, "memory": {},
    }
    gateway = Gateway(simulator)
    try:
        gateway.migrate()
        database.sql((settings.ROOT / "deploy/postgres/roles.sql").read_text(encoding="utf-8"))
        results["start_ms"] = round(starts(gateway), 1)
        time.sleep(2)
        results["memory"]["idle_mib"] = round(gateway.memory_mib()[0], 1)
        measure(gateway, simulator, results)
        results["floors"] = floors.judge(results)
    finally:
        gateway.stop()
    results["written"] = written()
    return results


def written():
    """What a transaction of each work writes, its SQL alone: no gateway runs now."""
    database.sql("create extension if not exists pg_walinspect")
    scripts = {work: settings.ROOT / f"bench/sql/{work}.sql" for work in settings.WORKS}
    counts = {}
    for work, path in scripts.items():
        if path.exists():
            progress(f"{work}: what a transaction writes")
            counts[work] = Script(path, settings.ADMINISTRATOR_URL).counts()
    return counts


def main():
    signal.signal(signal.SIGTERM, stop)
    target = settings.ROOT / "var/bench.json"
    former = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    tables = []
    simulator = Simulator()
    try:
        # What is not measured this time stays as it was, with its own date.
        results = {name: value for name, value in former.items() if name != "accounts"}
        if set(settings.WORKS) - {"accounts"}:
            results = measure_works(simulator)
            tables.append(report.whole(results))
        results["accounts"] = former.get("accounts")
        if "accounts" in settings.WORKS:
            results["accounts"] = accounts.measure(simulator)
            tables.append(report.accounts(results))
    finally:
        simulator.program.stop()
    progress_done()
    target.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print("\n\n".join(tables))
    print(f"\nWritten to {target.relative_to(settings.ROOT)}.")


main()
