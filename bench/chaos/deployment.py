"""What runs beside the database: the provider simulator, two gateways, and haproxy in front of them."""

import json
import os
import pathlib
import re
import secrets
import signal
import subprocess
import urllib.parse
import urllib.request

from measure.settings import ROOT

from . import settings
from .cluster import get
from .events import Receiver
from .machines import Machine, until
from .record import now

_FAKETIME = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
_ALLOWED = 1_000_000
# A gateway compares its clock with the database's once a minute, and a request may be on its way for some seconds.
_CLOCK_SECONDS = 75

_HAPROXY = """\
defaults
    mode http
    timeout connect 1s
    timeout client 30s
    timeout server 15s
    retries 2
    option redispatch
    option forwardfor
    default-server check port 9090 inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
frontend public
    bind :8080
    default_backend gateways
backend gateways
    balance roundrobin
    option httpchk GET /health/ready
"""


class Simulator:
    def __init__(self):
        self.machine = Machine("provider")
        self.at = f"http://{self.machine.address}:8081"
        self.machine.start("simulator", [
            settings.BINARIES / "provider-simulator", "--host", "0.0.0.0", "--port", "8081"])
        until(30, lambda: self.post("/control/mint", {"provider": "google"}, ConnectionError), "The simulator")

    def post(self, path, body, allowed=()):
        """The JSON of an answer of the control surface."""
        request = urllib.request.Request(
            self.at + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read() or b"{}")
        except OSError:
            if allowed:
                return None
            raise

    def sign_in(self, provider, query):
        """The body of a sign-in with a credential that works once."""
        with urllib.request.urlopen(f"{self.at}/control/sign-in/{provider}?{query}", timeout=30) as answer:
            return json.loads(answer.read())

    def allow(self, address, subject, email):
        """What a provider sends a browser back with: path and query at the gateway."""
        answer = self.post("/control/authorize", {"url": address, "subject": subject, "email": email})
        url = urllib.parse.urlsplit(answer["url"])
        return f"{url.path}?{url.query}"

    def endpoints(self):
        """The providers' addresses of the settings, at this simulator: the last part of each path names the provider."""
        lines = (settings.FOLDER / "gateway.env").read_text(encoding="utf-8").splitlines()
        pairs = (line.split("=", 1) for line in lines if re.match("[A-Z_]+_ENDPOINT=", line))
        return {key: f"{self.at}/{value.rsplit('/', 1)[1]}" for key, value in pairs}


def _settings_of(binaries):
    """The settings that a version knows."""
    return settings.FOLDER / ("gateway.env" if binaries == settings.BINARIES else "neighbour.env")


class Gateway:
    """One of the gateways, each on a machine of its own."""

    def __init__(self, name, deployment, binaries):
        self.machine, self.deployment, self.binaries = Machine(name), deployment, binaries
        self.clock, self.offset, self.stepped = settings.FOLDER / f"{name}.clock", 0, -_CLOCK_SECONDS
        self.step_clock(0)

    @property
    def process(self):
        return self.machine.processes["gateway"]

    def step_clock(self, seconds):
        """Sets the clock of this machine. A running gateway sees it within a second."""
        if seconds != self.offset:
            self.offset, self.stepped = seconds, now()
        self.clock.write_text(f"{seconds:+d}s\n", encoding="utf-8")

    def start(self):
        clock = {"LD_PRELOAD": str(_FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_CACHE_DURATION": "1",
                 "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1"} if _FAKETIME else {}
        self.machine.start(
            "gateway", [self.binaries / "gateway", "serve", "--env-file", _settings_of(self.binaries)],
            {**self.deployment.environment, **clock})

    def is_ready(self):
        return get(f"http://{self.machine.address}:9090/health/ready")[0] == 200

    def knows_devices(self):
        """Whether it has learned of the newest app of devices."""
        form = urllib.parse.urlencode({"client_id": settings.FOREIGN_CLIENT}).encode()
        try:
            with urllib.request.urlopen(f"http://{self.machine.address}:8080/v1/device_authorization", form, timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def restart(self):
        """Stops it as a deploy does, and starts it with the present binaries."""
        self.machine.kill("gateway", signal.SIGTERM)
        self.start()


class Deployment:
    def __init__(self, cluster):
        self.cluster, self.receiver = cluster, Receiver()
        self.simulator = Simulator()
        key = settings.FOLDER / "apple.p8"
        key.touch(mode=0o600)
        with urllib.request.urlopen(f"{self.simulator.at}/control/apple-private-key", timeout=10) as answer:
            key.write_bytes(answer.read())
        settings.MAILS.mkdir(exist_ok=True)
        limits = {f"THROTTLE_{name}_PER_HOUR": str(_ALLOWED) for name in (
            "ACCOUNT", "SMS_ADDRESS", "SMS_CLIENT", "WRONG_ADDRESS", "LINK_ADDRESS", "MAIL_ADDRESS", "MAIL_CLIENT", "REFRESH")}
        self.environment = {
            "DATABASE_URL": cluster.url("gateway_serve"), "DATABASE_CONNECTIONS": "8", "HOST": "0.0.0.0", "PORT": "8080",
            "OPS_HOST": "0.0.0.0", "OPS_PORT": "9090", "PUBLIC_URL": settings.PUBLIC_URL,
            "MASTER_KEYS": f"k1:{secrets.token_urlsafe(32)}", "APPLE_PRIVATE_KEY_FILE": str(key),
            "MAIL_DIRECTORY": str(settings.MAILS), "TRUSTED_PROXIES": "10.77.0.0/16", "REQUEST_TIMEOUT_SECONDS": "5",
            "DRAIN_SECONDS": "1", "CLIENT_GUESTS": "true", "CLOCK_LIMIT_SECONDS": "60",
            # As cheap as allowed: hashing is not what breaks here.
            "HASH_MEMORY_KIB": "7168", "HASH_ITERATIONS": "1", "HASH_QUEUE": "1024",
            "THROTTLE_ACCOUNT_BURST": str(_ALLOWED), "THROTTLE_ADDRESS_BURST": str(_ALLOWED),
            "THROTTLE_ADDRESS_PER_MINUTE": "60000", "THROTTLE_CLIENT_PER_MINUTE": "60000", **limits,
            **self.simulator.endpoints()}
        self.gateways = []
        # Of two versions the newer one has the schema that both serve; the other one changes nothing.
        for binaries in dict.fromkeys((settings.BINARIES, settings.NEIGHBOUR)):
            self.run("migrate", binaries=binaries, DATABASE_URL=cluster.url("gateway_migrate"))
        cluster.grant()
        # Two versions serve side by side for the whole run, and each deploy swaps them.
        self.gateways = [Gateway("gateway1", self, settings.BINARIES), Gateway("gateway2", self, settings.NEIGHBOUR)]
        for gateway in self.gateways:
            gateway.start()
            until(60, gateway.is_ready, f"Readiness of {gateway.machine.name}")
        # With it an operator's program acts.
        self.key = json.loads(self.run("clients", "issue-key", "app", "--role", "admin", "--reach", "gateway", "--json"))["key"]
        self.run("events", "create", settings.EVENTS_URL, *(word for kind in settings.EVENTS for word in ("--type", kind)))
        for name, is_foreign in ((settings.DEVICE_CLIENT, False), (settings.FOREIGN_CLIENT, True)):
            self.run("clients", "create", name, "--provider", "google", "--openid",
                     json.dumps({"device_flow": True, "third_party": is_foreign}))
        for gateway in self.gateways:
            until(30, gateway.knows_devices, f"The app of devices at {gateway.machine.name}")
        self.proxy = Machine("proxy")
        servers = "".join(f"    server {one.machine.name} {one.machine.address}:8080\n" for one in self.gateways)
        (settings.FOLDER / "haproxy.cfg").write_text(_HAPROXY + servers, encoding="utf-8")
        self.proxy.start("haproxy", ["haproxy", "-db", "-f", settings.FOLDER / "haproxy.cfg"])
        until(20, lambda: get(f"http://{self.proxy.address}:8080/health/ready")[0] == 200, "haproxy")

    def has_right_clocks(self):
        """Whether every gateway has the right time."""
        return all(gateway.offset == 0 and now() - gateway.stepped > _CLOCK_SECONDS for gateway in self.gateways)

    def command(self, *words, binaries=settings.BINARIES, **changes):
        """Runs one of the gateway's commands; returns its exit status and its output."""
        result = subprocess.run(
            [binaries / "gateway", *words, "--env-file", _settings_of(binaries)], capture_output=True,
            text=True, check=False, cwd=settings.FOLDER, env={**os.environ, **self.environment, **changes})
        return result.returncode, result.stdout + result.stderr

    def run(self, *words, **changes):
        """The same for a command that must succeed; returns its output."""
        status, output = self.command(*words, **changes)
        if status != 0:
            raise SystemExit(f"gateway {' '.join(words)} failed:\n{output}")
        return output.strip()
