"""What a client knows of its users, from acknowledged answers alone."""

import base64
import dataclasses
import itertools
import json
import time

from measure.authenticator import Authenticator
from measure.totp import AuthenticatorApp

from .record import now

OPEN, ENDED, UNKNOWN = "open", "ended", "unknown"
# So long after its start a change without an answer may still happen: a client waits 20 seconds, a gateway hangs for 6.
_LATE = 30


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
    is_strong: bool = False         # two factors were proved

    def __post_init__(self):
        # The middle part of a JWT, padded.
        claims = json.loads(base64.urlsafe_b64decode(self.access.split(".")[1] + "=="))
        self.is_strong = claims.get("acr") == "2"

    def end(self):
        if self.state != ENDED:
            self.state, self.ended = ENDED, now()


@dataclasses.dataclass
class App:
    """An authenticator app, with the recovery codes that came with it."""

    id: str
    app: AuthenticatorApp
    sent: int                       # the newest step of 30 seconds whose code was sent
    used: int                       # the newest one whose code was acknowledged
    codes: list                     # recovery codes that were never sent
    used_codes: list = dataclasses.field(default_factory=list)   # that were acknowledged
    former_codes: list = dataclasses.field(default_factory=list) # that others replaced
    lost_codes: int = 0             # that had no answer
    has_codes: bool = True          # False after a replacement without an answer
    wrong: int = 0                  # used codes that were sent again: the gateway allows 20 wrong ones

    def fresh(self, ahead=0):
        """A step whose code is valid and was never sent; none until the next half minute."""
        present = int(time.time()) // 30
        return next((step for step in range(present + ahead, present + 2) if step > self.sent), None)

    def is_timely(self, ahead=0):
        """Whether the newest acknowledged code would still be valid so many half minutes ahead, if it had not been used."""
        return self.used >= int(time.time()) // 30 + ahead


@dataclasses.dataclass
class Passkey:
    id: str
    authenticator: Authenticator
    credential: bytes
    handle: bytes                   # names the account
    removed: float = 0.0


@dataclasses.dataclass
class Spent:
    """A request with a credential that was acknowledged, and works once."""

    kind: str
    path: str
    body: dict
    credential: str
    is_form: bool = False


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
    unsure: set = dataclasses.field(default_factory=set)         # of password, name, subjects, app, passkeys: no answer
    doubt_until: float = 0.0        # a change may still end every session
    earlier_doubt: float = 0.0      # the same of the changes before the newest one
    app: App = None
    removed_apps: list = dataclasses.field(default_factory=list) # their ids
    passkeys: list = dataclasses.field(default_factory=list)
    removed_passkeys: list = dataclasses.field(default_factory=list)

    def open(self):
        return [session for session in self.sessions if session.state == OPEN]

    def proved(self):
        """Sessions that may change sign-in methods: proved here, not long ago, and twice where there is a second factor."""
        needs_two = self.app or "app" in self.unsure
        return [one for one in self.open() if one.by in ("password", "email_otp", "passkey") and now() - one.began < 540
                and (one.is_strong or not needs_two)]

    def is_sure(self, *names):
        return not self.unsure.intersection(names)

    def erase(self):
        """With an account go those that were merged into it."""
        self.status = "gone"
        for person in self.absorbed:
            person.erase()

    def doubt_erasure(self):
        self.status = "unknown"
        for person in self.absorbed:
            person.doubt_erasure()

    def add(self, session):
        if now() < self.doubt_until:
            session.state = UNKNOWN
        self.sessions.append(session)

    def end_all(self, but=None):
        """The change that ended these was acknowledged, so it won't happen later."""
        self.doubt_until = self.earlier_doubt
        for session in self.sessions:
            if session is not but:
                session.end()

    def doubt_all(self, but=None):
        """A change may end these, and those that begin before it happens."""
        self.earlier_doubt, self.doubt_until = self.doubt_until, now() + _LATE
        for session in self.open():
            if session is not but:
                session.state = UNKNOWN


@dataclasses.dataclass
class World:
    """The users of all clients."""

    people: list = dataclasses.field(default_factory=list)
    replays: list = dataclasses.field(default_factory=list)      # Spent, the newest last
    device_codes: list = dataclasses.field(default_factory=list) # that got a session
    numbers: object = dataclasses.field(default_factory=itertools.count)
