"""What an operator does, at the command line, where exit status 0 acknowledges a change, or with an access key at the API."""

import itertools
import json
import time

from .people import UNKNOWN, Key, Merge, Session, move
from .record import Call, now

_COUNT = itertools.count(1)
_API = "/admin/api/v1"


class Operations:
    last = ""       # the words of the newest refusal

    def command(self, kind, *words):
        """Runs a command; its JSON if it was acknowledged, False if it was refused, None where the outcome is open."""
        begin, request = now(), f"cli-{next(_COUNT)}"
        status, output = self.deployment.command(*words, "--reason", f"chaos {request}", "--json")
        http = {0: 200, 69: 503}.get(status, 422)
        code = "" if status == 0 else (output.strip().splitlines() or ["?"])[-1][:160]
        self.record.add(Call(begin, now(), kind, request, http, code), True)
        self.last = code
        if status == 0:
            return json.loads(output.splitlines()[0])
        return None if status == 69 else False

    def operate(self, kind, words, method, path, **body):
        """The same for a change that the API offers, too. It raises NoAnswer where the outcome is open."""
        if self.random.random() < 0.3:
            return self.command(kind, *words)
        answer = self.with_key(self.deployment.key, kind, method, path, {**body, "reason": "chaos"})
        self.last = f"{answer.status} {answer.code} ({answer.request})"
        return answer.done

    def with_key(self, secret, kind, method, path, body=None, **options):
        return self.caller.call(kind, method, f"{_API}/{path}", body, bearer=secret, **options)

    def learned(self, call):
        """The answer once a gateway has learned of a new key or app, which takes seconds, and longer during a fault."""
        for _ in range(200):
            answer = call()
            if answer.code not in ("client_unknown", "access_key_invalid"):
                break
            time.sleep(0.3)
        return answer

    def judge(self, done, what):
        if done is False:
            self.record.violate("lost", f"{what}: {self.last}")
        return done

    def end_all(self):
        person = self.person(lambda one: one.open())
        if person:
            person.doubt_all()
            if self.judge(self.operate("operator_end_sessions", ("accounts", "end-sessions", person.account, "--yes"),
                                       "DELETE", f"accounts/{person.account}/sessions"),
                          f"an operator could not end the sessions of {person.account}"):
                person.end_all()

    def lock(self):
        """Disables an account, which ends its sessions."""
        person = self.person()
        if person:
            person.status = "unknown"
            person.doubt_all()
            if self.judge(self.operate("operator_disable", ("accounts", "disable", person.account, "--yes"),
                                       "POST", f"accounts/{person.account}/disable"),
                          f"an operator could not disable {person.account}"):
                person.status = "disabled"
                person.end_all()

    def unlock(self):
        disabled = [one for one in self.people if one.status == "disabled"]
        if disabled:
            person = self.random.choice(disabled)
            person.status = "unknown"
            if self.judge(self.operate("operator_enable", ("accounts", "enable", person.account),
                                       "POST", f"accounts/{person.account}/enable"),
                          f"an operator could not enable {person.account}"):
                person.status = "active"

    def erase(self):
        person = self.person()
        if person:
            person.doubt_erasure()
            person.doubt_all()
            if self.judge(self.operate("operator_delete", ("accounts", "delete", person.account, "--now", "--yes"),
                                       "DELETE", f"accounts/{person.account}", now=True),
                          f"an operator could not delete {person.account}"):
                person.erase()
                person.end_all()

    def join(self):
        """Merges two accounts: the identities and passkeys of the second move to the first, and its sessions end."""
        fit = [one for one in self.people
               if one.status == "active" and one.subjects and not one.unsure and not one.password and not one.app]
        if len(fit) < 2:
            return
        kept, absorbed = self.random.sample(fit, 2)
        absorbed.status = "unknown"
        absorbed.doubt_all()
        kept.unsure.add("subjects")
        done = self.judge(self.command("operator_join", "accounts", "merge", kept.account, absorbed.account, "--yes"),
                          f"an operator could not merge {absorbed.account} into {kept.account}")
        if done:
            kept.unsure.discard("subjects")
            kept.merge = Merge(done["change"], absorbed, list(absorbed.subjects), list(absorbed.passkeys))
            move(absorbed, kept, kept.merge)
            absorbed.status = "closed"
            kept.absorbed.append(absorbed)
            absorbed.end_all()

    def part(self):
        """Takes a merge back, which ends every session of the account that was kept."""
        kept = self.person(lambda one: one.merge and one.is_sure("subjects", "passkeys"))
        if kept is None:
            return
        merge, kept.merge = kept.merge, None
        merge.absorbed.status = "unknown"
        kept.doubt_all()
        kept.unsure |= {"subjects", "passkeys"}
        done = self.operate("operator_part", ("accounts", "undo", merge.change), "POST", f"changes/{merge.change}/undo")
        if done is None:
            return
        kept.unsure -= {"subjects", "passkeys"}
        merge.absorbed.status = "active" if done else "closed"
        if done:
            move(kept, merge.absorbed, merge)
            kept.absorbed.remove(merge.absorbed)
            kept.end_all()
        else:
            # One of the accounts has changed since.
            self.record.note(f"operator_part: {self.last.split(' (')[0]}")

    # Access keys and apps

    def renew_key(self):
        """Issues an access key, and revokes some again."""
        made = self.judge(self.command("issue_key", "clients", "issue-key", "app", "--role", "support"), "no key was issued")
        if not made:
            return
        key = Key(made["id"], made["key"])
        self.world.keys.append(key)
        self.expect(self.learned(lambda: self.with_key(key.secret, "key", "GET", "me", changes=False)),
                    f"the access key {key.id} was refused")
        if self.random.random() < 0.6:
            key.state = UNKNOWN
            if self.judge(self.command("revoke_key", "clients", "revoke-key", "app", key.id, "--yes"),
                          f"the access key {key.id} could not be revoked"):
                key.end()

    def check_ended_key(self):
        revoked = [key for key in self.world.keys if key.must_be_over()]
        if revoked:
            key = self.random.choice(revoked)
            answer = self.with_key(key.secret, "revoked_key", "GET", "me", changes=False)
            if answer.done:
                self.record.violate("ended", f"the revoked access key {key.id} was accepted ({answer.request})")

    def close_app(self):
        """Makes an app, and disables it with the session of a user."""
        person = self.person(lambda one: one.password and not one.app and one.is_sure("password", "app"))
        app = f"app-{next(self.world.numbers)}"
        if person is None or not self.judge(
                self.command("create_app", "clients", "create", app, "--provider", "password"), f"{app} could not be made"):
            return
        answer = self.learned(lambda: self.caller.call("sign_in_at_app", "POST", "/v1/sign-in", person.by_password(app)))
        if self.expect(answer, f"a password was refused at {app}") and "session" in answer.json:
            session = Session.of(answer.json["session"], "password", app)
            if self.judge(self.command("disable_app", "clients", "change", app, "--disable-use", "--yes"),
                          f"{app} could not be disabled"):
                session.end()
                self.world.cut_off.append(session)
