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
# What each of them is made of; without an entry it is one check.
_PARTS = {
    "lost": ("lost_accounts", "lost_sessions", "lost_methods", "lost_factors", "lost_passkeys", "lost_tokens", "lost_questions",
             "lost_boxes", "lost_devices", "lost_keys", "lost_grants", "lost_events"),
    "ended": ("ended_sessions", "ended_passkeys", "ended_devices", "ended_keys"),
    "spent": ("spent_credentials", "spent_codes", "spent_device_codes"),
}
# How much is asked of the gateways themselves: of everything else the database tells.
_NEWEST = 120
_STATUS = {"active": "active", "disabled": "disabled", "leaving": "active", "closed": "closed"}


class Invariants(Methods):
    """`check(names)` returns texts: what contradicts invariants, or parts of them."""

    def __init__(self, deployment, record, world, mails):
        self.deployment, self.record, self.world, self.mails = deployment, record, world, mails
        # Checks need calls of their own, which are no part of the load.
        self.caller = Caller("end", deployment.proxy.address, Record())

    def sql(self, text):
        return self.deployment.cluster.sql(text)

    def check(self, *names):
        return [text for name in names for part in _PARTS.get(name, (name,)) for text in getattr(self, part)()]

    def at_gateways(self):
        """The name of each gateway, and a connection to it alone."""
        for gateway in self.deployment.gateways:
            yield gateway.machine.name, Caller("end", gateway.machine.address, Record())

    def call(self, *words, caller=None, **options):
        for _ in range(20):
            try:
                return (caller or self.caller).call("verify", *words, changes=False, **options)
            except NoAnswer:
                time.sleep(0.5)
        raise SystemExit(f"A healthy deployment did not answer {words[:2]}.")

    def lost_accounts(self):
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

    def lost_sessions(self):
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

    def lost_methods(self):
        addresses = {(account, address): main for account, address, main in self.sql(
            "select account_id, address_key, is_main from account_emails where proved_at is not null")}
        identities = {row[0]: row[1] for row in self.sql("select id, account_id from identities")}
        for person in self.world.people:
            if person.status != "active":
                continue
            if "addresses" not in person.unsure:
                yield from self._lost_addresses(person, addresses)
            if "subjects" not in person.unsure:
                for identity in person.subjects:
                    if identity not in identities:
                        yield f"identity {identity} of {person.account} is missing"

    @staticmethod
    def _lost_addresses(person, found):
        for address in person.addresses:
            if (person.account, address) not in found:
                yield f"the address {address} of {person.account} is missing"
        for address in person.removed_addresses:
            if (person.account, address) in found:
                yield f"the removal of the address {address} of {person.account} is forgotten"
        if person.main and found.get((person.account, person.main)) != "t":
            yield f"{person.main} is not the main address of {person.account}"

    def lost_keys(self):
        """Keys that were issued work, and the operator's program has one of them."""
        for key in self.world.keys[-_NEWEST:]:
            if key.state == OPEN and not self.call("GET", "/admin/api/v1/me", bearer=key.secret).done:
                yield f"the access key {key.id} is refused"

    def lost_grants(self):
        found = {row[0] for row in self.sql(f"select account_id from app_grants where client_id = '{settings.FOREIGN_CLIENT}'")}
        for person in self.world.people:
            if person.status == "active" and person.is_sure("grant") and person.has_grant is not None \
                    and person.has_grant != (person.account in found):
                yield f"the access of an app to {person.account} should be {person.has_grant}"

    def lost_events(self):
        """Each event of an acknowledged change was delivered, at least once."""
        until(120, lambda: self.sql("select count(*) from audit_inbox") == [["0"]] and self.sql(
            "select count(*) from event_deliveries where state = 'waiting'") == [["0"]], "The delivery of all events")
        people = self.world.people
        events = [("account.created", person.account) for person in people]
        events += [("account.deleted", person.account) for person in people if person.status == "gone"]
        events += [("session.created", session.id) for person in people for session in person.sessions]
        for kind, name in events:
            if (kind, name) not in self.deployment.receiver.taken:
                yield f"{kind} of {name} was never delivered"

    def lost_tokens(self):
        """What an app holds still works: refresh tokens, and passwords."""
        for person in self.world.people[-_NEWEST:]:
            if person.status != "active":
                continue
            for session in [one for one in [*person.foreign(), *person.open()] if not one.unanswered][:1]:
                path, body, is_form = session.refreshing()
                answer = self.call("POST", path, body, form=is_form)
                if answer.done:
                    session.refresh = answer.json.get("session", answer.json)["refresh_token"]
                    session.generation += 1
                else:
                    yield f"the refresh token of {session.id} is refused: {answer.code}"
            if person.password and "password" not in person.unsure:
                answer = self.call("POST", "/v1/sign-in", person.by_password())
                if not answer.done:
                    yield f"the password of {person.account} is refused: {answer.code}"

    def ended_sessions(self):
        """Asks each gateway itself, with what the app still holds."""
        ended = [session for person in self.world.people for session in person.sessions if session.state == ENDED]
        ended = [*ended[-_NEWEST:], *self.world.cut_off]
        for gateway, caller in self.at_gateways():
            for session in ended:
                refresh, body, is_form = session.refreshing()
                for method, path, words in (("GET", "/v1/session", {"bearer": session.access}),
                                            ("POST", refresh, {"body": body, "form": is_form})):
                    if self.call(method, path, caller=caller, **words).done:
                        yield f"{gateway} accepts {path} of the ended session {session.id}"

    def ended_keys(self):
        for gateway, caller in self.at_gateways():
            for key in self.world.keys:
                if key.state == ENDED and self.call("GET", "/admin/api/v1/me", bearer=key.secret, caller=caller).done:
                    yield f"{gateway} accepts the revoked access key {key.id}"

    def spent_credentials(self):
        """Sends the newest spent credentials again."""
        for spent in self.world.replays[-_NEWEST:]:
            answer = self.call("POST", spent.path, spent.body, form=spent.is_form)
            if answer.done:
                yield f"a spent credential is accepted again at {spent.path} ({answer.request})"

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
            " from audit_events where outcome = 'done' and request_id like '%.%'"
            " union select substr(words, 7) from audit_events where outcome = 'done' and words like 'chaos cli-%'")}
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
