"""What operators ask among a million accounts: paths below `/admin/api/v1`, drawn from what was seeded."""

import random
import string
import urllib.parse
import uuid

from . import settings
from .large import ask

# Questions of a kind in a run: other ones each, as far as there are so many.
ASKED = 200
# One account in a hundred has it (seed/begin.sql).
_SHARED_NAME = "Maria Garcia"
# The accounts with the most events and the most sessions.
_BUSY = "select account_id from audit_events where account_id is not null group by 1 order by count(*) desc limit 1"
_MANY_SESSIONS = "select account_id from sessions group by 1 order by count(*) desc limit 1"

_TERMS = {
    "address, whole": "select address_key from account_emails {some}",
    "address, its beginning": "select split_part(address_key, '@', 1) || '@' from account_emails {some}",
    "number, whole": "select phone_key from account_phones {some}",
    "number, its beginning": "select left(phone_key, 8) from account_phones {some}",
    "name, whole": "select display_name from accounts {some} where display_name is not null",
    "name, its beginning": "select left(display_name, 6) from accounts {some} where display_name is not null",
    "last name": "select split_part(display_name, ' ', 2) from accounts {some} where display_name is not null",
    "user name": "select user_name from accounts {some} where user_name is not null",
    "account id": "select id from accounts {some}",
    "identity id": "select id from identities {some}",
    "identity subject": "select subject from identities {some}",
    "session id": "select id from sessions {some}",
}


def _drawn(statement):
    """Rows from all over a table, the same in each run on as many rows."""
    share = min(100, 500 * ASKED / settings.ACCOUNTS)
    rows = ask(statement.format(some=f"tablesample bernoulli ({share}) repeatable (7)"))
    return random.Random(7).sample(rows, min(ASKED, len(rows)))


def _repeated(paths):
    return (paths * -(-ASKED // len(paths)))[:ASKED]


def _search(term, cursor=None):
    return "accounts?" + urllib.parse.urlencode({"q": term, **({"cursor": cursor} if cursor else {})})


def _nobody(number):
    """A term of each form that no account has."""
    return [f"nobody{number}@nowhere.example", f"+999{number:06}", f"zzq{string.ascii_lowercase[number % 26]}", str(uuid.UUID(int=number))][number % 4]


def _page(operator, term, number):
    """The path of a search's page: asked for by the cursors of the pages before it."""
    path = _search(term)
    for _ in range(number - 1):
        cursor = operator.get(path)["next_cursor"]
        if cursor is None:
            break
        path = _search(term, cursor)
    return path


def searches(operator):
    """The questions that have a limit, by what is in hand."""
    asked = {kind: [_search(term) for term in _drawn(statement)] for kind, statement in _TERMS.items()}
    letters = string.ascii_lowercase
    asked["one letter"] = [_search(letter) for letter in letters]
    asked[f"a name that {settings.ACCOUNTS // 100:,} share"] = [_search(_SHARED_NAME), _search("garcia")]
    asked["nothing: the newest"] = [_search("")]
    asked["nobody's"] = [_search(_nobody(number)) for number in range(ASKED)]
    walked = [_SHARED_NAME, "garcia", "", *"abcdefgh", "+49", "+1"]
    for number, name in [(2, "2nd page"), (50, "50th page")]:
        asked[name] = [_page(operator, term, number) for term in walked]
    return {kind: _repeated(paths) for kind, paths in asked.items()}


def records():
    """The questions about one account."""
    ids = _drawn(_TERMS["account id"])
    [busy], [many] = ask(_BUSY), ask(_MANY_SESSIONS)
    asked = {
        "account": [f"accounts/{account}" for account in ids],
        "account with 100 sessions": [f"accounts/{many}"],
        "possibly the same person": [f"accounts/{account}/suggestions" for account in ids],
        "history": [f"accounts/{account}/history" for account in ids],
        f"history of {settings.EVENTS // 250:,} events": [f"accounts/{busy}/history"],
    }
    return {kind: _repeated(paths) for kind, paths in asked.items()}


def reports(operator):
    """The questions about all accounts."""
    [busy] = ask(_BUSY)
    [actor] = ask("select actor_id from audit_events where actor_id is not null limit 1")
    [first, last] = ask("select to_char(t at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') from (select unnest(array[max(at) - interval '9 days', max(at) - interval '8 days']) t from audit_events) t")
    path = "audit"
    for _ in range(49):
        path = f"audit?cursor={operator.get(path)['next_cursor']}"
    asked = {
        "overview, day": ["overview?span=day"], "overview, week": ["overview?span=week"], "overview, month": ["overview?span=month"],
        "providers": ["providers"], "linking of an app": ["clients/app/linking"],
        "audit log": ["audit"], "audit log, 50th page": [path], "audit log, a day": [f"audit?from={first}&to={last}"],
        "audit log, account": [f"audit?account={account}" for account in _drawn(_TERMS["account id"])],
        "audit log, busiest account": [f"audit?account={busy}"],
        "audit log, operator": [f"audit?actor={actor}"], "audit log, action": ["audit?action=account_disabled"],
        "audit log, action on a day": [f"audit?action=account_created&from={first}&to={last}"],
        "audit log, refusals": ["audit?outcome=refused"], "audit log, rare reason": ["audit?reason=nowhere"],
    }
    return {kind: _repeated(paths) for kind, paths in asked.items()}, {"from": first, "to": last}
