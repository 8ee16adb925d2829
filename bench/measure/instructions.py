"""The processor instructions of one request, counted by callgrind: repeatable where times are not."""

import http.client
import re
import subprocess

from . import settings, works
from .gateway import Gateway
from .settings import progress

# Sent before the count: caches, connections and lazy values are of the first requests.
_WARM_UP = 50
_COUNTED = 1_000


class CountedGateway(Gateway):
    """A gateway under callgrind; it counts only between ``begin_count`` and ``end_count``."""

    out = settings.FOLDER / "callgrind"

    def command(self):
        program, *arguments = super().command()
        # Valgrind gives up on Swift's debug information. The copy stands beside the resources that it reads.
        bare = program.with_name("gateway-without-debug")
        subprocess.run(["strip", "--strip-debug", "-o", bare, program], check=True)
        return ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no",
                f"--callgrind-out-file={self.out}.{self.port}.%p", bare, *arguments]

    def begin_count(self):
        self._control("--instr=on")
        self._control("--zero")

    def end_count(self, label):
        """Instructions since ``begin_count``."""
        self._control(f"--dump={label}")
        self._control("--instr=off")
        dumps = sorted(settings.FOLDER.glob(f"callgrind.{self.port}.*"), key=lambda path: path.stat().st_mtime)
        return int(re.search(r"^(?:totals|summary): (\d+)", dumps[-1].read_text(errors="replace"), re.MULTILINE)[1])

    def _control(self, order):
        subprocess.run(["callgrind_control", order, str(self.pid)], check=True, capture_output=True)


def _session(gateway, simulator):
    [session] = gateway.sign_in(simulator.person("counted-session", 1))
    return lambda number: ("GET", "/v1/session", None, {"Authorization": f"Bearer {session['access_token']}"})


def _login_page(gateway, simulator):
    return lambda number: ("GET", "/login", None, {})


def _sign_in_known(gateway, simulator):
    bodies = simulator.known_people(settings.PEOPLE + _WARM_UP + _COUNTED)
    gateway.sign_in(bodies[:settings.PEOPLE])
    return lambda number: ("POST", "/v1/sign-in", bodies[settings.PEOPLE + number], {"Content-Type": "application/json"})


def _refresh(gateway, simulator):
    sessions = gateway.sign_in(simulator.person("counted-refresh", _WARM_UP + _COUNTED))
    bodies = [f'{{"refresh_token":"{session["refresh_token"]}"}}' for session in sessions]
    return lambda number: ("POST", "/v1/token/refresh", bodies[number], {"Content-Type": "application/json"})


def _lines(kind):
    """The requests of a work that door.lua or door_once.lua sends."""
    def make(gateway, simulator):
        work = kind(gateway, simulator)
        work.rate[1] = _WARM_UP + _COUNTED
        work.feed(1, 1)
        lines = [line.split("\t") for line in work.lines.read_text(encoding="utf-8").splitlines()]

        def request(number):
            listed, body = lines[number % len(lines)]
            headers = dict(pair.split("=", 1) for pair in listed.split(";"))
            return ("POST", work.path, body, headers) if body else ("GET", work.path, None, headers)
        return request
    return make


_REQUESTS = {
    "session": _session, "login_page": _login_page, "refresh": _refresh, "sign_in_known": _sign_in_known,
    **{kind.name: _lines(kind) for kind in works.ALL if kind.script.startswith("door")},
}


def count(build, name, simulator):
    """Thousands of instructions of one request, background work included."""
    progress(f"{name}: instructions of {build.name}")
    gateway = build.gateway
    request = _REQUESTS[name](gateway, simulator)
    connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=120)
    for number in range(_WARM_UP + _COUNTED):
        if number == _WARM_UP:
            gateway.begin_count()
        connection.request(*request(number))
        answer = connection.getresponse()
        answer.read()
        if answer.status not in (200, 201, 303):
            raise SystemExit(f"{name} was refused by {build.name}: {answer.status}")
    return gateway.end_count(name) / _COUNTED / 1_000


def rows(builds, simulator):
    """A row for each work and build, with the ratio to the first build."""
    for name in settings.WORKS:
        if name in _REQUESTS:
            counts = [count(build, name, simulator) for build in builds]
            for build, own in zip(builds, counts):
                yield [name, build.name, f"{own:,.0f}", f"{own / counts[0]:.3f}"]
