"""Three servers in place of one, rehearsed: `make rehearse-sharding`. Every hot function runs on one server that has everything
and on the server of its first argument, which has only its own rows. The answers have to be equal.

`plain`: accounts by their id, identities by their key; who an address, an identity or a passkey belongs to is not known in advance.
`directory`: a table at the server of each such key names the account, and one look-up precedes the function."""

import collections
import os
import re
import subprocess

from . import database, settings
from .layouts import NEEDS_DIRECTORY, PEOPLE, WORKS, Directory, Plain, check_files, filled, keys, made_id, statements, uuid
from .report import table
from .settings import progress, progress_done
from .shards import SHARDS, STATE, Server, comparable, keep_own, shard, state, strangers

_SEED = settings.ROOT / "bench/seed"


class Rehearsal:
    """One layout: the server with everything, and the others."""

    def __init__(self, whole, servers, layout, sessions):
        self.whole, self.servers, self.layout, self._sessions = whole, servers, layout, sessions
        self.differs, self.runs, self.example = collections.Counter(), collections.Counter(), {}
        self.outcomes = collections.defaultdict(set)

    def run(self, work, person, elsewhere=0):
        """A work for a person, on both sides; `elsewhere` takes it to a wrong server."""
        first = WORKS[work][1][0]
        if first == "session":
            place, number = shard(uuid(self._sessions[person])), self._sessions[person]
        elif first == "id":
            place = shard(uuid(person))
            number = made_id(place, person)
            self._set_up(work, number, self.servers[place])
        else:
            place, number = self.layout.made(first, person)
        values = {"person": person, "people": PEOPLE, "number": number, "next": number + 1, "chain": number, "session": number, "turn": 0}
        for index, (text, route) in enumerate(statements(work)):
            target = shard(uuid(person)) if route == "account" else shard(uuid(number)) if route == "id" else place
            self._compare((work, index), filled(text, **values), self.servers[(target + elsewhere) % SHARDS])
        if first == "new identity" and isinstance(self.layout, Directory) and not elsewhere:
            self.layout.note(keys("new identity", person, number), uuid(number))
            self.layout.note(f"pgbench{number}@example.com", uuid(number))
        return values

    def _compare(self, place, text, server):
        expected, found = comparable(self.whole.ask(text)), comparable(server.ask(text))
        if "ERROR:" in expected:
            raise SystemExit(f"{place} failed on one server:\n{expected}")
        self.runs[place] += 1
        self.outcomes[place].add(expected.split("|")[0])
        if expected != found:
            self.differs[place] += 1
            self.example.setdefault(place, f"one server: {expected[:160]}\n      its own: {found[:160]}")

    def repeat(self, values):
        """A provider's token a second time: refused on both sides."""
        [(text, _)] = statements("sign_in_known")
        text, place = filled(text, **values), self.layout.place("identity", values["person"])
        for server in (self.whole, self.servers[place]):
            if "duplicate key" not in "\n".join(server.ask(text)):
                raise SystemExit("A token of a provider signed in twice.")

    def _set_up(self, work, number, server):
        path = settings.ROOT / f"bench/growth/{WORKS[work][0]}.setup.sql"
        text = filled(path.read_text(encoding="utf-8"), base=number - 1, flows=1, people=PEOPLE)
        for each in (self.whole, server):
            each.run(text)


def _seed(url, sessions, midnight):
    """The accounts of `make bench-growth`, each with one session under an id that belongs to the server of its account."""
    for name in ("begin", "growth", "end"):
        database.sql("set client_min_messages = error;\n" + (_SEED / f"{name}.sql").read_text(encoding="utf-8"), url, accounts=PEOPLE, first=1, last=PEOPLE)
        if name == "begin":
            database.sql(f"""insert into clients (id, name) values ('app', 'Rehearsal');
                create or replace function seed.now() returns timestamptz language sql immutable as $$ select timestamptz '{midnight}' $$;
                create or replace function seed.account(p_number bigint, p_accounts bigint) returns uuid language sql stable as
                $$ select lpad(p_number::text, 32, '0')::uuid $$""", url)
    old = {person: 6_000_000_000 + 5 * (person - 1) for person in sessions}
    kept = ", ".join(f"'{uuid(number)}'" for number in old.values())
    database.sql(f"delete from sessions where id not in ({kept});\n" + "\n".join(
        f"update sessions set id = '{uuid(new)}', refresh_digest = sha256(int8send({new})) where id = '{uuid(old[person])}';"
        for person, new in sessions.items()), url)


def _price(url, label, text):
    """The milliseconds of a statement on an open connection: 1,000 times."""
    script = settings.FOLDER / "price.pgbench"
    script.write_text(f"\\set n random(1, {PEOPLE})\n\\set new random(1, 1000000000)\n{text};\n", encoding="utf-8")
    done = subprocess.run(
        [settings.POSTGRES_BIN / "pgbench", "--no-vacuum", "--protocol=prepared", "--transactions=1000", f"--file={script}", url],
        capture_output=True, text=True, check=False)
    latency = re.search(r"latency average = ([0-9.]+) ms", done.stdout)
    if not latency:
        raise SystemExit(f"pgbench failed: {done.stderr.strip()[-300:]}")
    return [label, f"{float(latency[1]):.2f}"]


def _prices(url):
    yield _price(url, "look-up in the directory", "select account_id from directory where key = 'pgbench' || :n || '@example.com'")
    yield _price(url, "claim of a key in the directory, with its commit",
                 "insert into directory values ('new' || :new, lpad(:n::text, 32, '0')::uuid) on conflict do nothing")


def _verdicts(plain, directory):
    rows = []
    for work, (_, routes) in WORKS.items():
        for index, route in enumerate(routes):
            place = (work, index)
            outcomes = " ".join(sorted(word for word in directory.outcomes[place] if re.fullmatch("[a-z_]{3,}", word)))
            rows.append([f"{work}, statement {index + 1}", route, outcomes, f"{plain.differs[place]} of {plain.runs[place]}",
                         f"{directory.differs[place]} of {directory.runs[place]}", "yes" if plain.differs[place] else "no"])
    return table(["statement", "found by", "outcome", "differs, plain", "differs, directory", "second server"], rows)


def _check_state(rehearsal):
    """All rows of the servers together are those of the one server; only budgets may be in several places."""
    spread = 0
    for name in STATE:
        whole, parts = state(rehearsal.whole, name), sorted(row for server in rehearsal.servers for row in state(server, name))
        if name == "throttles":
            spread, parts = len(parts) - len(set(parts)), sorted(set(parts))
        if whole != parts:
            missing, more = set(whole) - set(parts), set(parts) - set(whole)
            raise SystemExit(f"{name} differs: {len(whole)} rows on one server, {len(parts)} on {SHARDS}.\n"
                             f"missing: {sorted(missing)[:3]}\nmore: {sorted(more)[:3]}")
    lost = [row for number, server in enumerate(rehearsal.servers) for row in strangers(server, number)]
    if lost:
        raise SystemExit(f"Rows on the wrong server: {lost[:5]}")
    return spread


def _sabotage(rehearsal):
    """Each work at a wrong server has to be noticed: by another answer, or by rows that are not its own."""
    for work in WORKS:
        before, known = sum(rehearsal.differs.values()), sum(len(strangers(server, number)) for number, server in enumerate(rehearsal.servers))
        for person in range(1, 4):
            rehearsal.run(work, person, elsewhere=1)
        now = sum(len(strangers(server, number)) for number, server in enumerate(rehearsal.servers))
        if sum(rehearsal.differs.values()) == before and now == known:
            raise SystemExit(f"{work} at a wrong server is not noticed: the rehearsal proves nothing.")


def _run_all(rehearsal):
    for work in WORKS:
        progress(f"{rehearsal.layout.name}: {work}")
        for person in range(1, PEOPLE + 1):
            values = rehearsal.run(work, person)
            if work == "sign_in_known" and isinstance(rehearsal.layout, Directory):
                rehearsal.repeat(values)


def _of_database(url, name):
    return url.replace("/plain?", f"/{name}?")


def main():
    check_files()
    urls = os.environ["SHARDING_URLS"].split()
    sessions = {person: made_id(shard(uuid(person)), person) for person in range(1, PEOPLE + 1)}
    [midnight] = database.sql("select date_trunc('day', now())")
    for url in urls:
        progress("seeding")
        _seed(url, sessions, midnight)
        database.sql("create database directory template plain", _of_database(url, "postgres"))
    rehearsals = []
    for name in ("plain", "directory"):
        whole, *servers = [Server(_of_database(url, name)) for url in urls]
        for number, server in enumerate(servers):
            keep_own(server, number, identities_by_key=name == "plain")
        rehearsal = Rehearsal(whole, servers, Directory(servers) if name == "directory" else Plain(), sessions)
        _run_all(rehearsal)
        rehearsals.append(rehearsal)
    plain, directory = rehearsals
    spread = _check_state(directory)
    functions = {name for server in directory.servers for name in server.run("select funcname from pg_stat_user_functions")}
    prices = list(_prices(_of_database(urls[1], "directory")))
    looked = directory.layout.look_ups
    differing = {place: directory.example[place] for place in directory.differs}
    verdicts = _verdicts(plain, directory)
    _sabotage(directory)
    progress_done()
    print(verdicts)
    print()
    print(table(["on an open connection of this machine", "ms"], prices))
    print(f"\n{len(functions)} functions ran on the servers; {looked} look-ups; {spread} budgets stand on more than one server.")
    needed = set(plain.differs)
    if differing or needed != NEEDS_DIRECTORY:
        for place, example in {**{place: plain.example[place] for place in needed ^ NEEDS_DIRECTORY if place in plain.example}, **differing}.items():
            print(f"{place}: {example}")
        raise SystemExit(f"Known to need a second server: {sorted(NEEDS_DIRECTORY)}; found: {sorted(needed)}; with the directory: {sorted(differing)}.")
    print("With the directory no hot function needs a second server.")


main()
