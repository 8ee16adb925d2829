"""The invariants of second factors, remembered devices, passkeys and device codes."""

import base64
import hashlib

from . import passkeys
from .factors import BOX_STEPS, by_message
from .people import ENDED

_CONTINUE = "/v1/sign-in/continue"
# How many of each are tried at the gateways: of the others the database tells.
_NEWEST = 40


def device_digest(code):
    """What the database has of a device code: the digest of its 32 secret bytes."""
    text = code.removeprefix("dc_")
    return hashlib.sha256(b"device code " + base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))[:32]).hexdigest()


class Methods:
    def _people(self, name):
        """Those whose change of a kind of method was always answered."""
        return [one for one in self.world.people if one.status == "active" and one.is_sure(name)]

    # Lost

    def lost_factors(self):
        found = {row[0]: row[1] for row in self.sql("select id, account_id from factors")}
        unused = self._unused_codes()
        for person in self._people("app"):
            app = person.app
            if app and found.get(app.id) != person.account:
                yield f"the app {app.id} of {person.account} is missing"
            if app and app.has_codes and unused.get(person.account, 0) < len(app.codes):
                yield f"{person.account} has {unused.get(person.account, 0)} recovery codes instead of {len(app.codes)}"
            for box in person.boxes:
                if person.is_sure("boxes") and found.get(box.id) != person.account:
                    yield f"the factor {box.id} by {box.kind} of {person.account} is missing"
            for removed in person.removed_factors:
                if removed in found:
                    yield f"the removal of the factor {removed} of {person.account} is forgotten"

    def _unused_codes(self):
        return {row[0]: int(row[1]) for row in self.sql(
            "select account_id, count(*) from recovery_codes where used_at is null group by account_id")}

    def lost_passkeys(self):
        found = {row[0]: row[1] for row in self.sql("select id, account_id from passkeys")}
        people = self._people("passkeys")
        for person in people:
            for passkey in person.passkeys:
                if found.get(passkey.id) != person.account:
                    yield f"the passkey {passkey.id} of {person.account} is missing"
            for passkey in person.removed_passkeys:
                if passkey.id in found:
                    yield f"the removal of the passkey {passkey.id} of {person.account} is forgotten"
        for person in [one for one in people if one.passkeys][-_NEWEST:]:
            answer, _ = passkeys.sign_in(lambda path, body, _: self.call("POST", path, body), person.passkeys[-1])
            if not answer.done:
                yield f"a passkey of {person.account} is refused: {answer.code}"

    def _with_password(self, test):
        """The newest people with a password who pass a test."""
        found = [one for one in self._people("app") if one.password and one.is_sure("password") and test(one)]
        return found[-_NEWEST:]

    def lost_questions(self):
        """A sign-in by password asks for the app, and accepts its code; without an app it asks for nothing."""
        for person in self._with_password(lambda one: one.app or one.removed_factors):
            yield from self._lost_question(person)

    def _lost_question(self, person):
        answer, app = self.call("POST", "/v1/sign-in", person.by_password()), person.app
        if not answer.done:
            yield f"the password of {person.account} is refused: {answer.code}"
        elif (app is not None) != ("next_step" in answer.json):
            yield f"{person.account} is {'not ' if app else ''}asked for a second factor"
        # The next half minute's code: whether a second use is refused shows for longer.
        elif app and (step := app.fresh(1)) and (flow := self._asked_for_code(app, answer)):
            app.sent = step
            done = self.call("POST", _CONTINUE, {"flow": flow, "response": {"code": app.app.code_of(step)}})
            if done.done:
                app.used = step
            else:
                yield f"a code of the app of {person.account} is refused: {done.code}"

    def _asked_for_code(self, app, answer):
        """The flow that waits for a code of the app; none without one."""
        flow = answer.json.get("flow")
        if flow and answer.json["next_step"]["type"] != "confirm_sign_in_with_totp_code":
            chosen = self.call("POST", _CONTINUE, {"flow": flow, "response": {"factor": app.id}})
            return flow if chosen.done else None
        return flow

    def lost_boxes(self):
        for person in self._with_password(lambda one: one.boxes and one.is_sure("boxes")):
            yield from self._lost_box(person, person.boxes[-1])

    def _lost_box(self, person, box):
        """A code that is mailed or texted now is accepted."""
        answer = self.call("POST", "/v1/sign-in", person.by_password())
        if answer.json.get("next_step", {}).get("type") != BOX_STEPS[box.kind]:
            self.mails.forget(box.address)
            self.call("POST", _CONTINUE, {"flow": answer.json.get("flow", ""), "response": {"factor": box.id}})
        done, _ = by_message(self.mails, box, lambda response: self.call(
            "POST", _CONTINUE, {"flow": answer.json.get("flow", ""), "response": response}))
        if done is None or not done.done:
            yield f"a code by {box.kind} of {person.account} is refused: {done and done.code}"

    def lost_devices(self):
        for person in self._with_password(lambda one: one.remembered()):
            device = person.remembered()[-1]
            answer = self.call("POST", "/v1/sign-in", person.by_password(device={"token": device.token}))
            if "session" not in answer.json:
                yield f"{device.name} of {person.account} is not remembered: {answer.code}"

    # Ended

    def ended_passkeys(self):
        removed = [passkey for person in self.world.people for passkey in person.removed_passkeys]
        for gateway, caller in self.at_gateways():
            def post(path, body, _, caller=caller):
                return self.call("POST", path, body, caller=caller)
            for passkey in removed[-_NEWEST:]:
                if passkeys.sign_in(post, passkey)[0].done:
                    yield f"{gateway} accepts the removed passkey {passkey.id}"

    def ended_devices(self):
        people = self._with_password(lambda one: one.app and any(device.state == ENDED for device in one.devices))
        for gateway, caller in self.at_gateways():
            for person in people:
                device = [one for one in person.devices if one.state == ENDED][-1]
                body = person.by_password(device={"token": device.token})
                if "session" in self.call("POST", "/v1/sign-in", body, caller=caller).json:
                    yield f"{gateway} still remembers {device.name} of {person.account}"

    # Spent

    def spent_codes(self):
        """The database knows of each use; and the newest codes, which are still valid, are sent again."""
        found = {row[0]: int(row[1]) for row in self.sql("select id, counter from factors where kind = 'totp'")}
        unused = self._unused_codes()
        people = [one for one in self._people("app") if one.app]
        for person in people:
            app = person.app
            if found.get(app.id, app.used) < app.used:
                yield f"the use of a code of the app {app.id} is forgotten"
            if app.has_codes and unused.get(person.account, 0) > len(app.codes) + app.lost_codes:
                yield f"the use of a recovery code of {person.account} is forgotten"
        for person in self._with_password(lambda one: one.app and one.app.is_timely()):
            yield from self._spent_code(person)

    def _spent_code(self, person):
        answer = self.call("POST", "/v1/sign-in", person.by_password())
        if flow := answer.done and self._asked_for_code(person.app, answer):
            again = self.call("POST", _CONTINUE, {"flow": flow, "response": {"code": person.app.app.code_of(person.app.used)}})
            if again.done:
                yield f"a used code of the app {person.app.id} is accepted again ({again.request})"

    def spent_device_codes(self):
        found = {row[0] for row in self.sql("select encode(device_digest, 'hex') from device_requests")}
        for code in self.world.device_codes:
            if device_digest(code) in found:
                yield f"the device code {code[:12]} that got a session can get another one"
