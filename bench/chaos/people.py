"""What a client knows of its users, from acknowledged answers alone."""

import dataclasses
import itertools

from .record import now

OPEN, ENDED, UNKNOWN = "open", "ended", "unknown"


@dataclasses.dataclass
class Session:
    id: str
    access: str
    refresh: str
    by: str                         # how it began: a provider's name, password, email_otp or guest
    began: float = dataclasses.field(default_factory=now)
    refreshed: float = dataclasses.field(default_factory=now)
    generation: int = 0             # acknowledged refreshes
    state: str = OPEN
    ended: float = 0.0
    retry_after: float = 0.0        # a refresh had no answer: no sooner, so that no request of it is still on its way
    unanswered: list = dataclasses.field(default_factory=list)   # requests that sent the present refresh token in vain
    former: str = ""                # the refresh token before the present one

    def end(self):
        if self.state != ENDED:
            self.state, self.ended = ENDED, now()


@dataclasses.dataclass
class Person:
    account: str
    email: str
    password: str = ""
    subjects: dict = dataclasses.field(default_factory=dict)     # identity id to (provider, subject, address)
    sessions: list = dataclasses.field(default_factory=list)
    addresses: set = dataclasses.field(default_factory=set)      # that were added
    name: str = ""                  # the display name that was set
    status: str = "active"          # active, disabled, leaving, closed, gone; unknown after a change without an answer
    is_guest: bool = False
    absorbed: list = dataclasses.field(default_factory=list)     # people whose accounts were merged into this one
    unsure: set = dataclasses.field(default_factory=set)         # of password, name, subjects: a change had no answer

    def open(self):
        return [session for session in self.sessions if session.state == OPEN]

    def proved(self):
        """Sessions that may change sign-in methods: proved here, and not long ago."""
        return [one for one in self.open() if one.by in ("password", "email_otp") and now() - one.began < 540]

    def erase(self):
        """With an account go those that were merged into it."""
        self.status = "gone"
        for person in self.absorbed:
            person.erase()

    def doubt_erasure(self):
        self.status = "unknown"
        for person in self.absorbed:
            person.doubt_erasure()

    def end_all(self, but=None):
        for session in self.sessions:
            if session is not but:
                session.end()

    def doubt_all(self, but=None):
        """A change that may have ended these had no answer."""
        for session in self.open():
            if session is not but:
                session.state = UNKNOWN


@dataclasses.dataclass
class World:
    """The users of all clients."""

    people: list = dataclasses.field(default_factory=list)
    replays: list = dataclasses.field(default_factory=list)      # (kind, path, body) of spent credentials
    numbers: object = dataclasses.field(default_factory=itertools.count)
