"""What a relying party of OpenID Connect asks for, and an app that proves a key: beside the same work through `/v1`."""

import base64
import hashlib
import itertools
import json
import time
import urllib.parse

from . import doors
from .database import sql
from .p256 import Key, base64url
from .settings import progress

ID, REDIRECT = "party", "https://party.example/callback"
# A pair of RFC 7636, appendix B.
VERIFIER, CHALLENGE = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
AUTHORIZE = "/authorize?" + urllib.parse.urlencode({
    "client_id": ID, "redirect_uri": REDIRECT, "response_type": "code", "scope": doors.SCOPE, "state": "af0ifjsldkj",
    "nonce": "n-0S6_WzA2Mj", "code_challenge": CHALLENGE, "code_challenge_method": "S256"})
TOKEN = "/v1/token"

# A code lives for a minute, and the last one of a run may wait for longer.
_LASTING = """
    update sessions set idle_expires_at = now() + interval '1 hour'
     where browser_id is not null and claimed_at is null and ended_at is null
"""


class Party:
    """A confidential app that keeps its refresh tokens, and the browsers of its users, who are signed in."""

    def __init__(self, gateway, simulator):
        self.gateway = gateway
        secret = gateway.add_client(
            ID, "--confidential", "--provider", "google", "--redirect-uri", REDIRECT, "--refresh-rotation", "relaxed")
        self._headers = f"{doors.FORM};Authorization=Basic {base64.b64encode(f'{ID}:{secret}'.encode()).decode()}"
        progress(f"openid: {doors.USERS} users sign in")
        self.cookies = []
        for number in range(doors.USERS):
            address, cookies = gateway.begin("google")
            self.cookies.append(gateway.come_back(simulator.allow(address, f"party{number}@example.com"), cookies))

    @classmethod
    def of(cls, gateway, simulator):
        """The one of a gateway."""
        if not hasattr(gateway, "party"):
            gateway.party = cls(gateway, simulator)
        return gateway.party

    def codes(self, count):
        """So many codes; the users take turns."""
        requests = [(AUTHORIZE, None, {"Cookie": self.cookies[number % doors.USERS]}) for number in range(count)]
        places = [headers["Location"] for headers, _ in self.gateway.ask_all("GET", requests, (303,))]
        return [urllib.parse.parse_qs(urllib.parse.urlsplit(place).query)["code"][0] for place in places]

    def redemption(self, code):
        return self._line(grant_type="authorization_code", code=code, redirect_uri=REDIRECT, code_verifier=VERIFIER)

    def refresh(self, token):
        return self._line(grant_type="refresh_token", refresh_token=token)

    def _line(self, **members):
        return f"{self._headers}\t{urllib.parse.urlencode(members)}"


class PartyWork(doors.Door):
    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        self.party = Party.of(gateway, simulator)


class Authorize(PartyWork):
    """A browser with a live session is sent to `/authorize`, and leaves with a code."""

    name, path = "openid_authorize", AUTHORIZE

    def feed(self, connections, seconds):
        # The usual session is known to the server. Ends the benchmark where a session gets no code.
        self.party.codes(doors.USERS)
        super().feed(connections, seconds)

    def line(self, number):
        return f"Cookie={self.party.cookies[number]}\t"


class Code(PartyWork):
    """The party redeems a code, and gets the tokens of a session."""

    name, path, script, first_guess = "openid_code", TOKEN, "door_once.lua", 500
    same, signatures = ("door_sign_in",), 1

    def feed(self, connections, seconds):
        progress("openid_code: codes are asked for")
        codes = self.party.codes(self.needed(connections, seconds))
        sql(_LASTING, self.gateway.owner_url)
        return self.write([self.party.redemption(code) for code in codes])


class Refresh(PartyWork):
    name, path = "openid_refresh", TOKEN
    same, signatures = ("door_refresh",), 1

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        lines = [self.party.redemption(code) for code in self.party.codes(doors.USERS)]
        self.tokens = [self.ask(TOKEN, *line.split("\t"))["refresh_token"] for line in lines]

    def line(self, number):
        return self.party.refresh(self.tokens[number])


class ProvedAccount(doors.OwnSession):
    """Like `door_account`, for sessions that are bound to a key (DPoP): each request has a proof of its own."""

    name, path, script, first_guess = "proved_account", "/v1/account", "door_once.lua", 1_000
    same, most = ("door_account",), None

    def __init__(self, gateway, simulator):
        self.key, self.numbers = Key(), itertools.count()
        super().__init__(gateway, simulator)

    def session(self, number):
        proof = self.proof("POST", "/v1/sign-in")
        return self.ask("/v1/sign-in", f"{doors.JSON};DPoP={proof}", doors.own_sign_in(number))["session"]

    def feed(self, connections, seconds):
        tokens = [session["access_token"] for session in self.sessions]
        turns = itertools.islice(itertools.cycle(tokens), self.needed(connections, seconds))
        return self.write([f"Authorization=DPoP {token};DPoP={self.proof('GET', self.path, token)}\t" for token in turns])

    def proof(self, method, path, token=None):
        """RFC 9449, section 4.2."""
        x, y = map(base64url, self.key.point())
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": {"kty": "EC", "crv": "P-256", "x": x, "y": y}}
        claims = {"jti": f"proof {next(self.numbers)}", "htm": method, "htu": self.gateway.environment["PUBLIC_URL"] + path,
                  "iat": int(time.time())}
        if token:
            claims["ath"] = base64url(hashlib.sha256(token.encode()).digest())
        signed = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
        return f"{signed}.{base64url(self.key.sign_flat(signed.encode()))}"


ALL = [Code, Refresh, Authorize, ProvedAccount]
