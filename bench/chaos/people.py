"""What a client knows of its users, from acknowledged answers alone."""

import base64
import contextlib
import dataclasses
import itertools
import json
import time

from measure.authenticator import Authenticator
from measure.totp import AuthenticatorApp

from . import settings
from .record import now

OPEN, ENDED, UNKNOWN = "open", "ended", "unknown"
# So long after its start a change without an answer may still happen: a client waits 20 seconds, a gateway hangs for 6.
_LATE = 30


@dataclasses.dataclass(kw_only=True)
class Lasting:
    """What a change may end."""

    state: str = OPEN
    ended: float = 0.0

    def end(self):
        if self.state != ENDED:
            self.state, self.ended = ENDED, now()

    def must_be_over(self):
        return self.state == ENDED and now() - self.ended > settings.ENDED_SECONDS


@dataclasses.dataclass
class Session(Lasting):
    id: str
    access: str
    refresh: str
    by: str                         # how it began: a provider's name, password, email_otp or guest
    client: str = "app"
    began: float = dataclasses.field(default_factory=now)
    refreshed: float = dataclasses.field(default_factory=now)
    generation: int = 0             # acknowledged refreshes
    retry_after: float = 0.0        # a refresh had no answer: no sooner, so that no request of it is still on its way
    unanswered: list = dataclasses.field(default_factory=list)   # requests that sent the present refresh token in vain
    former: str = ""                # the refresh token before the present one
    is_strong: bool = False         # two factors were proved

    def __post_init__(self):
        # The middle part of a JWT, padded.
        claims = json.loads(base64.urlsafe_b64decode(self.access.split(".")[1] + "=="))
        self.is_strong = claims.get("acr") == "2"

    def refreshing(self):
        """The path, the body, and whether it is a form: devices refresh as RFC 6749 says."""
        if self.client in (settings.DEVICE_CLIENT, settings.FOREIGN_CLIENT):
            return "/v1/token", {"grant_type": "refresh_token", "client_id": self.client, "refresh_token": self.refresh}, True
        return "/v1/token/refresh", {"refresh_token": self.refresh}, False

    @classmethod
    def of(cls, tokens, by, client="app"):
        """The session of an answer, which names the id in one of two ways."""
        return cls(tokens.get("id") or tokens["session_id"], tokens["access_token"], tokens["refresh_token"], by, client)


@dataclasses.dataclass
class Device(Lasting):
    """A remembered device, which is not asked for the second factor."""

    name: str
    token: str


@dataclasses.dataclass
class Key(Lasting):
    """An access key of a back end."""

    id: str
    secret: str


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
class Box:
    """A mailbox or a number that is a second factor, beside the app."""

    id: str
    kind: str                       # email or sms
    address: str


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
class Merge:
    """What a merge moved, for its undo."""

    change: str
    absorbed: object
    subjects: list                  # ids of identities
    passkeys: list


@dataclasses.dataclass
class Person:
    account: str
    email: str
    password: str = ""
    subjects: dict = dataclasses.field(default_factory=dict)     # identity id to (provider, subject, address)
    sessions: list = dataclasses.field(default_factory=list)
    addresses: set = dataclasses.field(default_factory=set)      # that were added
    removed_addresses: set = dataclasses.field(default_factory=set)
    main: str = ""                  # the address that became the main one
    name: str = ""                  # the display name that was set
    status: str = "active"          # active, disabled, leaving, closed, gone; unknown after a change without an answer
    is_guest: bool = False
    absorbed: list = dataclasses.field(default_factory=list)     # people whose accounts were merged into this one
    merge: Merge = None             # the newest one that can be taken back
    unsure: set = dataclasses.field(default_factory=set)         # parts whose change had no answer: password, name, app and so on
    doubt_until: float = 0.0        # a change may still end every session
    earlier_doubt: float = 0.0      # the same of the changes before the newest one
    app: App = None
    boxes: list = dataclasses.field(default_factory=list)
    removed_factors: list = dataclasses.field(default_factory=list)  # ids of apps and boxes
    has_grant: bool | None = None   # the app of another maker has access; False after that was taken back
    devices: list = dataclasses.field(default_factory=list)      # remembered ones
    passkeys: list = dataclasses.field(default_factory=list)
    removed_passkeys: list = dataclasses.field(default_factory=list)

    def open(self):
        """Sessions that may use the account."""
        return [session for session in self.sessions if session.state == OPEN and session.client != settings.FOREIGN_CLIENT]

    def foreign(self):
        """Sessions of an app of another maker."""
        return [session for session in self.sessions if session.state == OPEN and session.client == settings.FOREIGN_CLIENT]

    def proved(self):
        """Sessions that may change sign-in methods: proved here, not long ago, and twice where there is a second factor."""
        needs_two = self.app or "app" in self.unsure
        return [one for one in self.open() if one.by in ("password", "email_otp", "passkey") and now() - one.began < 540
                and (one.is_strong or not needs_two)]

    def is_sure(self, *names):
        return not self.unsure.intersection(names)

    @contextlib.contextmanager
    def change(self, name):
        """A request that changes a part: without an answer, which is an error, the part stays unsure."""
        self.unsure.add(name)
        yield
        self.unsure.discard(name)

    def by_password(self, client="app", **members):
        """The body of a sign-in."""
        credential = {"username": self.email, "password": self.password}
        return {"provider": "password", "client_id": client, "credential": credential, **members}

    def remembered(self):
        """Devices that the next sign-in by password can name."""
        can = self.app and self.password and self.is_sure("app", "password")
        return [one for one in self.devices if one.state == OPEN] if can else []

    def erase(self):
        """With an account go those that were merged into it."""
        self.status = "gone"
        for person in self.absorbed:
            person.erase()

    def doubt_erasure(self):
        self.status = "unknown"
        for person in self.absorbed:
            person.doubt_erasure()

    def add(self, lasting):
        """Keeps a new session or device."""
        if now() < self.doubt_until:
            lasting.state = UNKNOWN
        (self.sessions if isinstance(lasting, Session) else self.devices).append(lasting)

    def end_all(self, but=None, devices=True):
        """The change that ended these was acknowledged, so it won't happen later."""
        self.doubt_until = self.earlier_doubt
        for lasting in [*self.sessions, *(self.devices if devices else ())]:
            if lasting is not but:
                lasting.end()

    def doubt_all(self, but=None, devices=True):
        """A change may end these, and those that begin before it happens."""
        self.earlier_doubt, self.doubt_until = self.doubt_until, now() + _LATE
        for lasting in [*self.sessions, *(self.devices if devices else ())]:
            if lasting is not but and lasting.state == OPEN:
                lasting.state = UNKNOWN


def move(source, target, merge):
    """The identities and passkeys of a merge come to another account, save for those that were removed since."""
    for identity in merge.subjects:
        if identity in source.subjects:
            target.subjects[identity] = source.subjects.pop(identity)
    for passkey in merge.passkeys:
        if passkey in source.passkeys:
            source.passkeys.remove(passkey)
            target.passkeys.append(passkey)


@dataclasses.dataclass
class World:
    """The users of all clients."""

    people: list = dataclasses.field(default_factory=list)
    replays: list = dataclasses.field(default_factory=list)      # Spent, the newest last
    device_codes: list = dataclasses.field(default_factory=list) # that got a session
    keys: list = dataclasses.field(default_factory=list)         # access keys
    cut_off: list = dataclasses.field(default_factory=list)      # sessions of apps that were disabled
    numbers: object = dataclasses.field(default_factory=itertools.count)
