"""Second factors: an app, its recovery codes, codes by mail and text message, and the sign-ins that ask for them."""

import time

from measure.totp import AuthenticatorApp

from .people import App, Box, Device, Spent

_CONTINUE = "/v1/sign-in/continue"
_FACTORS = "/v1/account/factors"
# The gateway allows 20 wrong codes of an account, then one in three minutes.
_WRONG = 8
# The step that asks for a message's code.
BOX_STEPS = {"email": "confirm_sign_in_with_otp", "sms": "confirm_sign_in_with_sms_mfa_code"}


def code_key(app, step):
    """Names the code of a step in the record."""
    return f"code {step} of {app.id}"


def by_message(mails, box, reply):
    """The last answer to a code by mail or text message, and that code; none without a message.

    The first code may be of an earlier sign-in, which went on with another factor.
    """
    answer = code = None
    for _ in range(2):
        code = mails.code(box.address)
        answer = reply({"code": code}) if code else answer
        if code is None or answer.code != "code_wrong":
            break
    return answer, code


class SecondFactors:
    def may_blame(self, answer, what):
        """As `expect`, for an answer to a step. A wrong clock refuses it, and a late change of the account ends its flow."""
        if answer.done or answer.code != "flow_expired" and self.deployment.has_right_clocks():
            return self.expect(answer, what)
        self.record.note(f"{answer.code}: a wrong clock, or a late change")
        return False

    # Sign-in

    def finish(self, person, answer, by, may_remember=True):
        """The session of an answer, after the second factor if it asks for one."""
        if "session" in answer.json:
            return self.begin(person, answer, by)
        if person.app is None:
            self.record.violate("lost", f"{person.account} has no second factor, and is asked for one ({answer.request})")
            return None
        ways = [self._by_code, self._by_code, self._by_recovery_code]
        if person.passkeys and person.is_sure("passkeys"):
            ways.append(self._by_passkey)
        if person.boxes and person.is_sure("boxes"):
            ways += [self._by_box, self._by_box]
        # The device asks to be remembered, under this name.
        device = f"{self.name} {next(self.world.numbers)}" if may_remember and self.random.random() < 0.3 else None
        if done := self.random.choice(ways)(person, answer, device):
            if device:
                person.add(Device(device, done.json["device"]["token"]))
            return self.begin(person, done, by)
        return None

    def _reply(self, kind, flow, response, device=None, **options):
        body = {"flow": flow, "response": response}
        if device:
            body = {"flow": flow, "response": {**response, "remember_device": True}, "device": {"name": device}}
        return self.caller.call(kind, "POST", _CONTINUE, body, **options)

    def _choose(self, answer, factor, kind):
        """The question for a factor, which may be another one than the gateway asks for."""
        if answer.json["next_step"]["type"] == kind:
            return answer
        chosen = self._reply("choose_factor", answer.json["flow"], {"factor": factor})
        return chosen if self.may_blame(chosen, f"the choice of the factor {factor} was refused") else None

    def _by_code(self, person, answer, device):
        app, step = person.app, person.app.fresh()
        if step is None:
            return self._by_recovery_code(person, answer, device)
        asked = self._choose(answer, app.id, "confirm_sign_in_with_totp_code")
        if asked is None:
            return None
        app.sent = step
        done = self._reply("second_factor_app", answer.json["flow"], {"code": app.app.code_of(step)}, device)
        if not self.may_blame(done, f"a code of the app of {person.account} was refused"):
            return None
        app.used = step
        self.record.spend(code_key(app, step), done.request)
        return done

    def _by_recovery_code(self, person, answer, device):
        app = person.app
        if not app.codes:
            return None
        code = app.codes.pop()
        # Until the answer comes.
        app.lost_codes += 1
        done = self._reply("second_factor_recovery_code", answer.json["flow"], {"recovery_code": code}, device)
        if not self.may_blame(done, f"a recovery code of {person.account} was refused"):
            return None
        app.lost_codes -= 1
        app.used_codes.append(code)
        self.record.spend(code, done.request)
        return done

    def _by_box(self, person, answer, device):
        """By a code that is mailed or texted."""
        box = self.random.choice(person.boxes)
        if answer.json["next_step"]["type"] != BOX_STEPS[box.kind]:
            self.mails.forget(box.address)
        asked = self._choose(answer, box.id, BOX_STEPS[box.kind])
        if asked is None:
            return None
        done, code = by_message(self.mails, box, lambda response: self._reply(
            f"second_factor_{box.kind}", answer.json["flow"], response, device))
        if done is None or done.code == "code_wrong":
            self.record.note("second_factor: no message came, or the code of an earlier one")
        elif self.may_blame(done, f"a code by {box.kind} of {person.account} was refused"):
            body = {"flow": answer.json["flow"], "response": {"code": code}}
            self.spend(Spent("replay_second_code", _CONTINUE, body, f"{body['flow']} {code}"), done)
            return done
        return None

    def _by_passkey(self, person, answer, device):
        passkey = self.random.choice(person.passkeys)
        asked = self._choose(answer, "passkey", "confirm_sign_in_with_passkey")
        if asked is None:
            return None
        challenge = asked.json["next_step"]["passkey"]["challenge"]
        credential = passkey.authenticator.sign(challenge, passkey.credential, passkey.handle)
        done = self._reply("second_factor_passkey", answer.json["flow"], {"credential": credential}, device)
        return done if self.may_blame(done, f"a passkey of {person.account} was refused") else None

    # Codes that were used

    def _asked_for_code(self, person):
        """The flow of a sign-in that waits for a code; none if it gets no further."""
        answer = self.caller.call("sign_in_password", "POST", "/v1/sign-in", person.by_password())
        if not self.expect(answer, "a password was refused"):
            return None
        if "session" in answer.json:
            # Reports that the second factor was left out.
            self.begin(person, answer, "password")
            return None
        asked = self._choose(answer, person.app.id, "confirm_sign_in_with_totp_code")
        return asked and answer.json["flow"]

    def _with_app(self):
        return self.person(lambda one: one.app and one.password and one.is_sure("app", "password") and one.app.wrong < _WRONG)

    def replay_second_factor(self):
        """A used code is refused in another sign-in, as is a recovery code that others replaced."""
        person = self._with_app()
        if person is None:
            return
        app = person.app
        used = [(code_key(app, app.used), {"code": app.app.code_of(app.used)})] * 3 if app.is_timely() else []
        used += [(code, {"recovery_code": code}) for code in app.used_codes[-2:]]
        used += [("", {"recovery_code": code}) for code in app.former_codes[-2:]]
        flow = used and self._asked_for_code(person)
        if not flow:
            return
        app.wrong += 1
        key, response = self.random.choice(used)
        answer = self._reply("replay_second_factor", flow, response, changes=False)
        if answer.done and key:
            self.record.spend(key, answer.request)
        elif answer.done:
            self.record.violate("ended", f"a replaced recovery code of {person.account} was accepted ({answer.request})")

    def race_second_factor(self):
        """The same code for two sign-ins, at both gateways at once: one of them may accept it."""
        person = self._with_app()
        step = person and person.app.fresh()
        if step is None:
            return
        app, flows = person.app, [self._asked_for_code(person), self._asked_for_code(person)]
        if not all(flows):
            return
        app.sent, app.wrong = step, app.wrong + 1

        def use(caller):
            body = {"flow": flows.pop(), "response": {"code": app.app.code_of(step)}}
            answer = caller.call("race_second_factor", "POST", _CONTINUE, body)
            if answer.done:
                app.used = step
                self.record.spend(code_key(app, step), answer.request)
                self.begin(person, answer, "password")
        self.at_both(use)

    # Changes

    def enrol(self, person, session, part, request, prove):
        """The answer to the proof of a new factor; none without one. `prove` makes the response to a step."""
        begun = self.caller.call(f"{part}_begin", "POST", _FACTORS, request, bearer=session.access, changes=False)
        if not self.may_blame(begun, f"a factor was refused, {part} of {person.account}"):
            return None
        response = prove(begun.json["next_step"])
        if response is None:
            return None
        body = {"flow": begun.json["flow"], "response": response}
        with person.change(part):
            answer = self.caller.call(f"add_{part}", "POST", f"{_FACTORS}/confirm", body, bearer=session.access)
        return answer if self.may_blame(answer, f"the proof of a factor was refused, {part} of {person.account}") else None

    def remove_factor(self, person, session, part, factor):
        """Whether the removal was acknowledged."""
        with person.change(part):
            answer = self.caller.call(f"remove_{part}", "DELETE", f"{_FACTORS}/{factor}", bearer=session.access)
        return self.expect(answer, f"the removal of a factor was refused, {part} of {person.account}")

    def add_app(self):
        person, session = self.session(lambda one: [] if one.app or not one.is_sure("app") else one.proved())
        if person is None:
            return
        secret, step = AuthenticatorApp(), int(time.time()) // 30

        def prove(question):
            secret.prove(question)
            return {"code": secret.code_of(step), "name": "Phone"}
        if answer := self.enrol(person, session, "app", {"type": "totp"}, prove):
            person.app = App(answer.json["factor"]["id"], secret, step, step, answer.json["recovery_codes"])
            self.record.spend(code_key(person.app, step), answer.request)
            session.is_strong = True

    def remove_app(self):
        """With the last second factor the remembered devices go."""
        person, session = self.session(
            lambda one: one.proved() if one.app and not one.boxes and one.is_sure("app", "boxes") else [])
        if person is None:
            return
        if self.remove_factor(person, session, "app", person.app.id):
            person.removed_factors.append(person.app.id)
            person.app = None
            for device in person.devices:
                device.end()

    def add_box(self):
        """A mailbox or a number, one of each kind."""
        person, session = self.session(lambda one: one.proved() if one.app and one.is_sure("app", "boxes")
                                       and len(one.boxes) < len(BOX_STEPS) else [])
        if person is None:
            return
        kind = self.random.choice([kind for kind in BOX_STEPS if kind not in [box.kind for box in person.boxes]])
        number = next(self.world.numbers)
        request, address = {
            "email": ({"type": "email", "email": f"box-{number}@example.com"}, f"box-{number}@example.com"),
            "sms": ({"type": "sms", "phone": f"+491511{number:07}"}, f"+491511{number:07}")}[kind]

        def prove(_):
            code = self.mails.code(address)
            return code and {"code": code}
        if answer := self.enrol(person, session, "boxes", request, prove):
            person.boxes.append(Box(answer.json["factor"]["id"], kind, address))

    def remove_box(self):
        person, session = self.session(lambda one: one.proved() if one.boxes and one.is_sure("app", "boxes") else [])
        if person is None:
            return
        box = self.random.choice(person.boxes)
        if self.remove_factor(person, session, "boxes", box.id):
            person.boxes.remove(box)
            person.removed_factors.append(box.id)

    def replace_recovery_codes(self):
        person, session = self.session(lambda one: one.proved() if one.app and one.is_sure("app") else [])
        if person is None:
            return
        app = person.app
        former, app.codes, app.has_codes = app.codes, [], False
        answer = self.caller.call("replace_recovery_codes", "POST", _FACTORS, {"type": "recovery_codes"}, bearer=session.access)
        if self.expect(answer, f"new recovery codes were refused, of {person.account}"):
            app.codes, app.former_codes = answer.json["recovery_codes"], app.former_codes + former
            # The used ones are gone, too; so is the mark of their use.
            app.used_codes, app.lost_codes, app.has_codes = [], 0, True
