"""A client: it changes its own users at random, and keeps what was acknowledged."""

import random
import threading
import time
import traceback
import urllib.parse

from . import settings
from .addresses import Addresses
from .browsers import Browsers
from .caller import Caller, NoAnswer
from .devices import Devices
from .factors import SecondFactors
from .operator import Operations
from .passkeys import Passkeys
from .people import OPEN, UNKNOWN, Person, Session, Spent
from .record import now

_PASSWORD = "grey heron over the weir"
# Longer than a request is on its way: the deadline of the gateway, and the longest hang.
_RETRY_SECONDS = 10


class Client(Operations, Addresses, Devices, SecondFactors, Passkeys, Browsers):
    def __init__(self, number, deployment, record, world, mails):
        self.name, self.deployment, self.record, self.world, self.mails = f"c{number}", deployment, record, world, mails
        self.random = random.Random(f"{settings.SEED} {self.name}")
        self.caller = Caller(self.name, deployment.proxy.address, record)
        self.stops, self.people = threading.Event(), []
        self.thread = threading.Thread(target=self.run, daemon=True)
        works = {
            self.check: 20, self.refresh: 30, self.check_ended: 14, self.known_provider: 9, self.new_provider: 5,
            self.sign_up: 3, self.sign_up_by_code: 3, self.sign_in_password: 3, self.sign_in_code: 4, self.guest: 3,
            self.sign_out: 7, self.sign_out_everywhere: 1, self.end_session: 3, self.link: 5, self.unlink: 3,
            self.change_password: 2, self.change_profile: 5, self.add_address: 2, self.browser: 4, self.replay: 7,
            self.race: 2, self.leave: 0.4, self.join: 0.3, self.lock: 0.3, self.erase: 0.2, self.end_all: 0.3,
            self.add_app: 2, self.remove_app: 0.4, self.replace_recovery_codes: 0.6, self.replay_second_factor: 2,
            self.race_second_factor: 2, self.add_passkey: 3, self.remove_passkey: 0.7, self.sign_in_passkey: 5,
            self.check_removed_passkey: 2, self.device: 4, self.revoke_grant: 0.4, self.reset_password: 1.5, self.change_address: 1.5, self.stay: 0.4,
            self.unlock: 0.3, self.part: 0.2, self.renew_key: 0.2, self.check_ended_key: 0.5, self.close_app: 0.2, self.add_box: 2.5, self.remove_box: 0.6,
            self.sign_in_remembered: 3, self.forget_device: 0.6, self.check_ended_device: 2, self.step_up: 2,
        }
        self.works, self.weights = list(works), list(works.values())

    def run(self):
        while not self.stops.is_set():
            if settings.RATE:
                time.sleep(1 / settings.RATE)
            try:
                self.random.choices(self.works, self.weights)[0]()
            except (NoAnswer, OSError):
                # A user waits before the next try.
                time.sleep(self.random.uniform(0.1, 0.4))
            except Exception as error:
                # A client that ends unnoticed would make the load lighter.
                place = traceback.extract_tb(error.__traceback__)[-1]
                self.record.violate("lost", f"{self.name} did not understand an answer: {error!r} in {place.name}")

    # Users

    def person(self, test=lambda person: True):
        found = [one for one in self.people if one.status == "active" and test(one)]
        return self.random.choice(found) if found else None

    def session(self, of=Person.open):
        person = self.person(of)
        return (person, self.random.choice(of(person))) if person else (None, None)

    def fresh_address(self):
        return f"{self.name}-{next(self.world.numbers)}@example.com"

    def add(self, person):
        self.people.append(person)
        self.world.people.append(person)
        # The load stays that of a few users for each client.
        if len(self.people) > 60:
            self.people.pop(0)

    def expect(self, answer, what):
        """A refusal here contradicts an earlier acknowledgement."""
        if not answer.done and answer.status != 429:
            self.record.violate("lost", f"{what}: {answer.status} {answer.code} ({answer.request})")
        return answer.done

    def mailed(self, kind, path, body, address, bearer=None):
        """A reply with the code that a request had sent; none without a message."""
        self.mails.forget(address)
        begun = self.caller.call(kind, "POST", path, body, bearer=bearer, changes=False)
        code = begun.done and self.mails.code(address)
        return {"flow": begun.json["flow"], "response": {"code": code}} if code else None

    def begin(self, person, answer, by, is_remembered=False):
        """The session of a sign-in."""
        session = Session.of(answer.json["session"], by)
        person.add(session)
        if person.app and person.is_sure("app") and not session.is_strong and not is_remembered:
            self.record.violate("lost", f"{person.account} was not asked for its second factor ({answer.request})")
        account = answer.json.get("account", {}).get("id", person.account)
        if account != person.account:
            self.record.violate("owner", f"{person.email} came to {account} instead of {person.account} ({answer.request})")
        return session

    def make(self, answer, address, by, **members):
        person = Person(answer.json["account"]["id"], address, **members)
        self.begin(person, answer, by)
        self.add(person)
        return person

    # Sign-in and sign-up

    def token(self, provider, subject, address, kind="token"):
        """The body of a sign-in, from the simulator; its credential works once."""
        query = urllib.parse.urlencode({"app": "app", "subject": subject, "email": address,
                                        **({"flow": "code"} if kind == "code" else {})})
        return self.deployment.simulator.sign_in(provider, query)

    def new_provider(self):
        provider, address = self.random.choice(("google", "acme", "apple")), self.fresh_address()
        subject = f"001999.{address.split('@')[0]}" if provider == "apple" else str(self.random.getrandbits(62))
        kind = "code" if provider == "google" and self.random.random() < 0.3 else "token"
        body = self.token(provider, subject, address, kind)
        answer = self.caller.call("sign_up_provider", "POST", "/v1/sign-in", body)
        if answer.done and "account" in answer.json:
            self.spend_provider(body, answer)
            person = self.make(answer, address, provider)
            person.subjects[answer.json["identity"]["id"]] = (provider, subject, address)

    def known_provider(self):
        person = self.person(lambda one: one.subjects and one.is_sure("subjects", "app"))
        if person is None:
            return self.new_provider()
        provider, subject, address = self.random.choice(list(person.subjects.values()))
        body = self.token(provider, subject, address)
        answer = self.caller.call("sign_in_provider", "POST", "/v1/sign-in", body)
        if self.expect(answer, "a known identity was refused"):
            self.spend_provider(body, answer)
            self.finish(person, answer, provider)
        return None

    def spend(self, spent, answer):
        self.record.spend(spent.credential, answer.request)
        self.world.replays.append(spent)

    def spend_provider(self, body, answer):
        credential = body["credential"]
        secret = credential.get("id_token") or credential["authorization_code"]
        self.spend(Spent("replay_provider", "/v1/sign-in", body, secret), answer)

    def sign_up(self, password=_PASSWORD):
        address = self.fresh_address()
        body = {"client_id": "app", "username": address, **({"password": password} if password else {})}
        body = self.mailed("sign_up_begin", "/v1/sign-up", body, address)
        if body is None:
            return
        answer = self.caller.call("sign_up", "POST", "/v1/sign-up/confirm", body)
        if answer.done:
            self.spend_flow("/v1/sign-up/confirm", body, answer)
            self.make(answer, address, "password" if password else "email_otp", password=password or "")
        else:
            self.record.note(f"sign_up: {answer.code}")

    def sign_up_by_code(self):
        self.sign_up(password=None)

    def sign_in_password(self):
        person = self.person(lambda one: one.password and one.is_sure("password", "app"))
        if person is None:
            return self.sign_up()
        return self.sign_in(person)

    def sign_in(self, person):
        """The session of a sign-in by password; none if it gets no further."""
        answer = self.caller.call("sign_in_password", "POST", "/v1/sign-in", person.by_password())
        return self.finish(person, answer, "password") if self.expect(answer, "a password was refused") else None

    def sign_in_code(self):
        person = self.person(lambda one: not one.is_guest and not one.subjects and one.is_sure("app"))
        if person is None:
            return self.sign_up_by_code()
        body = {"provider": "email_otp", "client_id": "app", "credential": {"username": person.email}}
        if body := self.mailed("code_begin", "/v1/sign-in", body, person.email):
            answer = self.caller.call("sign_in_code", "POST", "/v1/sign-in/continue", body)
            if answer.done:
                self.spend_flow("/v1/sign-in/continue", body, answer)
                self.finish(person, answer, "email_otp")
            else:
                self.record.note(f"sign_in_code: {answer.code}")
        return None

    def spend_flow(self, path, body, answer):
        # The flow may go on to a second factor.
        self.spend(Spent("replay_code", path, body, f"{body['flow']} {body['response']['code']}"), answer)

    def guest(self):
        answer = self.caller.call("guest", "POST", "/v1/sign-in", {"provider": "guest", "client_id": "app"})
        if answer.done:
            self.make(answer, "", "guest", is_guest=True)

    # Sessions

    def check(self):
        person, session = self.session()
        if session and now() - session.refreshed < 540:
            answer = self.caller.call("check", "GET", "/v1/session", bearer=session.access, changes=False)
            if self.expect(answer, f"an open session was refused, of {person.account}, {session.id}") and \
                    answer.json["account"]["id"] != person.account:
                self.record.violate("owner", f"{session.id} belongs to {answer.json['account']['id']}")

    def check_ended(self):
        """An ended session is refused a second after the acknowledgement, whichever gateway answers."""
        sessions = [*self.world.cut_off[-5:], *(session for person in self.people for session in person.sessions)]
        ended = [session for session in sessions if session.must_be_over()]
        if not ended:
            return
        session = self.random.choice(ended[-40:])
        if self.random.random() < 0.5:
            answer = self.caller.call("check_ended", "GET", "/v1/session", bearer=session.access, changes=False)
        else:
            path, body, is_form = session.refreshing()
            answer = self.caller.call("refresh_ended", "POST", path, body, form=is_form, changes=False)
        if answer.done:
            self.record.violate(
                "ended", f"{session.id} was accepted {now() - session.ended:.1f} s after its end ({answer.request})")

    def refresh(self):
        person, session = self.session(lambda one: [
            session for session in one.sessions if session.state == OPEN and session.retry_after < now()])
        if session:
            self.refresh_session(person, session)

    def refresh_session(self, person, session):
        session.retry_after = now() + 1_000
        try:
            path, body, is_form = session.refreshing()
            answer = self.caller.call("refresh", "POST", path, body, form=is_form)
        except NoAnswer as lost:
            session.unanswered.append(lost.request)
            session.retry_after = now() + _RETRY_SECONDS
            raise
        session.retry_after = 0
        if answer.done:
            tokens = answer.json.get("session", answer.json)
            self.record.replace(session.refresh, tokens["refresh_token"], answer.request)
            self.record.retries[answer.request] = session.unanswered
            session.former, session.refresh, session.access = session.refresh, tokens["refresh_token"], tokens["access_token"]
            session.generation, session.refreshed, session.unanswered = session.generation + 1, now(), []
        elif answer.code == "refresh_token_reused" and len(session.unanswered) > 2:
            # docs/openapi.yaml: late retries in two generations in a row are allowed.
            self.record.note("a session ended after more than two refreshes without an answer")
            session.end()
        elif answer.status != 429:
            self.expect(answer, f"an open session's refresh was refused, of {person.account}, {session.id}")
            session.end()

    def sign_out(self, everywhere=False):
        person, session = self.session()
        if session is None or now() - session.refreshed > 540:
            return
        session.state = UNKNOWN
        if everywhere:
            person.doubt_all()
            answer = self.caller.call("sign_out_everywhere", "POST", "/v1/sign-out", {"scope": "global"}, bearer=session.access)
        elif not session.unanswered and self.random.random() < 0.3:
            form = {"client_id": session.client, "token": session.refresh}
            answer = self.caller.call("revoke_token", "POST", "/v1/token/revoke", form, form=True)
        else:
            answer = self.caller.call("sign_out", "POST", "/v1/sign-out", {}, bearer=session.access)
        if self.expect(answer, f"a sign-out was refused, of {session.id}"):
            session.end()
            if everywhere:
                person.end_all()

    def sign_out_everywhere(self):
        self.sign_out(everywhere=True)

    def end_session(self):
        person = self.person(lambda one: len(one.open()) > 1)
        if person is None:
            return
        asking, other = self.random.sample(person.open(), 2)
        if now() - asking.refreshed > 540:
            return
        other.state = UNKNOWN
        answer = self.caller.call("end_session", "DELETE", f"/v1/account/sessions/{other.id}", bearer=asking.access)
        if self.expect(answer, f"the end of a session was refused, of {other.id}"):
            other.end()

    # The account

    def link(self):
        person, session = self.session(Person.proved)
        if session is None or "subjects" in person.unsure or len(person.subjects) > 3:
            return
        subject, address = str(self.random.getrandbits(62)), self.fresh_address()
        body = self.token("acme", subject, address)
        person.unsure.add("subjects")
        answer = self.caller.call(
            "link", "POST", "/v1/account/identities", {"provider": "acme", "credential": body["credential"]}, bearer=session.access)
        person.unsure.discard("subjects")
        if self.expect(answer, f"a link was refused, to {person.account}"):
            self.spend_provider(body, answer)
            person.subjects[answer.json["identity"]["id"]] = ("acme", subject, address)

    def unlink(self):
        person, session = self.session(lambda one: one.subjects and "subjects" not in one.unsure and Person.proved(one))
        if session is None:
            return
        identity = self.random.choice(list(person.subjects))
        provider = person.subjects[identity][0]
        person.unsure.add("subjects")
        # Sessions that began with it end; those of another identity of the same provider stay.
        began = [one for one in person.open() if one.by == provider and one is not session]
        for one in began:
            one.state = UNKNOWN
        answer = self.caller.call("unlink", "DELETE", f"/v1/account/identities/{identity}", bearer=session.access)
        if self.expect(answer, f"an unlink was refused, of {person.account}"):
            person.unsure.discard("subjects")
            person.subjects.pop(identity)

    def change_password(self):
        person, session = self.session(lambda one: one.password and "password" not in one.unsure and Person.proved(one))
        if session is None:
            return
        password = f"{_PASSWORD} {self.random.getrandbits(40):x}"
        person.unsure.add("password")
        person.doubt_all(but=session)
        body = {"current_password": person.password, "new_password": password}
        answer = self.caller.call("change_password", "POST", "/v1/password/change", body, bearer=session.access)
        if self.expect(answer, f"a change of password was refused, of {person.account}"):
            person.unsure.discard("password")
            person.password = password
            person.end_all(but=session)

    def reset_password(self):
        """Another password by a mailed code, which ends the other sessions once the second factor is proved, too."""
        person = self.person(lambda one: one.password and one.is_sure("password", "app"))
        reply = person and self.mailed(
            "reset_begin", "/v1/password/forgot", {"client_id": "app", "username": person.email}, person.email)
        if not reply:
            return
        password = reply["response"]["new_password"] = f"{_PASSWORD} {self.random.getrandbits(40):x}"
        with person.change("password"):
            person.doubt_all()
            answer = self.caller.call("reset_password", "POST", "/v1/password/reset", reply)
            if not answer.done:
                # The code of an earlier mail that came late.
                self.record.note(f"reset_password: {answer.code}")
                return
            self.spend_flow("/v1/password/reset", reply, answer)
            session = self.finish(person, answer, "password", may_remember=False)
            if session:
                person.password = password
                person.end_all(but=session)
                # The present change ended it not, and is no longer on its way.
                session.state = UNKNOWN if now() < person.doubt_until else OPEN

    def change_profile(self):
        person, session = self.session()
        if session is None or "name" in person.unsure or now() - session.refreshed > 540:
            return
        name = f"Name {self.random.getrandbits(40):x}"
        person.unsure.add("name")
        answer = self.caller.call("change_profile", "PATCH", "/v1/account", {"display_name": name}, bearer=session.access)
        if self.expect(answer, f"a change of profile was refused, of {person.account}"):
            person.unsure.discard("name")
            person.name = name

    def leave(self):
        """Asks for the deletion of the account, which happens in some days."""
        person, session = self.session(Person.proved)
        if session is None:
            return
        person.status = "unknown"
        person.doubt_all()
        answer = self.caller.call("leave", "DELETE", "/v1/account", bearer=session.access)
        if self.expect(answer, f"a deletion was refused, of {person.account}"):
            person.status = "leaving"
            person.end_all()

    def stay(self):
        """Signs in to an account whose deletion waits, and takes the deletion back."""
        leaving = [one for one in self.people if one.status == "leaving" and one.password and one.is_sure("password", "app")]
        person = self.random.choice(leaving) if leaving else None
        session = person and self.sign_in(person)
        if session:
            person.status = "unknown"
            answer = self.caller.call("cancel_deletion", "DELETE", "/v1/account/deletion", bearer=session.access)
            if self.expect(answer, f"a deletion could not be taken back, of {person.account}"):
                person.status = "active"

    # Credentials that are spent

    def replay(self):
        if self.world.replays:
            spent = self.random.choice(self.world.replays[-300:])
            answer = self.caller.call(spent.kind, "POST", spent.path, spent.body, form=spent.is_form, changes=False)
            if answer.done:
                self.record.spend(spent.credential, answer.request)

    def race(self):
        """The same credential at both gateways at once: one of them may accept it."""
        person = self.person(lambda one: one.subjects and one.is_sure("subjects", "app"))
        if person is None:
            return
        provider, subject, address = self.random.choice(list(person.subjects.values()))
        body = self.token(provider, subject, address)

        def use(caller):
            answer = caller.call("race", "POST", "/v1/sign-in", body)
            if answer.done:
                self.spend_provider(body, answer)
                if "session" in answer.json:
                    self.begin(person, answer, provider)
        self.at_both(use)

    def at_both(self, use):
        """Does something with a connection to each gateway, at once."""
        def alone(gateway):
            caller = Caller(f"{self.name}.r{next(self.world.numbers)}", gateway.machine.address, self.record)
            try:
                use(caller)
            except NoAnswer:
                pass
            finally:
                caller.close()
        threads = [threading.Thread(target=alone, args=(gateway,)) for gateway in self.deployment.gateways]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
