"""Two versions of the schema side by side in one cluster: what the same works cost in each, in turns. bench/README.md has the method."""

import os
import pathlib
import statistics

from . import database, settings
from .report import table
from .settings import progress, progress_done
from .transactions import Script

WORKS = ("sign_in_known", "sign_in_new", "refresh")
SEALED = "sign_in_known, sealed"
# Events that the sealer takes at once, and times that it does so in a second.
BATCH, RATE = 1_000, 4
# In each client. The few are taken away: connections, plans and set-up.
MANY, FEW = 1_500, 50


class Version:
    """A version of the repository, its schema in a database of its own."""

    def __init__(self, folder, url):
        self.url = url
        scripts = folder / "bench/sql"
        database.sql("create extension pg_walinspect", url)
        database.sql(_schema(folder / "Sources/Postgres"), url)
        self.works = {work: Script(scripts / f"{work}.sql", url) for work in WORKS}
        # Older schemas than the audit inbox have no such file: their events stay unsealed.
        self.seals = (scripts / "seal.sql").exists()
        if self.seals:
            self._seal = Script(scripts / "seal.sql", url)
            self._waiting = (scripts / "seal.waiting.sql").read_text(encoding="utf-8")

    def cpu_us(self, work):
        """PostgreSQL's processor time of one transaction."""
        run = self._run_sealed if work == SEALED else self.works[work].run
        few = run(FEW, settings.CLIENTS)
        spent = (run(MANY + FEW, settings.CLIENTS) - few) / (MANY * settings.CLIENTS)
        self._seal_rest()
        return spent

    def _run_sealed(self, transactions, clients):
        spent = self.works["sign_in_known"].run_beside(transactions, clients, self._seal, RATE)
        return spent + self._seal_rest()

    def _seal_rest(self):
        if not self.seals:
            return 0
        batches = -(-int(database.sql(self._waiting, self.url)[0]) // BATCH)
        return self._seal.run(batches, 1) if batches else 0


def _schema(folder):
    """The whole schema as one transaction. Versions before commit 0825a08 have migrations only."""
    files = sorted((folder / "Migrations").glob("*.sql"))
    if not files:
        schema = sorted((folder / "Schema").glob("*.sql"))
        late = [path for path in schema if ".after_functions" in path.name]
        files = [path for path in schema if path not in late] + sorted((folder / "Functions").glob("*/*.sql")) + late
    texts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return f"begin; set local check_function_bodies = off; set local client_min_messages = error;\n{texts}\ncommit;"


def _processor(versions):
    """A row for each work: medians, and the ratio of each round."""
    sealed = [SEALED] if all(version.seals for version in versions) else []
    for work in (*WORKS, *sealed):
        spent = [[], []]
        for number in range(settings.RUNS):
            # The version that begins changes with the round.
            for index in (0, 1) if number % 2 == 0 else (1, 0):
                progress(f"{work}: round {number + 1} of {settings.RUNS}, {('before', 'after')[index]}")
                spent[index].append(versions[index].cpu_us(work))
        ratios = [after / before for before, after in zip(*spent)]
        yield [work, *[f"{statistics.median(times):.0f}" for times in spent], f"{statistics.median(ratios):.2f}",
               f"{min(ratios):.2f} to {max(ratios):.2f}"]


def _written(versions):
    """A row for each work: what both write."""
    for work in WORKS:
        progress(f"{work}: what a transaction writes")
        counts = [version.works[work].counts() for version in versions]
        yield [work, *[f"{count[kind]:,.{1 if kind != 'bytes' else 0}f}" for kind in ("records", "bytes", "entries") for count in counts]]


def main():
    versions = [Version(pathlib.Path(os.environ[f"BENCH_{name}_FOLDER"]), os.environ[f"BENCH_{name}_URL"]) for name in ("BEFORE", "AFTER")]
    written = list(_written(versions))
    processor = list(_processor(versions))
    progress_done()
    print(table(["a transaction writes", "records before", "after", "bytes before", "after", "index entries before", "after"], written))
    print()
    print(table(["PostgreSQL's processor time", "µs before", "µs after", "ratio", "of each round"], processor))


main()
