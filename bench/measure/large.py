"""A database of its own with as many accounts as a large service has: made, filled, and stopped and started again."""

import os
import subprocess
import time

from . import settings
from .database import sql
from .gateway import Gateway
from .settings import progress

_SEED = settings.ROOT / "bench/seed"
_BATCHES = 20


def make(simulator):
    """Migrates and fills it; answers a gateway on it, and the seconds that the filling took."""
    gateway = Gateway(simulator, settings.LARGE_SERVE_URL, settings.LARGE_MIGRATE_URL)
    gateway.migrate()
    ask((settings.ROOT / "deploy/postgres/roles.sql").read_text(encoding="utf-8"))
    # The first start makes the app that sessions are of, and the signing keys.
    gateway.start()
    gateway.stop()
    begun = time.monotonic()
    _run("begin")
    _fill("accounts", settings.ACCOUNTS)
    _fill("audit", settings.EVENTS)
    progress("seeding: indexes")
    _run("end")
    return gateway, time.monotonic() - begun


def ask(text, **variables):
    """Runs SQL there; answers the first column of its rows."""
    return sql(text, settings.LARGE_ADMINISTRATOR_URL, **variables)


def restart():
    """Stops PostgreSQL and starts it again: its buffers are empty then, the system's cache of files is not."""
    owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run(
        [*owner, settings.POSTGRES_BIN / "pg_ctl", "--pgdata", settings.POSTGRES_DATA, "--log", settings.POSTGRES_DATA.parent / "log",
         "--mode", "fast", "--wait", "--silent", "restart"],
        cwd="/", stdin=subprocess.DEVNULL, start_new_session=True, check=True)


def _fill(name, count):
    last = 0
    for batch in range(1, _BATCHES + 1):
        progress(f"seeding: {last:,} of {count:,} rows of {name}")
        first, last = last + 1, count * batch // _BATCHES
        _run(name, first=first, last=last)


def _run(name, **variables):
    text = (_SEED / f"{name}.sql").read_text(encoding="utf-8")
    ask("set client_min_messages = warning;\n" + text, accounts=settings.ACCOUNTS, events=settings.EVENTS, **variables)
