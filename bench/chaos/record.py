"""What the clients saw: each call, each acknowledged change, each spent credential, and what contradicted them."""

import dataclasses
import threading
import time

BEGIN = time.monotonic()


def now():
    """Seconds since the start of the program."""
    return time.monotonic() - BEGIN


@dataclasses.dataclass(frozen=True)
class Call:
    begin: float
    end: float
    kind: str
    request: str
    status: int             # of HTTP, or 0 without an answer
    code: str               # of the refusal, else empty

    @property
    def outcome(self):
        """An answer of 5xx, or none, leaves open whether the change happened."""
        if 200 <= self.status < 400:
            return "done"
        return "refused" if 400 <= self.status < 500 else "unknown"


class Record:
    def __init__(self):
        self.lock = threading.Lock()
        self.calls = []
        self.changes = {}       # of acknowledged changes with an audit row: request to kind
        self.retries = {}       # acknowledged refresh to the unanswered ones before it: one of them may have the row
        self.spent = {}         # credential to the requests that got something for it
        self.successors = {}    # refresh token to the tokens that replaced it
        self.owners = {}        # (provider, subject) to the accounts that answered for it, newest last
        self.violations = []    # (invariant, text)
        self.notes = {}

    def add(self, call, is_change):
        with self.lock:
            self.calls.append(call)
            if is_change and call.outcome == "done":
                self.changes[call.request] = call.kind

    def spend(self, credential, request):
        """Notes an acknowledged use of a credential that works once."""
        with self.lock:
            uses = self.spent.setdefault(credential, [])
            uses.append(request)
            if len(uses) > 1:
                self.violations.append(("spent", f"one credential was accepted by {' and '.join(uses)}"))

    def replace(self, token, successor, request):
        """Notes the answer to a refresh: a retry gets the same successor."""
        with self.lock:
            known = self.successors.setdefault(token, successor)
            if known != successor:
                self.violations.append(("spent", f"{request} got a second successor of a refresh token"))

    def violate(self, invariant, text):
        with self.lock:
            self.violations.append((invariant, f"{text} at {now():.1f} s"))

    def note(self, text):
        with self.lock:
            self.notes[text] = self.notes.get(text, 0) + 1
