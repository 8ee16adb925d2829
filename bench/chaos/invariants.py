"""The invariants after a run: the clients' record against the database, the gateways and the audit chain."""

import re
import time

from measure.settings import ROOT

from . import settings
from .caller import Caller, NoAnswer
from .machines import until
from .methods import Methods
from .people import ENDED, OPEN
from .record import Record

NAMES = {
    "lost": "nothing acknowledged is lost",
    "ended": "nothing ended is accepted after a second",
    "spent": "nothing is spent twice",
    "owner": "one owner for an identity",
    "audit": "every change is in the audit chain",
    "rules": "the rules of Tests/GatewayTests/Support/Invariants.swift",
}
# How much is asked of the gateways themselves: of everything else the database tells.
_NEWEST = 120
_STATUS = {"active": "active", "disabled": "disabled", "leaving": "active", "closed": "closed"}


class Invariants(Methods):
    """`check(name)` returns texts: what contradicts the invariant."""

    def __init__(self, deployment, record, world):
        self.deployment, self.record, self.world = deployment, record, world
        # Checks need calls of their own, which are no part of the load.
        self.caller = Caller("end", deployment.proxy.address, Record())

    def sql(self, text):
        return self.deployment.cluster.sql(text)

    def check(self, name):
        return getattr(self, name)()

    def call(self, *words, caller=None, **options):
        for _ in range(20):
            try:
                return (caller or self.caller).call("verify", *words, changes=False, **options)
            except NoAnswer:
                time.sleep(0.5)
        raise SystemExit(f"A healthy deployment did not answer {words[:2]}.")

    def lost(self):
        return [*self._lost_accounts(), *self._lost_sessions(), *self._lost_methods(), *self._lost_factors(),
                *self._lost_passkeys(), *self._lost_tokens(), *self._lost_questions()]

    def _lost_accounts(self):
        found = {row[0]: row[1:] for row in self.sql(
            "select id, status, coalesce(display_name, ''), deletion_due_at is not null from accounts")}
        for person in self.world.people:
            status, name, leaves = found.get(person.account, ("gone", "", "f"))
            if person.status == "gone" and status != "gone":
                yield f"account {person.account} was deleted, and is {status}"
            elif person.status in _STATUS and status != _STATUS[person.status]:
                yield f"account {person.account} should be {person.status}, and is {status}"
            elif person.status == "leaving" and leaves != "t":
                yield f"the deletion of {person.account} is forgotten"
            elif person.name and person.status == "active" and "name" not in person.unsure and name != person.name:
                yield f"account {person.account} has the name {name} instead of {person.name}"

    def _lost_sessions(self):
        found = {row[0]: row[1:] for row in self.sql(
            "select id, account_id, generation, ended_at is not null, coalesce(end_reason, '') from sessions")}
        for person in self.world.people:
            for session in person.sessions:
                account, generation, ended, reason = found.get(session.id, ("", "0", "gone", ""))
                if session.state == OPEN and person.status == "active":
                    if account != person.account or ended != "f":
                        yield f"session {session.id} of {person.account}, by {session.by}, was open, and is not: {ended} {reason}"
                    elif int(generation) < session.generation:
                        yield f"session {session.id} is in generation {generation} instead of {session.generation}"
                elif session.state == ENDED and ended == "f":
                    yield f"the end of session {session.id} is forgotten"

    def _lost_methods(self):
        addresses = {tuple(row) for row in self.sql(
            "select account_id, address_key from account_emails where proved_at is not null")}
        identities = {row[0]: row[1] for row in self.sql("select id, account_id from identities")}
        for person in self.world.people:
            if person.status != "active":
                continue
            for address in person.addresses:
                if (person.account, address) not in addresses:
                    yield f"the address {address} of {person.account} is missing"
            if "subjects" not in person.unsure:
                for identity in person.subjects:
                    if identity not in identities:
                        yield f"identity {identity} of {person.account} is missing"

    def _lost_tokens(self):
        """What an app holds still works: refresh tokens, and passwords."""
        for person in self.world.people[-_NEWEST:]:
            if person.status != "active":
                continue
            for session in [one for one in person.open() if not one.unanswered][:1]:
                answer = self.call("POST", "/v1/token/refresh", {"refresh_token": session.refresh})
                if answer.done:
                    session.refresh = answer.json["session"]["refresh_token"]
                    session.generation += 1
                else:
                    yield f"the refresh token of {session.id} is refused: {answer.code}"
            if person.password and "password" not in person.unsure:
                credential = {"username": person.email, "password": person.password}
                answer = self.call("POST", "/v1/sign-in", {"provider": "password", "client_id": "app", "credential": credential})
                if not answer.done:
                    yield f"the password of {person.account} is refused: {answer.code}"

    def ended(self):
        """Asks each gateway itself, with what the app still holds."""
        ended = [session for person in self.world.people for session in person.sessions if session.state == ENDED]
        for gateway in self.deployment.gateways:
            caller = Caller("end", gateway.machine.address, Record())
            for session in ended[-_NEWEST:]:
                for method, path, words in (("GET", "/v1/session", {"bearer": session.access}),
                                            ("POST", "/v1/token/refresh", {"body": {"refresh_token": session.refresh}})):
                    if self.call(method, path, caller=caller, **words).done:
                        yield f"{gateway.machine.name} accepts {path} of the ended session {session.id}"
            yield from self._removed_passkeys(gateway, caller)
            caller.close()

    def spent(self):
        """Sends the newest spent credentials again."""
        for spent in self.world.replays[-_NEWEST:]:
            answer = self.call("POST", spent.path, spent.body, form=spent.is_form)
            if answer.done:
                yield f"a spent credential is accepted again at {spent.path} ({answer.request})"
        yield from self._spent_codes()
        yield from self._spent_device_codes()

    def owner(self):
        for subject, count in self.sql(
                "select subject, count(*) from identities group by provider, realm, subject having count(*) > 1"):
            yield f"{subject} has {count} owners"
        owners = {(row[0], row[1]): row[2] for row in self.sql("select provider, subject, account_id from identities")}
        for person in self.world.people:
            if person.status == "active" and "subjects" not in person.unsure:
                for provider, subject, _ in person.subjects.values():
                    if owners.get((provider, subject), person.account) != person.account:
                        yield f"{provider} {subject} belongs to {owners[provider, subject]} instead of {person.account}"

    def audit(self):
        until(60, lambda: self.sql("select count(*) from audit_inbox") == [["0"]], "A sealed audit log")
        found = {row[0] for row in self.sql(
            "select split_part(request_id, '.', 2) || coalesce('.' || nullif(split_part(request_id, '.', 3), ''), '')"
            " from audit_events where outcome = 'done' and request_id like '%.%'")}
        for request, kind in self.record.changes.items():
            if found.isdisjoint([request, *self.record.retries.get(request, [])]):
                yield f"{kind} ({request}) has no row in the audit log"
        status, output = self.deployment.command("audit", "verify")
        if status != 0:
            yield f"gateway audit verify: {output.strip()[:300]}"

    def rules(self):
        """The rules that the tests apply to a database after any fault."""
        text = (ROOT / "Tests/GatewayTests/Support/Invariants.swift").read_text(encoding="utf-8")
        rules = re.findall(r'Rule\(\s*text: "([^"]+)",\s*query: """(.*?)"""\)', text, re.S)
        if len(rules) < 10:
            yield f"only {len(rules)} rules were found"
        # The rules look up the rows of each session; the log itself has no such indexes.
        self.sql("create index if not exists chaos_session on audit_sealed (session_id);"
                 "create index if not exists chaos_identity on audit_sealed (identity_id); analyze")
        for rule, query in rules:
            [[count]] = self.sql(query)
            if count != "0":
                yield f"{rule}: {count}"
