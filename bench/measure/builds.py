"""Builds of the gateway side by side: what the same works cost in each, in turns. bench/README.md has the method."""

import pathlib
import statistics
import sys

from . import instructions, settings, works
from .database import sql
from .gateway import Gateway
from .paint import Chromium
from .report import table
from .settings import progress, progress_done
from .simulator import Simulator


class Build:
    """A gateway of one build, with a database of its own."""

    def __init__(self, text, number, simulator):
        folder, *changes = text.split(",")
        database = f"build{number}"
        self.name = text
        # An older revision granted other rights: a copy of its file beside the programs.
        own_roles = settings.ROOT / folder / "roles.sql"
        self.roles = own_roles if own_roles.exists() else settings.ROOT / "deploy/postgres/roles.sql"
        self.owner_url = settings.ADMINISTRATOR_URL.replace("@/postgres?", f"@/{database}?")
        kind = instructions.CountedGateway if settings.INSTRUCTIONS else Gateway
        self.gateway = kind(
            simulator, settings.SERVE_URL.replace("BUILD", database), settings.MIGRATE_URL.replace("BUILD", database),
            settings.ROOT / pathlib.Path(folder), dict(change.split("=", 1) for change in changes), self.owner_url)
        self.works = {}

    def start(self):
        self.gateway.migrate()
        sql(self.roles.read_text(encoding="utf-8"), self.owner_url)
        self.gateway.start()

    def run(self, kind, simulator):
        """One run at 16 connections; the first one warms up and is not counted."""
        if kind.name not in self.works:
            self.works[kind.name] = kind(self.gateway, simulator)
            self.works[kind.name].run(settings.CLIENTS, 1)
        return self.works[kind.name].run(settings.CLIENTS, settings.SECONDS)


def compare(builds, kind, simulator):
    """A row for each build: medians, and the ratio to the first build in each round."""
    runs = [[] for _ in builds]
    for number in range(settings.RUNS):
        # The build that begins changes with the round.
        for turn in range(len(builds)):
            index = (number + turn) % len(builds)
            progress(f"{kind.name}: round {number + 1} of {settings.RUNS}, {builds[index].name}")
            runs[index].append(builds[index].run(kind, simulator))
    for build, own in zip(builds, runs):
        if any(run["failures"] for run in own):
            raise SystemExit(f"{kind.name}: requests failed with {build.name}.")
        ratios = [run["gateway_cpu_us"] / first["gateway_cpu_us"] for run, first in zip(own, runs[0])]
        middle = {key: statistics.median(run[key] for run in own) for key in ("gateway_cpu_us", "postgres_cpu_us", "per_second")}
        yield [kind.name, build.name, f"{middle['gateway_cpu_us']:.1f}", f"{statistics.median(ratios):.3f}",
               f"{min(ratios):.2f} to {max(ratios):.2f}", f"{middle['postgres_cpu_us']:.0f}", f"{middle['per_second']:,.0f}"]


def paints(builds):
    """A row for each build: the first paint of the sign-in page, and the ratio to the first build in each round."""
    browser = Chromium()
    rounds = [[] for _ in builds]
    try:
        for number in range(settings.RUNS):
            for turn in range(len(builds)):
                index = (number + turn) % len(builds)
                progress(f"first paint: round {number + 1} of {settings.RUNS}, {builds[index].name}")
                page = f"http://localhost:{builds[index].gateway.port}/login?client_id=app"
                browser.first_paint_ms(page)
                rounds[index].append(statistics.median(browser.first_paint_ms(page) for _ in range(settings.PAINTS)))
    finally:
        browser.stop()
    for build, own in zip(builds, rounds):
        ratios = [ms / first for ms, first in zip(own, rounds[0])]
        yield ["first paint", build.name, f"{statistics.median(own):.0f} ms", f"{statistics.median(ratios):.3f}",
               f"{min(ratios):.2f} to {max(ratios):.2f}", "", ""]


def timed_rows(builds, simulator):
    """Of every work that is asked for, in turns."""
    yield from (["resident memory", build.name, f"{build.gateway.memory_mib()[0]:.1f} MiB", "", "", "", ""] for build in builds)
    for kind in works.ALL:
        if kind.name in settings.WORKS:
            yield from compare(builds, kind, simulator)
    if settings.PAINTS:
        yield from paints(builds)


def main():
    simulator = Simulator()
    builds = []
    heads = ["work", "build", "gateway µs", "ratio", "of each round", "PostgreSQL µs", "requests/s"]
    try:
        for number, text in enumerate(sys.argv[1:], 1):
            builds.append(Build(text, number, simulator))
            builds[-1].start()
        if settings.INSTRUCTIONS:
            heads = ["work", "build", "thousands of instructions", "ratio"]
            rows = list(instructions.rows(builds, simulator))
        else:
            rows = list(timed_rows(builds, simulator))
    finally:
        for build in builds:
            build.gateway.stop()
        simulator.program.stop()
    progress_done()
    print(table(heads, rows))


main()
