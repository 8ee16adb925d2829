"""The works of one request, and the list of all works."""

import json

from . import doors, openid, settings
from .database import make_accounts
from .factors import EmailCodeFinish, EmailCodeStart, PasskeyFinish, TOTPFinish
from .load import Wrk, password_hash
from .settings import progress
from .work import Work, medians


class KnownSignIn(Work):
    name, path, script, has_sql = "sign_in_known", "/v1/sign-in", "post_once.lua", True

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        self.gateway.sign_in(self.simulator.known_people(settings.PEOPLE))

    def feed(self, connections, seconds):
        return self.write(self.simulator.known_people(self.needed(connections, seconds)))


class NewSignIn(Work):
    name, path, script, has_sql, first_guess = "sign_in_new", "/v1/sign-in", "post_once.lua", True, 1_000

    def feed(self, connections, seconds):
        return self.write(self.simulator.new_people(self.needed(connections, seconds)))


class Refresh(Work):
    name, path, script, has_sql = "refresh", "/v1/token/refresh", "refresh.lua", True

    def feed(self, connections, seconds):
        # A few to spare: wrk takes one for a trial, and a lost connection loses one.
        sessions = self.gateway.sign_in(self.simulator.known_people(connections + 8))
        self.write([session["refresh_token"] for session in sessions])


class Session(Work):
    name, path, script = "session", "/v1/session", "get.lua"

    def feed(self, connections, seconds):
        sessions = self.gateway.sign_in(self.simulator.known_people(1_000))
        # The usual case is a session that this server has met.
        self.gateway.look_at(sessions)
        self.write([session["access_token"] for session in sessions])


class Password(Work):
    name, path, script = "password", "/v1/sign-in", "post_again.lua"
    accounts = 128

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        hashes = {}
        for number in range(self.accounts):
            progress(f"password: account {number + 1} of {self.accounts}")
            hashes[f"password{number}@example.com"] = password_hash(self._password(number).encode())
        make_accounts(hashes, gateway.owner_url)

    @staticmethod
    def _password(number):
        return f"correct horse battery staple {number}"

    def feed(self, connections, seconds):
        self.write([
            json.dumps({
                "provider": "password", "client_id": "app",
                "credential": {"username": f"password{number}@example.com", "password": self._password(number)},
            }) for number in range(self.accounts)])

    def beside(self, refresh, connections):
        """Refreshes while passwords are being hashed as fast as they can be: the medians of both."""
        runs = []
        for number in range(settings.RUNS):
            progress(f"password beside refresh: run {number + 1} of {settings.RUNS}")
            self.feed(connections, settings.SECONDS)
            refresh.feed(connections, settings.SECONDS)
            # The passwords start before and end after, so that every refresh runs at the same time.
            passwords = Wrk(self.gateway.url(self.path), self.script, connections, settings.SECONDS + 1, self.lines)
            refreshes = Wrk(refresh.gateway.url(refresh.path), refresh.script, connections, settings.SECONDS, refresh.lines)
            runs.append({"refresh": refreshes.report(), "password": passwords.report()})
        return {name: medians([run[name] for run in runs]) for name in runs[0]}


class LoginPage(Work):
    """The hosted page, asked for by a browser that has never been here."""

    name, path, script = "login_page", "/login?client_id=app", "get.lua"

    def feed(self, connections, seconds):
        # What get.lua sends with nothing to choose from is the bare request.
        self.lines = None


class Callback(Work):
    """Browsers coming back from a provider with a code: from there to the session's cookie."""

    name, path, script, first_guess = "callback_known", "/", "get_once.lua", 300
    people = 100

    def __init__(self, gateway, simulator):
        super().__init__(gateway, simulator)
        progress(f"callback_known: {self.people} people sign in for the first time")
        for line in self._answers(self.people):
            self.gateway.come_back(*line.split("\t"))

    def feed(self, connections, seconds):
        progress("callback_known: browsers are sent to the provider")
        return self.write(self._answers(self.needed(connections, seconds)))

    def _answers(self, count):
        lines = []
        for number in range(count):
            address, cookies = self.gateway.begin("google")
            lines.append(f"{self.simulator.allow(address, f'web{number % self.people}@example.com')}\t{cookies}")
        return lines


ALL = [
    KnownSignIn, NewSignIn, Refresh, Session, Password, LoginPage, Callback, EmailCodeStart, EmailCodeFinish, TOTPFinish,
    PasskeyFinish,
    *doors.ALL, *openid.ALL,
]
