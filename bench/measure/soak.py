"""A long run at a steady rate: `make soak`. Prints the gateway's resident memory each minute and judges whether it is flat.

The caches of sessions are bounded and take most of an hour to fill at that rate, so they are filled first, as fast as it goes.

SOAK_MINUTES (60) and SOAK_RATE (requests a second, 100) change what is done. Ends with 1 where memory grows, or where a
request fails.
"""

import http.client
import itertools
import json
import os
import random
import signal
import statistics
import threading
import time

from . import database, settings
from .gateway import Gateway
from .simulator import Simulator

MINUTES = int(os.environ.get("SOAK_MINUTES", "60"))
RATE = int(os.environ.get("SOAK_RATE", "100"))
THREADS = 8
# What memory may grow by from the middle of the run to its end: noise, and pages that the allocator has not given back.
TOLERANCE = 0.02
# Sign-ins that are made at once.
BATCH = 2_000
# How long filling the caches may take.
FILLING_SECONDS = 900


class Load:
    """Everything that leaves something in memory: sign-ins, sessions, refreshes, refusals, pages, addresses, keys."""

    def __init__(self, gateway, simulator):
        self.gateway, self.simulator = gateway, simulator
        self.sessions, self.bodies, self.lock = [], [], threading.Lock()
        self.count, self.failures = itertools.count(), {}
        self.stops = threading.Event()
        self.answered = 0

    def body(self):
        with self.lock:
            if not self.bodies:
                self.bodies = self.simulator.new_people(BATCH)
            return self.bodies.pop()

    def run(self):
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        return threads

    def work(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.gateway.port, timeout=30)
        step, due = THREADS / RATE, time.monotonic()
        while not self.stops.is_set():
            due = max(due + step, time.monotonic() - 1)
            time.sleep(max(0, due - time.monotonic()))
            try:
                self.one(connection, next(self.count))
            except (OSError, http.client.HTTPException) as error:
                self.note(f"{type(error).__name__}")
                connection.close()
        connection.close()

    def one(self, connection, number):
        kind = ("new", "check", "check", "check", "refresh", "junk", "page", "nobody", "check", "nonce")[number % 10]
        # One address each time, as many visitors have: IPv4 and IPv6.
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" if number % 2 else f"2001:db8:{number & 0xFFFF:x}::1"
        headers = {"Content-Type": "application/json", "X-Forwarded-For": address, "User-Agent": f"soak/{number}"}
        session = random.choice(self.sessions) if self.sessions else None
        if kind == "new" or (kind in ("check", "refresh") and session is None):
            answer = self.ask(connection, "POST", "/v1/sign-in", headers, self.body(), (200, 201))
            if answer:
                self.sessions.append(json.loads(answer)["session"])
                # A few thousand are in use at any time; the others rest until they end.
                del self.sessions[:-3_000]
        elif kind == "check":
            self.ask(connection, "GET", "/v1/session", {**headers, "Authorization": f"Bearer {session['access_token']}"}, None, (200, 401))
        elif kind == "refresh":
            with self.lock:
                if session not in self.sessions:
                    return
                self.sessions.remove(session)
            body = json.dumps({"refresh_token": session["refresh_token"]})
            answer = self.ask(connection, "POST", "/v1/token/refresh", headers, body, (200,))
            if answer:
                self.sessions.append(json.loads(answer)["session"])
        elif kind == "junk":
            self.ask(connection, "GET", f"/nowhere/{number}", headers, None, (404,))
        elif kind == "page":
            self.ask(connection, "GET", "/login?client_id=app", {"X-Forwarded-For": address}, None, (200,))
        elif kind == "nobody":
            body = json.dumps({"provider": "password", "client_id": "app", "credential": {
                "username": f"nobody{number}@example.com", "password": "not the password of anybody"}})
            self.ask(connection, "POST", "/v1/sign-in", headers, body, (401, 429, 503))
        else:
            self.ask(connection, "POST", "/v1/nonce", headers, "{}", (200,))

    def ask(self, connection, method, path, headers, body, expected):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        self.answered += 1
        if answer.status not in expected:
            self.note(f"{method} {path.split('?')[0].rstrip('0123456789')} {answer.status}")
            return None
        return text if answer.status in (200, 201) else None

    def note(self, failure):
        with self.lock:
            self.failures[failure] = self.failures.get(failure, 0) + 1


    def fill(self):
        """Signs people in and asks for their sessions until both caches have dropped their older half, as they do once they are full."""
        most, full, end = {"session": 0, "token": 0}, set(), time.monotonic() + FILLING_SECONDS
        while True:
            with self.lock:
                self.sessions = self.gateway.sign_in(self.simulator.new_people(BATCH))
            self.gateway.look_at(self.sessions)
            for kind in most:
                held = self.gateway.metric(f'session_cache_bytes{{kind="{kind}"}}')
                if held < most[kind]:
                    full.add(kind)
                most[kind] = max(held, most[kind])
            if len(full) == len(most):
                return most
            if time.monotonic() > end:
                raise SystemExit(f"The caches of sessions were not full after {FILLING_SECONDS} s: at most {most} bytes.")


def judge(samples):
    """Whether memory is flat: the median of the last quarter against that of the quarter before the last."""
    quarter = max(1, len(samples) // 4)
    middle, end = statistics.median(samples[-2 * quarter:-quarter] or samples), statistics.median(samples[-quarter:])
    return (end - middle) / middle, middle, end


def stop(_signal, _frame):
    raise SystemExit(143)


def main():
    signal.signal(signal.SIGTERM, stop)
    simulator = Simulator()
    gateway = Gateway(simulator)
    try:
        gateway.migrate()
        database.sql((settings.ROOT / "deploy/postgres/roles.sql").read_text(encoding="utf-8"))
        gateway.start()
        print(f"minute  resident MiB  answered   (start: {gateway.memory_mib()[0]:.1f} MiB, {RATE} requests a second)", flush=True)
        load, samples = Load(gateway, simulator), []
        full = ", ".join(f"{kind} {held / 2**20:.1f} MiB" for kind, held in load.fill().items())
        print(f"The caches are full ({full}); resident: {gateway.memory_mib()[0]:.1f} MiB", flush=True)
        load.run()
        begun = time.monotonic()
        for minute in range(1, MINUTES + 1):
            # Several looks a minute: what one request takes for a moment is not what is asked for.
            looks = []
            while time.monotonic() < begun + 60 * minute:
                time.sleep(5)
                looks.append(gateway.memory_mib()[0])
            samples.append(statistics.median(looks))
            print(f"{minute:6}  {samples[-1]:12.1f}  {load.answered:8}", flush=True)
        load.stops.set()
        growth, middle, end = judge(samples)
        print(f"From {middle:.1f} to {end:.1f} MiB ({growth:+.1%}); failures: {load.failures or 'none'}.")
        if growth > TOLERANCE:
            raise SystemExit(f"Memory is not flat: it may grow by {TOLERANCE:.0%}.")
        if load.failures:
            raise SystemExit("Requests failed.")
        print("Memory is flat.")
    finally:
        gateway.stop()
        simulator.program.stop()


if __name__ == "__main__":
    main()
