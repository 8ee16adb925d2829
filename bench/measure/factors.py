"""The works of codes and passkeys: what is proved at the end of a sign-in's steps."""

import hashlib
import itertools
import json
import re
import uuid

from . import database, settings
from .authenticator import Authenticator
from .database import sql
from .settings import progress
from .totp import AuthenticatorApp
from .work import Work

_SIGN_IN = "/v1/sign-in"
_CONTINUE = "/v1/sign-in/continue"

# People who are known by a proved address alone.
_MAILBOXES = """
    with people as (
        select number, md5('mailbox ' || number)::uuid as account, 'mailbox' || number || '@example.com' as address
        from generate_series(:first, :last) as number
    ), made as (
        insert into accounts (id) select account from people
    )
    insert into account_emails (account_id, address_key, address, source, proved_at)
    select account, address, address, 'person', now() from people;
    analyze accounts, account_emails;
"""

# People who come by Apple and have an app: each with the secret that the gateway sealed for the first.
_WITH_APPS = """
    create temporary table arriving (subject text);
    copy arriving from stdin;
{subjects}
\\.
    with people as (
        select subject, md5('app ' || subject)::uuid as account, md5('address ' || subject) || '@example.com' as address from arriving
    ), made as (
        insert into accounts (id, mfa) select account, true from people
    ), addresses as (
        insert into account_emails (account_id, address_key, address, source, proved_at)
        select account, address, address, 'apple', now() from people
    ), identities as (
        insert into identities (id, account_id, provider, realm, subject, email, email_verified, linked_by)
        select account, account, 'apple', 'TEAM123456', subject, address, true, 'new_account' from people
    )
    insert into factors (id, account_id, kind, sealed, counter)
    select people.account, people.account, 'totp', first.sealed, 0
    from people, (select sealed from factors where name = 'first' order by added_at desc limit 1) as first;
    analyze accounts, account_emails, identities, factors;
"""


def _body(**members):
    return json.dumps(members, separators=(",", ":"))


class _Mailboxes(Work):
    """A request for a code: each for a mailbox and from an address of its own, since both are counted."""

    taken = itertools.count(1)

    def asked(self, count):
        """Mailboxes of new people, and what each asks for a code with: the body, and where it comes from."""
        numbers = list(itertools.islice(_Mailboxes.taken, count))
        sql(_MAILBOXES, first=numbers[0], last=numbers[-1])
        addresses = [f"mailbox{number}@example.com" for number in numbers]
        bodies = [_body(provider="email_otp", client_id="app", credential={"username": address}) for address in addresses]
        visitors = [f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" for number in numbers]
        return addresses, list(zip(bodies, visitors))

    def codes(self):
        """The codes that were mailed so far, by address; the mails go."""
        codes = {}
        for mail in self.gateway.mails.glob("*.eml"):
            text = mail.read_text(encoding="utf-8")
            address, code = re.search(r"^To: .*?([^\s<]+@[^\s>]+)", text, re.M), re.search(r"^Subject: (\d{6}) ", text, re.M)
            if address and code:
                codes[address[1]] = code[1]
            mail.unlink()
        return codes


class EmailCodeStart(_Mailboxes):
    name, path, script, has_sql, first_guess = "email_code_start", _SIGN_IN, "post_once.lua", True, 500

    def feed(self, connections, seconds):
        self.codes()
        _, asked = self.asked(self.needed(connections, seconds))
        return self.write([f"{visitor}\t{body}" for body, visitor in asked])


class EmailCodeFinish(_Mailboxes):
    name, path, script, has_sql, first_guess = "email_code_finish", _CONTINUE, "post_once.lua", True, 500

    def feed(self, connections, seconds):
        progress("email_code_finish: codes are asked for")
        self.codes()
        addresses, asked = self.asked(self.needed(connections, seconds))
        begun = self.gateway.post_all(_SIGN_IN, [(body, {"X-Forwarded-For": visitor}) for body, visitor in asked])
        codes = self.codes()
        return self.write([
            _body(flow=answer["flow"], response={"code": codes[address]}) for address, answer in zip(addresses, begun)])


class TOTPFinish(Work):
    """Each request is of another person: a code counts once."""

    name, path, script, has_sql, first_guess = "totp_finish", _CONTINUE, "post_once.lua", True, 500

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        [session] = gateway.sign_in(simulator.new_people(1))
        self.app = AuthenticatorApp()
        gateway.enrol(session, "totp", self.app.prove)

    def feed(self, connections, seconds):
        progress("totp_finish: people come as far as their code")
        bodies = self.simulator.new_people(self.needed(connections, seconds))
        sql(_WITH_APPS.format(subjects="\n".join(self.simulator.subject(body) for body in bodies)))
        begun = self.gateway.post_all(_SIGN_IN, [(body, {}) for body in bodies])
        code = self.app.code(1)
        return self.write([_body(flow=answer["flow"], response={"code": code}) for answer in begun])


class PasskeyFinish(Work):
    name, path, script, has_sql, first_guess = "passkey_finish", _CONTINUE, "post_once.lua", True, 500

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        self.authenticator = Authenticator("localhost", gateway.environment["PUBLIC_URL"])
        [session] = gateway.sign_in(simulator.new_people(1))
        gateway.enrol(session, "passkey", lambda step: {"credential": self.authenticator.make(step["passkey"])})
        database.prepare(self.name)

    def feed(self, connections, seconds):
        progress("passkey_finish: challenges are signed")
        begin = _body(provider="passkey", client_id="app", credential={})
        begun = self.gateway.post_all(_SIGN_IN, [(begin, {})] * self.needed(connections, seconds))
        return self.write([
            _body(flow=answer["flow"], response={"credential": self._assertion(number % settings.PEOPLE + 1, answer)})
            for number, answer in enumerate(begun)])

    def _assertion(self, person, answer):
        """Ids as `passkey_finish.setup.sql` makes them."""
        credential = hashlib.sha256(f"passkey {person}".encode()).digest()
        handle = uuid.UUID(f"{person:032}").bytes
        return self.authenticator.sign(answer["next_step"]["passkey"]["challenge"], credential, handle)
