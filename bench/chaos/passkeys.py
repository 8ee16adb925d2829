"""Passkeys: a software authenticator registers them, and signs in with them."""

import base64

from measure.authenticator import Authenticator

from . import settings
from .people import Passkey, Spent
from .record import now

_CONTINUE = "/v1/sign-in/continue"
_MOST = 3


def _bytes(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sign_in(post, passkey):
    """A sign-in without a name: the last answer, and what was sent for it.

    `post(path, body, is_last)` sends a request.
    """
    begun = post("/v1/sign-in", {"provider": "passkey", "client_id": "app", "credential": {}}, False)
    if not begun.done:
        return begun, None
    challenge = begun.json["next_step"]["passkey"]["challenge"]
    credential = passkey.authenticator.sign(challenge, passkey.credential, passkey.handle)
    body = {"flow": begun.json["flow"], "response": {"credential": credential}}
    return post(_CONTINUE, body, True), body


class Passkeys:
    def add_passkey(self):
        person, session = self.session(
            lambda one: one.proved() if one.is_sure("passkeys") and len(one.passkeys) < _MOST else [])
        if person is None:
            return
        passkey = Passkey("", None, b"", b"")

        def prove(question):
            options = question["passkey"]
            passkey.authenticator = Authenticator(options["rp"]["id"], settings.PUBLIC_URL)
            made = passkey.authenticator.make(options)
            passkey.credential, passkey.handle = _bytes(made["id"]), _bytes(options["user"]["id"])
            return {"credential": made, "name": "Laptop"}
        if answer := self.enrol(person, session, "passkeys", {"type": "passkey"}, prove):
            passkey.id = answer.json["factor"]["id"]
            person.passkeys.append(passkey)

    def sign_in_passkey(self):
        person = self.person(lambda one: one.passkeys and one.is_sure("passkeys"))
        if person is None:
            return
        answer, body = sign_in(self._post("sign_in_passkey"), self.random.choice(person.passkeys))
        if self.may_blame(answer, f"a passkey was refused, of {person.account}"):
            self.spend(Spent("replay_passkey", _CONTINUE, body, body["flow"]), answer)
            self.begin(person, answer, "passkey")

    def _post(self, kind, **options):
        return lambda path, body, is_last: self.caller.call(kind if is_last else "passkey_question", "POST", path, body, **options)

    @staticmethod
    def _may_remove(person):
        """Not the last sign-in method, which a merged account may not tell."""
        return person.passkeys and person.is_sure("passkeys") and not person.absorbed

    def remove_passkey(self):
        person, session = self.session(lambda one: one.proved() if self._may_remove(one) else [])
        if person is None:
            return
        passkey = self.random.choice(person.passkeys)
        if self.remove_factor(person, session, "passkeys", passkey.id):
            passkey.removed = now()
            person.passkeys.remove(passkey)
            person.removed_passkeys.append(passkey)

    def check_removed_passkey(self):
        """A removed passkey signs nobody in a second after the acknowledgement."""
        removed = [passkey for person in self.people for passkey in person.removed_passkeys
                   if now() - passkey.removed > settings.ENDED_SECONDS]
        if removed:
            passkey = self.random.choice(removed[-20:])
            answer, _ = sign_in(self._post("removed_passkey", changes=False), passkey)
            if answer.done:
                self.record.violate("ended", f"the passkey {passkey.id} was accepted after its removal ({answer.request})")
