"""Where each hot statement runs when there are several servers, with a directory of keys and without one."""

import itertools
import re

from . import database, settings
from .shards import SHARDS, shard

PEOPLE = 24
# Each work with its file, and what routes each of its statements: the first argument, or the key that it is found by.
WORKS = {
    "sign_in_known": ("sign_in_known", ["identity"]),
    "sign_in_new": ("sign_in_new", ["new identity"]),
    "sign_in_new, an address of another account": ("sign_in_new", ["new identity, address"]),
    "refresh": ("refresh", ["session"]),
    "session_check": ("session_check", ["session"]),
    "password_sign_in": ("password_sign_in", ["name", "account"]),
    "email_code_start": ("email_code_start", ["code name", "id", "id"]),
    "email_code_finish": ("email_code_finish", ["id", "id"]),
    "totp_finish": ("totp_finish", ["id", "id"]),
    "passkey_finish": ("passkey_finish", ["credential", "account"]),
}
# What needs a second server without the directory.
NEEDS_DIRECTORY = {("sign_in_known", 0), ("sign_in_new, an address of another account", 0), ("password_sign_in", 0), ("email_code_start", 0),
                   ("passkey_finish", 0),
                   # load_flow reads the subject of the flow's identity.
                   ("totp_finish", 0)}


def uuid(number):
    text = f"{number:032}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


_counter = itertools.count(10_000_000_000)


def made_id(server, person):
    """A number whose id belongs to a server. The gateway makes ids, so it can choose them so; a third of all fit."""
    return next(number for number in (PEOPLE * (turn + 1) + person - 1 for turn in _counter) if shard(uuid(number)) == server)


def keys(route, person, number):
    """The key of a route."""
    return {
        "identity": f"apple TEAM123456 001999.pgbench.{person}", "name": f"pgbench{person}@example.com", "code name": f"coded{person}@example.com",
        "new identity": f"apple TEAM123456 001999.pgbench.{number}", "credential": f"passkey {person}", "account": uuid(person),
    }[route]


class Plain:
    """Each function at the server of its key."""

    name = "plain"

    def place(self, route, person):
        if route.startswith("new identity"):
            # The number has to fit the server of the key that it is part of.
            return None
        return shard(keys(route, person, 0))

    def made(self, route, person):
        """The server and the number of a statement's new ids."""
        place = self.place(route, person)
        if place is not None:
            return place, made_id(place, person)
        for server in itertools.cycle(range(SHARDS)):
            number = made_id(server, person)
            if shard(keys("new identity", person, number)) == server:
                return server, number


class Directory(Plain):
    """A look-up at the server of the key, then the function at the server of the account."""

    name = "directory"

    def __init__(self, servers):
        self._servers, self.look_ups = servers, 0
        for server in servers:
            server.run("create table directory (key text collate \"C\" primary key, account_id uuid not null)")
        for person in range(1, PEOPLE + 1):
            for route in ("identity", "name", "code name", "credential"):
                self.note(keys(route, person, 0), uuid(person))

    def note(self, key, account):
        self._servers[shard(key)].run(f"insert into directory values ('{key}', '{account}')")

    def find(self, key):
        self.look_ups += 1
        found = self._servers[shard(key)].run(f"select account_id from directory where key = '{key}'")
        return found[0] if found else None

    def place(self, route, person):
        if route == "new identity":
            return None
        if route == "account":
            return shard(uuid(person))
        # The address leads to its holder, whom the answer names.
        account = self.find(keys("code name" if route.endswith("address") else route, person, 0))
        return shard(account)


def check_files():
    """Every file of bench/sql is a work here, but for the sealer's, which reads no account."""
    files = {path.stem for path in (settings.ROOT / "bench/sql").glob("*.sql") if "." not in path.stem} - {"seal"}
    if missing := files - {file for file, _ in WORKS.values()}:
        raise SystemExit(f"Nothing says where these files of bench/sql run: {', '.join(sorted(missing))}. Add them to measure/layouts.py.")


def statements(work):
    """The SQL of a work, with the variables of pgbench."""
    file, routes = WORKS[work]
    own = settings.ROOT / f"bench/growth/{file}.sql"
    text = database.script(own if own.exists() else settings.ROOT / f"bench/sql/{file}.sql")
    if work.endswith("another account"):
        text = text.replace("'pgbench' || :number || '@example.com'", "'coded' || :person || '@example.com'")
    parts = [part for part in re.split(r";\n", "\n".join(line for line in text.splitlines() if not line.startswith("\\")) + "\n") if part.strip()]
    if len(parts) != len(routes):
        raise SystemExit(f"{file}.sql has {len(parts)} statements and {len(routes)} routes: measure/layouts.py has to say what routes each.")
    return list(zip(parts, routes))


def filled(text, **values):
    return re.sub(r"(?<!:):([a-z_]+)\b", lambda found: str(values[found[1]]), text)
