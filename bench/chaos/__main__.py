"""Everything in order: start, break under load, check, sabotage, report."""

import atexit
import collections
import contextlib
import json
import random
import shutil
import signal
import time

from measure import machine
from measure.settings import progress, progress_done

from . import page, settings
from .client import Client
from .cluster import Cluster
from .deployment import Deployment
from .faults import Faults
from .invariants import NAMES, Invariants
from .machines import until
from .mails import Mails
from .people import World
from .record import Record, now
from .sabotage import Sabotage


def order(faults, chosen):
    """The names of the faults, without an end: each once in every round, in another order."""
    unknown = set(settings.FAULTS) - set(faults)
    if unknown:
        raise SystemExit(f"CHAOS_FAULTS names no fault: {' '.join(sorted(unknown))}. It may name: {' '.join(faults)}.")
    names = settings.FAULTS or list(faults)
    while True:
        yield from chosen.sample(names, len(names))


def first_success(record, since, kinds):
    """The end of the first acknowledged change that began after a moment."""
    with record.lock:
        ends = [call.end for call in record.calls[-2_000:]
                if call.begin >= since and call.request in record.changes and (not kinds or call.kind in kinds)]
    return min(ends, default=None)


def recovery(record, since, kinds=()):
    """The seconds from the end of a fault to the first success, waited for."""
    while now() < since + 60:
        if (end := first_success(record, since, kinds)) is not None:
            return end - since
        time.sleep(0.05)
    return None


def is_over(record, begun):
    return len(record.calls) >= settings.OPERATIONS or now() - begun > settings.MINUTES * 60


def disturb(deployment, record):
    """Faults one after the other until the run is over; returns the time line."""
    chosen = random.Random(settings.SEED)
    faults, done, begun = Faults(deployment, chosen), [], now()
    time.sleep(3)
    for name in order(faults.all(), chosen):
        if is_over(record, begun):
            return done
        progress(f"{len(record.calls):,} calls, {len(record.violations)} violations, fault {len(done) + 1}: {name}")
        faults.detail, begin = "", now()
        try:
            faults.all()[name]()
        except SystemExit as error:
            record.violate("lost", f"the deployment did not get over {name}: {error}")
        end = now()
        done.append({"name": name, "detail": faults.detail, "begin": begin, "end": end, "recovery": recovery(record, end)})
        if name == "provider_outage":
            # A circuit stays open for a while: the provider's own recovery, beside that of everything else.
            done[-1]["detail"] += f"; a provider answered again after {recovery(record, end, ('browser',)) or 60:.1f} s"
        faults.repair()
        time.sleep(chosen.uniform(2, 4))
    return done


def load(deployment, record, world, mails):
    """Runs the clients while faults come and go."""
    clients = [Client(number, deployment, record, world, mails) for number in range(settings.CLIENTS)]
    for client in clients:
        client.thread.start()
    try:
        return disturb(deployment, record)
    finally:
        for client in clients:
            client.stops.set()
        for client in clients:
            client.thread.join(60)


def check(invariants, record):
    """The violations of each invariant, those that the clients saw first."""
    found = {}
    for name in NAMES:
        progress(f"checking: {NAMES[name]}")
        found[name] = [text for kind, text in record.violations if kind == name] + invariants.check(name)
    return found


def sabotage(deployment, invariants, record, world):
    """What the checks said to each break on purpose, beside what they said before."""
    names = {"none": [], "": Sabotage.SEEN_BY, "all": Sabotage.SEEN_BY}.get(settings.SABOTAGE, [settings.SABOTAGE])
    acts, said = Sabotage(deployment, record, world), {}
    for name in names:
        if name not in Sabotage.SEEN_BY:
            raise SystemExit(f"CHAOS_SABOTAGE is all, none, or one of: {' '.join(Sabotage.SEEN_BY)}.")
        progress(f"sabotage: {name}")
        checks = Sabotage.SEEN_BY[name].split()
        # An earlier act may have broken the same.
        before = invariants.check(*checks)
        words = acts.do(name)
        if words is None:
            record.note(f"the run left nothing for {name}")
            said[name] = []
            continue
        new = [text for text in invariants.check(*checks) if text not in before]
        said[name] = [next((text for text in new if word in text), "") for word in words]
        if not all(said[name]):
            said[name] = []
    return said


def stop(_signal, _frame):
    raise SystemExit(143)


def keep_logs():
    shutil.copytree(settings.LOGS, settings.REPORT / "logs", dirs_exist_ok=True)


def main():
    signal.signal(signal.SIGTERM, stop)
    atexit.register(keep_logs)
    progress("starting etcd, PostgreSQL, the simulator and the gateways")
    cluster = Cluster()
    deployment = Deployment(cluster)
    record, world, mails = Record(), World(), Mails()
    begin = now()
    done = load(deployment, record, world, mails)
    end = now()
    progress("waiting until the gateways have the right time")
    until(120, deployment.has_right_clocks, "The right time")
    invariants = Invariants(deployment, record, world, mails)
    found = check(invariants, record)
    said = sabotage(deployment, invariants, record, world)
    progress_done()
    calls = collections.Counter((call.kind, call.outcome) for call in record.calls)
    result = {
        "seed": settings.SEED, "command": settings.command(), "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": machine.describe(), "versions": page.versions(), "begin": begin, "end": end, "faults": done,
        "calls": len(record.calls), "acknowledged": len(record.changes), "accounts": len(world.people),
        "kinds": [[*key, count] for key, count in sorted(calls.items())], "violations": found, "sabotage": said,
        "notes": record.notes, "rates": page.rates(record, begin, end),
    }
    settings.REPORT.mkdir(parents=True, exist_ok=True)
    (settings.REPORT / "report.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (settings.REPORT / "report.html").write_text(page.html(result), encoding="utf-8")
    (settings.REPORT / "report.svg").write_text(page.time_line(result), encoding="utf-8")
    print(page.summary(result))
    raise SystemExit(0 if page.is_good(result) else 1)


with contextlib.suppress(KeyboardInterrupt):
    main()
