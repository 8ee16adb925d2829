"""Remembered devices, which are not asked for the second factor, and sessions that prove it later."""

from .people import OPEN, UNKNOWN
from .record import now


class Devices:
    def _with_device(self, person, device, **options):
        """The answer to a sign-in by password on a device."""
        body = person.by_password(device={"token": device.token})
        return self.caller.call("sign_in_remembered", "POST", "/v1/sign-in", body, **options)

    def sign_in_remembered(self):
        person = self.person(lambda one: one.remembered())
        if person is None:
            return
        device = self.random.choice(person.remembered())
        answer = self._with_device(person, device)
        if self.expect(answer, f"a password was refused on a remembered device of {person.account}"):
            if "session" in answer.json:
                self.begin(person, answer, "password", is_remembered=True)
            else:
                self.record.violate("lost", f"{device.name} of {person.account} is not remembered ({answer.request})")

    def check_ended_device(self):
        """A device that was forgotten is asked for the second factor."""
        person = self.person(lambda one: one.app and one.password and one.is_sure("app", "password") and any(
            device.must_be_over() for device in one.devices))
        if person is None:
            return
        device = self.random.choice([one for one in person.devices if one.must_be_over()])
        answer = self._with_device(person, device, changes=False)
        if "session" in answer.json:
            self.record.violate("ended", f"{device.name} of {person.account} is still remembered ({answer.request})")

    def forget_device(self):
        person = self.person(lambda one: one.remembered() and one.open())
        if person is None:
            return
        session, device = self.random.choice(person.open()), self.random.choice(person.remembered())
        if now() - session.refreshed > 540:
            return
        path = "/v1/account/devices"
        answer = self.caller.call("devices", "GET", path, bearer=session.access, changes=False)
        if not self.expect(answer, f"the devices of {person.account} were refused"):
            return
        found = [one["id"] for one in answer.json["devices"] if one["name"] == device.name]
        if not found:
            self.record.violate("lost", f"{device.name} of {person.account} is missing ({answer.request})")
            return
        device.state = UNKNOWN
        answer = self.caller.call("forget_device", "DELETE", f"{path}/{found[0]}", bearer=session.access)
        if self.expect(answer, f"{device.name} of {person.account} could not be forgotten"):
            device.end()

    def step_up(self):
        """Another session takes the place of one, after its second factor."""
        # After a verified passkey, a step-up asks for both factors again. The load answers with one.
        person, session = self.session(
            lambda one: [session for session in one.open() if session.by != "passkey"] if one.app and one.is_sure("app") else [])
        if person is None or now() - session.refreshed > 540:
            return
        answer = self.caller.call("step_up", "POST", "/v1/session/step-up", {}, bearer=session.access, changes=False)
        if not self.may_blame(answer, f"a step-up of {session.id} was refused"):
            return
        session.state = UNKNOWN
        if self.finish(person, answer, session.by, may_remember=False):
            session.end()
        else:
            session.state = OPEN
