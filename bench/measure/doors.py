"""The same work through `/v1` and through the doors of other vendors' APIs, for one app that keeps its refresh tokens.

It asks for ES256: without it `/v1` would sign ID tokens with RS256, and its works were no measure of what another door adds.
"""

import json
import urllib.parse

from . import settings
from .database import make_accounts
from .load import password_hash
from .settings import progress
from .work import Work

APP, POOL_CLIENT, POOL = "doors", "4bench", "eu-central-1_Bench0001"
TENANT, APPLICATION = "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0", "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f1"
PASSWORD = "correct horse battery staple"
SCOPE = "openid profile email phone"
USERS = 128
FORM = "Content-Type=application/x-www-form-urlencoded"
JSON = "Content-Type=application/json"


def _cognito(operation):
    return f"Content-Type=application/x-amz-json-1.1;X-Amz-Target=AWSCognitoIdentityProviderService.{operation}"


def _user(number):
    return f"door{number}@example.com"


def prepare(gateway):
    """Makes the app with both dialects and its users, once."""
    if getattr(gateway, "has_doors", False):
        return
    dialects = {
        "cognito": {"pool_id": POOL, "client_id": POOL_CLIENT},
        "native_auth": {"tenant_id": TENANT, "application_id": APPLICATION},
    }
    gateway.add_client(
        APP, "--provider", "password", "--provider", "apple", "--refresh-rotation", "relaxed", "--dialects",
        json.dumps(dialects), "--openid", json.dumps({"id_token_algorithm": "ES256"}))
    hashed = password_hash(PASSWORD.encode())
    progress(f"doors: {USERS} accounts")
    make_accounts({_user(number): hashed for number in range(USERS)}, gateway.owner_url)
    gateway.has_doors = True


class Door(Work):
    """A work through one door."""

    script = "door.lua"

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        prepare(gateway)

    def feed(self, connections, seconds):
        self.write([self.line(number) for number in range(USERS)])

    def line(self, number):
        raise NotImplementedError

    def ask(self, path, headers, body):
        """The answer to one request."""
        named = dict(pair.split("=", 1) for pair in headers.split(";"))
        [answer] = self.gateway.post_all(path, [(body, named)])
        return answer


def own_sign_in(number):
    """With an ID token, which the other doors always issue."""
    credential = {"username": _user(number), "password": PASSWORD}
    return json.dumps({"provider": "password", "client_id": APP, "credential": credential, "scope": SCOPE})


def _pool_sign_in(number):
    parameters = {"USERNAME": _user(number), "PASSWORD": PASSWORD}
    return json.dumps({"AuthFlow": "USER_PASSWORD_AUTH", "ClientId": POOL_CLIENT, "AuthParameters": parameters})


class OwnSignIn(Door):
    """Like `sign_in_known`, with an ID token."""

    name, path, script = "door_sign_in", "/v1/sign-in", "door_once.lua"

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        self.gateway.sign_in(self._bodies(settings.PEOPLE))

    def feed(self, connections, seconds):
        return self.write([f"{JSON}\t{body}" for body in self._bodies(self.needed(connections, seconds))])

    def _bodies(self, count):
        return [json.dumps({**json.loads(body), "client_id": APP, "scope": SCOPE}) for body in self.simulator.known_people(count)]


class OwnPassword(Door):
    name, path = "door_password", "/v1/sign-in"

    def line(self, number):
        return f"{JSON}\t{own_sign_in(number)}"


class CognitoPassword(Door):
    name, path, same = "cognito_password", "/", ("door_password",)

    def line(self, number):
        return f"{_cognito('InitiateAuth')}\t{_pool_sign_in(number)}"


class Signed(Door):
    """A work of signed-in users, whose sessions begin once."""

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        progress(f"{self.name}: {USERS} sign-ins")
        self.sessions = [self.session(number) for number in range(USERS)]


class OwnSession(Signed):
    def session(self, number):
        return self.ask("/v1/sign-in", JSON, own_sign_in(number))["session"]


class PoolSession(Signed):
    def session(self, number):
        return self.ask("/", _cognito("InitiateAuth"), _pool_sign_in(number))["AuthenticationResult"]


class OwnRefresh(OwnSession):
    name, path = "door_refresh", "/v1/token/refresh"

    def line(self, number):
        return f"{JSON}\t{json.dumps({'refresh_token': self.sessions[number]['refresh_token']})}"


class CognitoRefresh(PoolSession):
    name, path, same = "cognito_refresh", "/", ("door_refresh",)

    def line(self, number):
        body = {"AuthFlow": "REFRESH_TOKEN_AUTH", "ClientId": POOL_CLIENT,
                "AuthParameters": {"REFRESH_TOKEN": self.sessions[number]["RefreshToken"]}}
        return f"{_cognito('InitiateAuth')}\t{json.dumps(body)}"


class NativeRefresh(Signed):
    name, path, same = "native_refresh", f"/{TENANT}/oauth2/v2.0/token", ("door_refresh",)

    def session(self, number):
        first = {"client_id": APPLICATION, "username": _user(number), "challenge_type": "password oob redirect"}
        token = self._form("initiate", first)["continuation_token"]
        asked = {"client_id": APPLICATION, "continuation_token": token, "challenge_type": "password oob redirect"}
        token = self._form("challenge", asked)["continuation_token"]
        return self._form("token", {
            "client_id": APPLICATION, "continuation_token": token, "grant_type": "password", "password": PASSWORD,
            "scope": "openid offline_access"})

    def line(self, number):
        body = {"client_id": APPLICATION, "grant_type": "refresh_token", "scope": "openid offline_access",
                "refresh_token": self.sessions[number]["refresh_token"]}
        return f"{FORM}\t{urllib.parse.urlencode(body)}"

    def _form(self, call, members):
        return self.ask(f"/{TENANT}/oauth2/v2.0/{call}", FORM, urllib.parse.urlencode(members))


class OwnAccount(OwnSession):
    name, path = "door_account", "/v1/account"

    def line(self, number):
        return f"Authorization=Bearer {self.sessions[number]['access_token']}\t"


class OwnFactors(OwnAccount):
    name, path = "door_factors", "/v1/account/factors"


class CognitoAccount(PoolSession):
    """`GetUser` answers the account and its factors, two calls of `/v1`."""

    name, path, same = "cognito_account", "/", ("door_account", "door_factors")

    def line(self, number):
        return f"{_cognito('GetUser')}\t{json.dumps({'AccessToken': self.sessions[number]['AccessToken']})}"


ALL = [
    OwnSignIn, OwnPassword, CognitoPassword, OwnRefresh, CognitoRefresh, NativeRefresh, OwnAccount, OwnFactors,
    CognitoAccount,
]
