"""Two neighbouring versions on one database, under load, before, during and after `gateway migrate`: `make test-upgrade`.

Arguments: the folders of the old and the new program. Prints a row for each state, and ends with 1 after a failed operation.
UPGRADE_SECONDS (5) is the length of a state. So long another transaction reads every table, as a backup does, while the
migration waits for its locks.
"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time

from . import settings
from .database import sql
from .gateway import Gateway
from .report import table
from .settings import progress, progress_done
from .simulator import Simulator
from .visits import Load

SECONDS = float(os.environ.get("UPGRADE_SECONDS", "5"))
# With fewer operations a state proves nothing.
FEWEST = 20
_READ_ALL = """
    do $$ begin
        execute (select 'lock table ' || string_agg(format('public.%I', relname), ', ') || ' in access share mode'
                   from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'));
    end $$"""
_READING = "select 1 from pg_stat_activity where application_name = 'backup' and wait_event = 'PgSleep'"
# A function with another signature stays beside the old one: a call by name may reach either.
_TWICE = "select proname from pg_proc where pronamespace = 'public'::regnamespace group by proname having count(*) > 1"


class Version(Gateway):
    """A gateway of one version. Both have the same issuer, keys and mail folder."""

    def __init__(self, name, folder, simulator):
        folder = pathlib.Path(folder)
        super().__init__(simulator, binaries=folder, file=f"{name}.env", changes={"PUBLIC_URL": "http://localhost:8080"})
        self.name = name
        own_roles = folder / "roles.sql"
        self.roles = own_roles if own_roles.exists() else settings.ROOT / "deploy/postgres/roles.sql"

    def grant(self):
        sql(self.roles.read_text(encoding="utf-8"))

    def begin(self, *command, **changes):
        return subprocess.Popen(
            [self._binary, *command, "--env-file", self.file], cwd=settings.FOLDER, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self._whole_environment(**changes))

    def is_refused(self):
        """Whether it declines to serve the old schema, and names the remedy."""
        serving = self.begin("serve")
        text, _ = serving.communicate(timeout=30)
        return serving.returncode == 1 and "Run: gateway migrate" in text


@contextlib.contextmanager
def backup(seconds):
    """A transaction that reads every table for so long."""
    reading = subprocess.Popen(
        [settings.POSTGRES_BIN / "psql", "--no-psqlrc", "--quiet", "--dbname", settings.ADMINISTRATOR_URL, "--output", os.devnull,
         "--command", "begin", "--command", _READ_ALL, "--command", f"select pg_sleep({seconds})"],
        env={**os.environ, "PGAPPNAME": "backup"})
    while not sql(_READING):
        if reading.poll() is not None:
            raise SystemExit("The transaction that holds the tables ended early.")
        time.sleep(0.02)
    yield
    reading.wait()


class Upgrade:
    """The states, one after the other; `wrong` lists what failed beside the load's operations."""

    def __init__(self, old, new, load):
        self.old, self.new, self.load, self.wrong = old, new, load, []

    def before(self):
        progress("before the migration")
        self.pending = self.new.run("migrate", "--dry-run")
        if "missing " not in self.pending and "outdated " not in self.pending:
            self.new.start()
            self.load.use("before", self.old, self.new)
        elif not self.new.is_refused():
            self.wrong.append("The new program doesn't refuse the old schema with the remedy.")
        time.sleep(SECONDS)

    def during(self):
        progress(f"migration, with every table in use for {SECONDS:g} s")
        self.load.use("during", *self.load.servers)
        begun = time.monotonic()
        with backup(SECONDS):
            migration = self.new.begin("migrate", DATABASE_URL=self.new.migrate_url)
            text, _ = migration.communicate(timeout=300)
        if migration.returncode != 0:
            raise SystemExit(f"gateway migrate failed:\n{text}")
        print(f"Pending: {self.pending}\nThe migration took {time.monotonic() - begun:.1f} s.", flush=True)
        self.new.grant()

    def after(self):
        progress("after the migration")
        if self.new not in self.load.servers:
            self.new.start()
        self.load.use("after", self.old, self.new)
        time.sleep(SECONDS)

    def rolled_back(self):
        """As after a rollback, the old program starts on the new schema."""
        progress("after the migration, the old program started again")
        self.load.use("after", self.new)
        self.old.stop()
        self.old.start()
        self.load.use("old again", self.old, self.new)
        time.sleep(SECONDS)
        if twice := ", ".join(sql(_TWICE)):
            self.wrong.append(f"These functions have two signatures; give the new one another name: {twice}.")


def report(counts):
    """A row for each state; answers the failures."""
    rows = [[state, count.operations, sum(count.failures.values()), f"{count.longest * 1000:.0f}"] for state, count in counts.items()]
    print(table(["state", "operations", "failed", "longest ms"], rows), flush=True)
    few = [f"{state}: only {count.operations} operations." for state, count in counts.items() if count.operations < FEWEST]
    return few + [f"{state}: {number} × {text}" for state, count in counts.items() for text, number in count.failures.items()]


def stop(_signal, _frame):
    raise SystemExit(143)


def main():
    signal.signal(signal.SIGTERM, stop)
    simulator = Simulator()
    old, new = Version("old", sys.argv[1], simulator), Version("new", sys.argv[2], simulator)
    try:
        old.migrate()
        old.grant()
        old.start()
        load = Load(simulator, "before", old)
        upgrade = Upgrade(old, new, load)
        for state in (upgrade.before, upgrade.during, upgrade.after, upgrade.rolled_back):
            state()
        load.end()
        progress_done()
        wrong = upgrade.wrong + report(load.counts)
    finally:
        old.stop()
        new.stop()
        simulator.program.stop()
    if wrong:
        raise SystemExit("\n".join(wrong))
    print("Both versions served the database in every state.")


if __name__ == "__main__":
    main()
