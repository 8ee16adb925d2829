"""Each file of bench/sql a few times, on the data of a gateway: `make test` sees by it that they do their work."""

from . import database, settings
from .transactions import Script

TRANSACTIONS = 5
_DONE = "select count(*) from audit_events where outcome = 'done'"
_WAITING = "select count(*) from audit_inbox"


def _count(query):
    return int(database.sql(query)[0])


def main():
    database.make_accounts({"trial@example.com": "$argon2id$"})
    paths = sorted(path for path in (settings.ROOT / "bench/sql").glob("*.sql") if "." not in path.stem and path.stem != "seal")
    for path in paths:
        before = _count(_DONE)
        Script(path, settings.ADMINISTRATOR_URL).run(TRANSACTIONS, 1)
        if _count(_DONE) - before < TRANSACTIONS:
            raise SystemExit(f"bench/sql/{path.name} did its work in {_count(_DONE) - before} of {TRANSACTIONS} transactions.")
    # The works left events behind. A batch takes them all, and the next one finds none.
    Script(settings.ROOT / "bench/sql/seal.sql", settings.ADMINISTRATOR_URL).run(2, 1)
    if _count(_WAITING) != 0:
        raise SystemExit("bench/sql/seal.sql left events behind.")


main()
