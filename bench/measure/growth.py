"""What the same works cost the database as it grows: `make bench-growth`. The rows of all sizes come from the same formulas."""

import datetime
import json
import os
import shutil
import signal
import subprocess
import time

from . import chart, database, growth_report, machine, recovery, settings
from .large import ask
from .settings import progress, progress_done
from .transactions import Script

SESSIONS, EVENTS = 5, 10
# Measured: the rows and indexes, the base backup beside them, and the log between two checkpoints.
BYTES_PER_ACCOUNT, LOG_BYTES = 25_000, 5_000_000_000
RUNS, TRANSACTIONS, WARMING = 3, 1_500, 300
_SEED, _OWN = settings.ROOT / "bench/seed", settings.ROOT / "bench/growth"
# The files of bench/sql and of bench/growth; the last three change what the others find.
WORKS = ("sign_in_known", "sign_in_new", "refresh", "session_check", "password_sign_in", "email_code_start", "email_code_finish",
         "totp_finish", "passkey_finish", "search_address", "search_name", "search_number", "search_id", "history", "overview",
         "seal", "deletion", "sweep")
# Transactions of the works that are long.
_FEW = {"seal": 5, "sweep": 3, "overview": 20, "deletion": 100}
_COST = """
    select concat_ws(' ', coalesce(sum(shared_blks_hit + shared_blks_read), 0), coalesce(sum(shared_blks_read), 0),
                     coalesce(sum(wal_bytes), 0), coalesce(sum(total_exec_time), 0) * 1000)
      from pg_stat_statements s join pg_database d on d.oid = s.dbid
     where d.datname = current_database() and query !~ 'pg_(stat|current|get)'
"""
_SIZES = """
    select c.relname || ' ' || pg_table_size(c.oid) || ' ' || pg_indexes_size(c.oid)
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and i.inhrelid is null
    union all
    select p.relname || ' ' || sum(pg_table_size(i.inhrelid)) || ' ' || sum(pg_indexes_size(i.inhrelid))
      from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p' group by p.relname
"""


def parsed(text):
    """Numbers of accounts, the smallest first: 10k, 1M."""
    units = {"k": 1_000, "m": 1_000_000}
    try:
        sizes = sorted({int(part.strip().lower().rstrip("km")) * units.get(part.strip().lower()[-1], 1) for part in text.split(",")})
    except (ValueError, IndexError):
        raise SystemExit(f"SIZES={text} names no sizes: give numbers of accounts, such as SIZES=10k,100k,1M.") from None
    if sizes[0] < 10_000 or sizes[-1] > 10_000_000:
        raise SystemExit("SIZES has to name numbers between 10k and 10M.")
    return sizes


def check_disk(sizes):
    """Says what each size needs; ends the benchmark where the largest one does not fit."""
    free = shutil.disk_usage(settings.POSTGRES_DATA.parent).free
    for accounts in sizes:
        needed = accounts * BYTES_PER_ACCOUNT + LOG_BYTES
        print(f"{accounts:,} accounts need about {needed / 1e9:.0f} GB; {free / 1e9:.0f} GB are free.", flush=True)
        if needed > free:
            raise SystemExit(f"{accounts:,} accounts do not fit: make room, or leave this size out of SIZES.")


class Work(Script):
    """A work's SQL, on seeded accounts all over the tables."""

    def __init__(self, name, accounts):
        folder = _OWN if (_OWN / f"{name}.sql").exists() else settings.ROOT / "bench/sql"
        super().__init__(folder / f"{name}.sql", settings.LARGE_ADMINISTRATOR_URL, people=accounts)
        self.name, self.accounts, self.transactions = name, accounts, _FEW.get(name, TRANSACTIONS)
        self._used = 0

    def cost(self):
        """The median run of a transaction: page accesses, pages read, bytes of the log, index entries, and microseconds in the server."""
        if self.name not in _FEW:
            self.run(WARMING, 1)
        runs = []
        for number in range(RUNS):
            progress(f"{self.accounts:,} accounts: {self.name}, run {number + 1} of {RUNS}")
            # Searches and histories read what the sealer has not moved yet, which takes it a second.
            seal_rest()
            counted = self.counts(self.transactions, 0)
            pages, read, logged, us = (float(value) / self.transactions for value in ask(_COST)[0].split())
            runs.append({"pages": pages, "read": read, "wal": counted["bytes"], "entries": counted["entries"], "wal_with_images": logged, "us": us})
        return {kind: round(sorted(run[kind] for run in runs)[len(runs) // 2], 2) for kind in runs[0]}

    def prepare(self, flows):
        super().prepare(flows)
        ask("select pg_stat_statements_reset()")

    def _end_of_log(self):
        # No commit waits for the disk; this one does, so that the log before it is readable.
        ask("set synchronous_commit = on; select pg_logical_emit_message(true, 'growth', '')")
        return super()._end_of_log()

    def setup(self):
        """Only what names the finishing works' own flows: the accounts are there."""
        path = _OWN / f"{self.name}.setup.sql"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def text(self):
        text = super().text()
        if self.name != "refresh":
            return text
        # Another session each time, which begins at generation 0, in place of one session again and again.
        return (text.replace(":base + :client_id * 1000000000\n", f"6000000000 + permute(:at, {self.accounts * SESSIONS}, 7)\n\\set at :at + 1\n")
                .replace("\\set turn :turn + 1\n", ""))

    def _begin(self, transactions, clients, *options):
        at, self._used = self._used, self._used + transactions
        return super()._begin(transactions, clients, f"--define=at={at}", *options)


def seal_rest():
    """Empties the inbox of the audit log; the seconds."""
    [waiting] = ask("select count(*) from audit_inbox")
    begun = time.monotonic()
    if int(waiting) > 0:
        Script(settings.ROOT / "bench/sql/seal.sql", settings.LARGE_ADMINISTRATOR_URL).run(-(-int(waiting) // 1_000), 1)
    # As automatic vacuum does after 5,000 of them.
    ask("vacuum audit_inbox")
    return time.monotonic() - begun


def migrate():
    """The seconds of `gateway migrate`."""
    begun = time.monotonic()
    done = subprocess.run(
        [os.environ["GROWTH_GATEWAY"], "migrate", "--env-file", settings.FOLDER / "gateway.env"], cwd=settings.FOLDER, capture_output=True, text=True, check=False,
        env={**os.environ, "DATABASE_URL": settings.LARGE_MIGRATE_URL})
    if done.returncode != 0:
        raise SystemExit(f"gateway migrate failed:\n{done.stdout}{done.stderr}")
    return time.monotonic() - begun


def new_database():
    """An empty one with both roles and the schema; the seconds of the migration."""
    for text in ("drop database if exists growth", "create database growth"):
        database.sql(text)
    roles = (settings.ROOT / "deploy/postgres/roles.sql").read_text(encoding="utf-8")
    ask(roles)
    seconds = migrate()
    ask(roles)
    for extension in ("pg_walinspect", "pg_stat_statements"):
        ask(f"create extension if not exists {extension}")
    ask("insert into clients (id, name) values ('app', 'Benchmark')")
    return seconds


def seed(accounts):
    """Fills it set by set; the seconds."""
    begun = time.monotonic()
    events, batches = accounts * EVENTS, max(2, accounts // 50_000)

    def run(name, **variables):
        text = (_SEED / f"{name}.sql").read_text(encoding="utf-8")
        ask("set client_min_messages = warning;\n" + text, accounts=accounts, events=events, **variables)

    run("begin")
    # The ids of bench/sql in place of spread ones.
    ask("create or replace function seed.account(p_number bigint, p_accounts bigint) returns uuid language sql stable as "
        "$$ select lpad(p_number::text, 32, '0')::uuid $$")
    for name, count in (("growth", accounts), ("audit", events)):
        for batch in range(batches):
            progress(f"{accounts:,} accounts: seeding {name}, batch {batch + 1} of {batches}")
            run(name, first=count * batch // batches + 1, last=count * (batch + 1) // batches)
    progress(f"{accounts:,} accounts: indexes")
    run("end")
    return time.monotonic() - begun


def measure(accounts):
    result = {"accounts": accounts, "seconds": {"migration": new_database()}}
    seconds = result["seconds"]
    seconds["seeding"] = seed(accounts)
    seconds["migration, full"] = migrate()
    result["sizes"] = {name: [int(table), int(indexes)] for name, table, indexes in (row.split() for row in ask(_SIZES))
                       if int(table) + int(indexes) > 1_000_000}
    result["database"] = int(ask("select pg_database_size(current_database())")[0])
    result["works"] = {name: Work(name, accounts).cost() for name in WORKS}
    Work("seal", accounts).prepare(50)
    seconds["sealing of 50,000 events"] = seal_rest()
    seconds.update(recovery.upkeep())
    seconds.update(recovery.backup_and_restore())
    return {**result, "seconds": {name: round(value, 1) for name, value in seconds.items()}}


def main():
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(SystemExit(143)))
    sizes = parsed(os.environ["SIZES"])
    check_disk(sizes)
    results = {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
               "command": f"SIZES={os.environ['SIZES']} make bench-growth", "machine": machine.describe(), "versions": machine.versions(),
               "shared_buffers": database.sql("show shared_buffers")[0], "sizes": []}
    target = settings.ROOT / "var/growth.json"
    for accounts in sizes:
        results["sizes"].append(measure(accounts))
        # A size takes long: what is measured stays, whatever happens to the next one.
        target.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    progress_done()
    target.with_suffix(".svg").write_text(chart.ratios(results), encoding="utf-8")
    target.with_suffix(".csv").write_text(growth_report.csv(results), encoding="utf-8")
    print(growth_report.whole(results))
    print("\nWritten to var/growth.json, var/growth.csv and var/growth.svg.")


if __name__ == "__main__":
    main()
