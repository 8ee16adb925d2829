"""Second factors: an authenticator app and its recovery codes, and the sign-ins that ask for them."""

import time

from measure.totp import AuthenticatorApp

from .people import App

_CONTINUE = "/v1/sign-in/continue"
_FACTORS = "/v1/account/factors"
# The gateway allows 20 wrong codes of an account, then one in three minutes.
_WRONG = 8


def code_key(app, step):
    """Names the code of a step in the record."""
    return f"code {step} of {app.id}"


class SecondFactors:
    def may_blame(self, answer, what):
        """As `expect`, for an answer to a step. A wrong clock refuses it, and a late change of the account ends its flow."""
        if answer.done or answer.code != "flow_expired" and self.deployment.has_right_clocks():
            return self.expect(answer, what)
        self.record.note(f"{answer.code}: a wrong clock, or a late change")
        return False

    # Sign-in

    def finish(self, person, answer, by):
        """The session of an answer, after the second factor if it asks for one."""
        if "session" in answer.json:
            return self.begin(person, answer, by)
        if person.app is None:
            self.record.violate("lost", f"{person.account} has no second factor, and is asked for one ({answer.request})")
            return None
        ways = [self._by_code, self._by_code, self._by_recovery_code]
        if person.passkeys and person.is_sure("passkeys"):
            ways.append(self._by_passkey)
        if done := self.random.choice(ways)(person, answer):
            return self.begin(person, done, by)
        return None

    def _reply(self, kind, flow, response, **options):
        return self.caller.call(kind, "POST", _CONTINUE, {"flow": flow, "response": response}, **options)

    def _choose(self, answer, factor, kind):
        """The question for a factor, which may be another one than the gateway asks for."""
        if answer.json["next_step"]["type"] == kind:
            return answer
        chosen = self._reply("choose_factor", answer.json["flow"], {"factor": factor})
        return chosen if self.may_blame(chosen, f"the choice of the factor {factor} was refused") else None

    def _by_code(self, person, answer):
        app, step = person.app, person.app.fresh()
        if step is None:
            return self._by_recovery_code(person, answer)
        asked = self._choose(answer, app.id, "confirm_sign_in_with_totp_code")
        if asked is None:
            return None
        app.sent = step
        done = self._reply("second_factor_app", answer.json["flow"], {"code": app.app.code_of(step)})
        if not self.may_blame(done, f"a code of the app of {person.account} was refused"):
            return None
        app.used = step
        self.record.spend(code_key(app, step), done.request)
        return done

    def _by_recovery_code(self, person, answer):
        app = person.app
        if not app.codes:
            return None
        code = app.codes.pop()
        # Until the answer comes.
        app.lost_codes += 1
        done = self._reply("second_factor_recovery_code", answer.json["flow"], {"recovery_code": code})
        if not self.may_blame(done, f"a recovery code of {person.account} was refused"):
            return None
        app.lost_codes -= 1
        app.used_codes.append(code)
        self.record.spend(code, done.request)
        return done

    def _by_passkey(self, person, answer):
        passkey = self.random.choice(person.passkeys)
        asked = self._choose(answer, "passkey", "confirm_sign_in_with_passkey")
        if asked is None:
            return None
        challenge = asked.json["next_step"]["passkey"]["challenge"]
        credential = passkey.authenticator.sign(challenge, passkey.credential, passkey.handle)
        done = self._reply("second_factor_passkey", answer.json["flow"], {"credential": credential})
        return done if self.may_blame(done, f"a passkey of {person.account} was refused") else None

    # Codes that were used

    def _asked_for_code(self, person):
        """The flow of a sign-in that waits for a code; none if it gets no further."""
        credential = {"username": person.email, "password": person.password}
        body = {"provider": "password", "client_id": "app", "credential": credential}
        answer = self.caller.call("sign_in_password", "POST", "/v1/sign-in", body)
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

    def add_app(self):
        person, session = self.session(lambda one: [] if one.app or not one.is_sure("app") else one.proved())
        if person is None:
            return
        begun = self.caller.call("app_begin", "POST", _FACTORS, {"type": "totp"}, bearer=session.access, changes=False)
        if not self.expect(begun, f"an app was refused, of {person.account}"):
            return
        secret, step = AuthenticatorApp(), int(time.time()) // 30
        secret.prove(begun.json["next_step"])
        body = {"flow": begun.json["flow"], "response": {"code": secret.code_of(step), "name": "Phone"}}
        person.unsure.add("app")
        answer = self.caller.call("add_app", "POST", f"{_FACTORS}/confirm", body, bearer=session.access)
        person.unsure.discard("app")
        if self.may_blame(answer, f"the code of a new app was refused, of {person.account}"):
            person.app = App(answer.json["factor"]["id"], secret, step, step, answer.json["recovery_codes"])
            self.record.spend(code_key(person.app, step), answer.request)
            session.is_strong = True

    def remove_app(self):
        person, session = self.session(lambda one: one.proved() if one.app and one.is_sure("app") else [])
        if person is None:
            return
        person.unsure.add("app")
        answer = self.caller.call("remove_app", "DELETE", f"{_FACTORS}/{person.app.id}", bearer=session.access)
        person.unsure.discard("app")
        if self.expect(answer, f"the removal of an app was refused, of {person.account}"):
            person.removed_apps.append(person.app.id)
            person.app = None

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
