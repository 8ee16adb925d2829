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


def migrate(new):
    """Answers how long it took, with the tables in use the while."""
    begun = time.monotonic()
    with backup(SECONDS):
        migration = new.begin("migrate", DATABASE_URL=new.migrate_url)
        text, _ = migration.communicate(timeout=300)
    if migration.returncode != 0:
        raise SystemExit(f"gateway migrate failed:\n{text}")
    return time.monotonic() - begun


def states(old, new, load):
    """Leads the load through the states; answers what else is wrong."""
    pending = new.run("migrate", "--dry-run")
    servers, wrong = [old], []
    if "missing " in pending or "outdated " in pending:
        if not new.is_refused():
            wrong.append("The new program doesn't refuse the old schema with the remedy.")
    else:
        new.start()
        servers.append(new)
        load.use("before", *servers)
    progress("before the migration")
    time.sleep(SECONDS)

    progress(f"migration, with every table in use for {SECONDS:g} s")
    load.use("during", *servers)
    print(f"Pending: {pending or 'nothing'}\nThe migration took {migrate(new):.1f} s.", flush=True)
    new.grant()

    progress("after the migration")
    if new not in servers:
        new.start()
    load.use("after", old, new)
    time.sleep(SECONDS)

    progress("after the migration, the old program started again")
    load.use("after", new)
    old.stop()
    old.start()
    load.use("old again", old, new)
    time.sleep(SECONDS)
    twice = ", ".join(sql(_TWICE))
    return wrong + ([f"These functions have two signatures; give the new one another name: {twice}."] if twice else [])


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
        wrong = states(old, new, load)
        load.end()
        progress_done()
        wrong += report(load.counts)
    finally:
        old.stop()
        new.stop()
        simulator.program.stop()
    if wrong:
        raise SystemExit("\n".join(wrong))
    print("Both versions served the database in every state.")


if __name__ == "__main__":
    main()
