"""A work's SQL by itself, a fixed number of times: what a transaction writes to the write-ahead log, and what it takes of the processor."""

import re
import subprocess
import time

from . import database, settings
from .processes import postgres_cpu_us

# Records that put an entry into a leaf of a B-tree, or into another kind of index.
_ENTRIES = ("Btree/INSERT_LEAF", "Btree/INSERT_POST", "Btree/SPLIT_L", "Btree/SPLIT_R", "Gin/INSERT", "Gin/UPDATE_META_PAGE", "Hash/INSERT")
# Each run has numbers of its own, so that ids and digests never meet again.
_STEP = 1_000_000_000_000_000
_base = 500 * _STEP


class Script:
    """A file of SQL like those of bench/sql, against one database. Its set-up runs before each run."""

    def __init__(self, path, url, people=settings.PEOPLE):
        self.path, self.url, self._people = path, url, people
        self._text = settings.FOLDER / f"{path.stem}.transactions"

    def counts(self, transactions=2_000, warming=300):
        """Records, their bytes without page images, and index entries of one transaction; one client, after some that warm up."""
        if warming:
            self.run(warming, 1)
        self.prepare(transactions)
        start = self._end_of_log()
        self._finish(self._begin(transactions, 1))
        records, size, entries = self._written(start, self._end_of_log())
        return {"records": records / transactions, "bytes": size / transactions, "entries": entries / transactions}

    def run(self, transactions, clients):
        """Runs it so many times in each client. Ends the benchmark where one fails. Answers PostgreSQL's processor time in microseconds."""
        self.prepare(transactions)
        with _Spent(self.url) as spent:
            self._finish(self._begin(transactions, clients))
        return spent.us

    def run_beside(self, transactions, clients, other, rate):
        """The same, while one client runs another script so many times a second."""
        self.prepare(transactions)
        with _Spent(self.url) as spent:
            running = other._begin(1_000_000, 1, f"--rate={rate}")
            self._finish(self._begin(transactions, clients))
            running.terminate()
            running.communicate()
        return spent.us

    def prepare(self, flows):
        """What is there before a run; the pages are written out."""
        global _base
        _base += _STEP
        if setup := self.setup():
            database.sql(setup, self.url, base=_base, people=self._people, flows=flows)
        database.sql("checkpoint", self.url)

    def setup(self):
        """The SQL before a run; empty: none."""
        path = self.path.with_suffix(".setup.sql")
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def text(self):
        """The script for pgbench."""
        return database.script(self.path)

    def _begin(self, transactions, clients, *options):
        self._text.write_text(self.text(), encoding="utf-8")
        return subprocess.Popen(
            [settings.POSTGRES_BIN / "pgbench", "--no-vacuum", "--protocol=prepared", f"--client={clients}", "--jobs=1",
             f"--transactions={transactions}", "--define=turn=0", "--define=place=(0,0)", f"--define=base={_base}", f"--define=people={self._people}",
             *options, f"--file={self._text}", self.url],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def _finish(self, running):
        output, errors = running.communicate()
        count = re.search(r"actually processed: ([0-9]+)/([0-9]+)", output)
        if running.returncode != 0 or not count or count[1] != count[2]:
            raise SystemExit(f"pgbench failed on {self.path.name}: {errors.strip()[-500:]}")

    def _end_of_log(self):
        return database.sql("select pg_current_wal_flush_lsn()", self.url)[0]

    def _written(self, start, end):
        kinds = ", ".join(f"'{kind}'" for kind in _ENTRIES)
        row = database.sql(f"""
            select concat_ws(' ', sum(count), sum(record_size),
                             coalesce(sum(count) filter (where "resource_manager/record_type" in ({kinds})), 0))
              from pg_get_wal_stats('{start}', '{end}', true)
        """, self.url)[0]
        return [int(number) for number in row.split()]


class _Spent:
    """PostgreSQL's processor time within a `with`, up to the end of the last of pgbench's connections."""

    def __init__(self, url):
        self._url, self.us = url, 0

    def __enter__(self):
        self._before = postgres_cpu_us()
        return self

    def __exit__(self, *failure):
        while database.sql("select count(*) from pg_stat_activity where application_name = 'pgbench'", self._url)[0] != "0":
            time.sleep(0.01)
        self.us = postgres_cpu_us() - self._before
