"""What an operator does to a client's users, at the command line: exit status 0 acknowledges a change."""

import itertools

from .people import UNKNOWN
from .record import Call, now

_COUNT = itertools.count(1)


class Operations:
    last = ""       # the words of the newest command that failed

    def command(self, kind, *words):
        """Runs a command; whether it was acknowledged, or None where the outcome is open."""
        begin = now()
        status, output = self.deployment.command("accounts", *words, "--reason", "chaos")
        http = {0: 200, 69: 503}.get(status, 422)
        code = "" if status == 0 else (output.strip().splitlines() or ["?"])[-1][:160]
        self.record.add(Call(begin, now(), kind, f"cli-{next(_COUNT)}", http, code), False)
        self.last = code
        return {0: True, 69: None}.get(status, False)

    def judge(self, done, what):
        if done is False:
            self.record.violate("lost", f"{what}: {self.last}")
        return done

    def end_all(self):
        person = self.person(lambda one: one.open())
        if person:
            person.doubt_all()
            if self.judge(self.command("operator_end_sessions", "end-sessions", person.account, "--yes"),
                          f"an operator could not end the sessions of {person.account}"):
                person.end_all()

    def lock(self):
        """Disables an account, which ends its sessions."""
        person = self.person()
        if person:
            person.status = "unknown"
            person.doubt_all()
            if self.judge(self.command("operator_disable", "disable", person.account, "--yes"),
                          f"an operator could not disable {person.account}"):
                person.status = "disabled"
                person.end_all()

    def erase(self):
        person = self.person()
        if person:
            person.doubt_erasure()
            person.doubt_all()
            if self.judge(self.command("operator_delete", "delete", person.account, "--now", "--yes"),
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
        if self.judge(self.command("operator_join", "merge", kept.account, absorbed.account, "--yes"),
                      f"an operator could not merge {absorbed.account} into {kept.account}"):
            kept.unsure.discard("subjects")
            kept.subjects.update(absorbed.subjects)
            kept.passkeys += absorbed.passkeys
            absorbed.status, absorbed.subjects, absorbed.passkeys = "closed", {}, []
            kept.absorbed.append(absorbed)
            absorbed.end_all()
