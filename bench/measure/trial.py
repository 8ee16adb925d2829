"""Each file of bench/sql and bench/growth a few times, on the data of a gateway: `make test` sees by it that they do their work."""

import re

from . import database, growth, settings
from .large import ask
from .transactions import Script

TRANSACTIONS = 5
# bench/growth/deletion.setup.sql chooses one of a hundred for each transaction.
ACCOUNTS = 100 * TRANSACTIONS
_DONE = "select count(*) from audit_events where outcome = 'done'"
_WAITING = "select count(*) from audit_inbox"
_LINKS = "select count(*) from audit_chain"
_READING = ("session_check", "search_address", "search_name", "search_number", "search_id", "history", "overview")
_REMOVING = ("deletion", "sweep")


class Tried(growth.Work):
    """A work of `make bench-growth`, without pg_stat_statements. It fails where it finds or removes no row."""

    prepare = Script.prepare

    def text(self):
        text = super().text()
        for names, checked in ((_READING, r"select 1 / count(*) from (select \1) found;"), (_REMOVING, r"select 1 / (\1);")):
            if self.name in names:
                text, count = re.subn(r"^select (.*);$", checked, text, flags=re.MULTILINE | re.DOTALL)
                if count != 1:
                    raise SystemExit(f"bench/growth/{self.name}.sql is not one statement.")
        return text


def _count(query, url=settings.ADMINISTRATOR_URL):
    return int(database.sql(query, url)[0])


def _run(script, transactions=TRANSACTIONS, counted=None):
    """Runs a file; `counted` has to grow by one for each transaction."""
    before = _count(counted, script.url) if counted else 0
    script.run(transactions, 1)
    if counted and (done := _count(counted, script.url) - before) < transactions:
        raise SystemExit(f"{script.path.relative_to(settings.ROOT)} did its work in {done} of {transactions} transactions.")


def try_sql():
    database.make_accounts({"trial@example.com": "$argon2id$"})
    for path in sorted((settings.ROOT / "bench/sql").glob("*.sql")):
        if "." not in path.stem and path.stem != "seal":
            _run(Script(path, settings.ADMINISTRATOR_URL), counted=_DONE)
    # The works left events behind. A batch takes them all, and the next one finds none.
    _run(Script(settings.ROOT / "bench/sql/seal.sql", settings.ADMINISTRATOR_URL), 2)
    if _count(_WAITING) != 0:
        raise SystemExit("bench/sql/seal.sql left events behind.")


def try_growth():
    """The rows of bench/seed, and each work on them."""
    growth.seed(ACCOUNTS)
    for name in growth.WORKS:
        # Account 1 has events in each size; some others have none.
        work = Tried(name, 1 if name == "history" else ACCOUNTS)
        if name in _READING + _REMOVING:
            # One call sweeps all that its set-up made.
            _run(work, 1 if name == "sweep" else TRANSACTIONS)
        else:
            _run(work, counted=_LINKS if name == "seal" else _DONE)
    unknown = {path.name.split(".")[0] for path in (settings.ROOT / "bench/growth").glob("*.sql")} - set(growth.WORKS)
    if unknown:
        raise SystemExit(f"No work has these files of bench/growth: {', '.join(sorted(unknown))}.")


def main():
    # A copy of the gateway's database, made before the people of bench/sql take the ids of bench/seed.
    database.sql("create database growth template postgres", settings.ADMINISTRATOR_URL.replace("/postgres?", "/template1?"))
    ask("insert into clients (id, name) values ('app', 'Benchmark') on conflict do nothing")
    try_sql()
    try_growth()


if __name__ == "__main__":
    main()
