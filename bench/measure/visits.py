"""Users of several gateways on one database: each step of a visit is at the next gateway, and each failure is counted."""

import collections
import http.client
import itertools
import json
import threading
import time

from . import settings
from .processes import Visitor

# Users at once, and the pause of each one between two visits.
USERS, PAUSE = 4, 0.1
PASSWORD = "grey heron over the weir 41"
# What a mail, and the news of an ended session, may take.
PATIENCE = 5


class Failed(Exception):
    """An operation without its expected answer: the visit ends."""


class Count:
    """The operations in one state."""

    def __init__(self):
        self.operations, self.longest, self.failures = 0, 0.0, collections.Counter()


class Load:
    """Users who sign up or come by a provider, refresh, check their session and sign out."""

    def __init__(self, simulator, state, *servers):
        self.simulator, self.state, self.servers = simulator, state, servers
        self.lock, self.busy, self.stops = threading.Lock(), collections.Counter(), threading.Event()
        self.counts, self.bodies, self.visits = collections.defaultdict(Count), [], itertools.count()
        self.users = [threading.Thread(target=User(self, number == 0).run, daemon=True) for number in range(USERS)]
        for user in self.users:
            user.start()

    def use(self, state, *servers):
        """Sends operations to these servers from now on; returns once no other has one."""
        with self.lock:
            self.state, self.servers = state, servers
        while any(count for server, count in self.busy.items() if server not in servers):
            time.sleep(0.01)

    def end(self):
        self.stops.set()
        for user in self.users:
            user.join()

    def provider_body(self):
        with self.lock:
            self.bodies = self.bodies or self.simulator.new_people(500)
            return json.loads(self.bodies.pop())

    def operation(self, turn, run):
        """Runs it at one of the servers, and counts it."""
        with self.lock:
            server, count = self.servers[turn % len(self.servers)], self.counts[self.state]
            self.busy[server] += 1
        begun = time.monotonic()
        try:
            return run(server)
        except Failed as failure:
            count.failures[f"{failure} at the {server.name} program"] += 1
            raise
        finally:
            with self.lock:
                self.busy[server] -= 1
                count.operations += 1
                count.longest = max(count.longest, time.monotonic() - begun)


class User:
    def __init__(self, load, signs_up):
        self.load, self.visit = load, self.sign_up if signs_up else self.come_by_provider
        self.turn, self.visitors = 0, {}

    def run(self):
        while not self.load.stops.wait(PAUSE):
            self.turn = next(self.load.visits)
            try:
                self.visit()
            except Failed:
                continue

    def come_by_provider(self):
        self.live(self.ask("sign-in", "POST", "/v1/sign-in", self.load.provider_body()))

    def sign_up(self):
        email = f"visit{time.monotonic_ns()}@example.com"
        begun = self.ask("sign-up", "POST", "/v1/sign-up", {"client_id": "app", "username": email, "password": PASSWORD})
        answer = {"flow": begun["flow"], "response": {"code": self.load.operation(self.turn, lambda _: mailed_code(email))}}
        self.live(self.ask("confirmation", "POST", "/v1/sign-up/confirm", answer))
        password = {"provider": "password", "client_id": "app", "credential": {"username": email, "password": PASSWORD}}
        self.live(self.ask("password", "POST", "/v1/sign-in", password))

    def live(self, answer):
        """A session to its end, which the next server learns in time."""
        for _ in range(2):
            answer = self.ask("refresh", "POST", "/v1/token/refresh", {"refresh_token": answer["session"]["refresh_token"]})
        bearer = answer["session"]["access_token"]
        self.ask("session check", "GET", "/v1/session", bearer=bearer)
        self.ask("sign-out", "POST", "/v1/sign-out", {"scope": "local"}, bearer, (204,))
        deadline = time.monotonic() + PATIENCE
        while self.ask("ended session", "GET", "/v1/session", None, bearer, (200, 401) if time.monotonic() < deadline else (401,)):
            time.sleep(0.05)

    def ask(self, name, method, path, body=None, bearer=None, expected=(200, 201)):
        """The answer; None where nothing is there, or the session has ended."""
        self.turn += 1
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {bearer}"} if bearer else {})}

        def run(server):
            visitor = self.visitors.setdefault(server, Visitor(server.port))
            try:
                answer, text = visitor.ask(method, path, json.dumps(body) if body else None, headers)
            except (OSError, http.client.HTTPException) as error:
                visitor.close()
                raise Failed(f"{name}: {type(error).__name__}") from error
            if answer.status not in expected:
                raise Failed(f"{name}: {answer.status} {text.decode(errors='replace')[:120]}")
            return json.loads(text) if text and answer.status < 300 else None

        return self.load.operation(self.turn, run)


def mailed_code(email):
    """The six digits at the beginning of the subject; the mail goes."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for mail in (settings.FOLDER / "mails").glob("*.eml"):
            text = mail.read_text(encoding="utf-8")
            if email in text:
                mail.unlink()
                return text.split("\nSubject: ", 1)[1][:6]
        time.sleep(0.02)
    raise Failed("mail: none came")
