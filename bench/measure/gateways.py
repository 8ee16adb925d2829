"""One, two and four gateways behind haproxy on one database: `GATEWAYS=1,2,4 make bench-growth`. It counts statements and
connections, and tries on different gateways what they have to share: sessions, their end, flows and budgets."""

import json
import os
import re
import signal
import time

from . import database, settings
from .gateway import Gateway
from .load import password_hash
from .processes import Program, Visitor
from .report import table
from .settings import progress, progress_done
from .simulator import Simulator

REQUESTS = 400
IDLE_SECONDS = 5
_PASSWORD = "a right password of the benchmark"
_BURST = 10
_JSON = {"Content-Type": "application/json"}
_CONNECTIONS = "select count(*) from pg_stat_activity where usename = 'gateway_serve'"


class Fleet:
    """So many gateways, and haproxy in front of them."""

    def __init__(self, count, simulator):
        # Its port is haproxy's, so that it stands for all of them.
        self.front = Gateway(simulator)
        # The budget of one name is what is tried; nothing else runs into it.
        shared = {"PUBLIC_URL": f"http://localhost:{self.front.port}", "THROTTLE_ACCOUNT_BURST": str(_BURST), "THROTTLE_ACCOUNT_PER_HOUR": "1"}
        self.gateways = [Gateway(simulator, changes=shared) for _ in range(count)]
        for gateway in self.gateways:
            gateway.start()
        self._proxy = self._haproxy()

    def _haproxy(self):
        servers = "\n".join(f"    server gateway{number} 127.0.0.1:{gateway.port}" for number, gateway in enumerate(self.gateways))
        configuration = settings.FOLDER / "haproxy.cfg"
        configuration.write_text(f"""global
    maxconn 1000
defaults
    mode http
    option forwardfor
    timeout connect 5s
    timeout client 60s
    timeout server 60s
listen gateways
    bind 127.0.0.1:{self.front.port}
    balance roundrobin
{servers}
""", encoding="utf-8")
        proxy = Program("haproxy", ["haproxy", "-db", "-f", str(configuration)])
        proxy.wait_for(self.front.port, "/health/ready")
        return proxy

    def stop(self):
        self._proxy.stop()
        for gateway in self.gateways:
            gateway.stop()


def _calls():
    return sum(database.statements().values())


def _statements(idle, ask):
    """Statements for each of the requests, without those that the gateways send anyway."""
    before, begun = _calls(), time.monotonic()
    count = len(ask())
    return (_calls() - before - idle * (time.monotonic() - begun)) / count


def _status(gateway, method, path, body=None, bearer=None):
    headers = {**_JSON, **({"Authorization": f"Bearer {bearer}"} if bearer else {})}
    visitor = Visitor(gateway.port)
    answer, text = visitor.ask(method, path, None if body is None else json.dumps(body), headers)
    visitor.close()
    return answer.status, json.loads(text) if text else {}


def _require(found, expected, what):
    if found != expected:
        raise SystemExit(f"{what}: {found} in place of {expected}.")


def _session_ends_everywhere(first, last, simulator, number):
    """The milliseconds from the sign-out at one gateway to the refusal at another, which has the session in its memory."""
    [session] = first.sign_in(simulator.person(f"ending{number}", 1))
    _require(_status(last, "GET", "/v1/session", bearer=session["access_token"])[0], 200, "a session at another gateway")
    _require(_status(first, "POST", "/v1/sign-out", {}, session["access_token"])[0], 204, "a sign-out")
    ended = time.monotonic()
    while _status(last, "GET", "/v1/session", bearer=session["access_token"])[0] == 200:
        if time.monotonic() - ended > 1:
            raise SystemExit("An ended session is accepted by another gateway after a second.")
    return (time.monotonic() - ended) * 1000


def _flow_goes_on(first, last, number):
    """A mailed code is asked for at one gateway and answered at another."""
    address = f"flow{number}@example.com"
    database.make_accounts({address: password_hash(b"unused")})
    begun = _status(first, "POST", "/v1/sign-in", {"provider": "email_otp", "client_id": "app", "credential": {"username": address}})[1]
    for _ in range(100):
        mails = [mail.read_text(encoding="utf-8") for mail in first.mails.glob("*.eml")]
        codes = [re.search(r"^Subject: (\d{6}) ", mail, re.M) for mail in mails if address in mail]
        if codes and codes[0]:
            break
        time.sleep(0.05)
    else:
        raise SystemExit("No code was mailed.")
    status, _ = _status(last, "POST", "/v1/sign-in/continue", {"flow": begun["flow"], "response": {"code": codes[0][1]}})
    _require(status, 200, "a flow at another gateway")


def _budget(front, number):
    """The wrong passwords of one name that all gateways together let through."""
    address = f"budget{number}@example.com"
    database.make_accounts({address: password_hash(_PASSWORD.encode())})
    body = {"provider": "password", "client_id": "app", "credential": {"username": address, "password": "a wrong one of the benchmark"}}
    for attempt in range(4 * _BURST):
        if _status(front, "POST", "/v1/sign-in", body)[0] == 429:
            return attempt
    raise SystemExit(f"{4 * _BURST} wrong passwords were not refused.")


def measure(count, simulator):
    progress(f"{count} gateways: start")
    fleet = Fleet(count, simulator)
    try:
        front, first, last = fleet.front, fleet.gateways[0], fleet.gateways[-1]
        sessions = front.sign_in(simulator.new_people(REQUESTS))
        before = _calls()
        time.sleep(IDLE_SECONDS)
        idle = (_calls() - before) / IDLE_SECONDS
        progress(f"{count} gateways: statements")
        known = simulator.known_people(REQUESTS)
        front.sign_in(simulator.known_people(settings.PEOPLE))
        tokens = [(json.dumps({"refresh_token": session["refresh_token"]}), {}) for session in sessions]
        requests = [("/v1/session", None, {"Authorization": f"Bearer {session['access_token']}"}) for session in sessions]
        result = {
            "known sign-in": _statements(idle, lambda: front.sign_in(known)),
            "refresh": _statements(idle, lambda: front.post_all("/v1/token/refresh", tokens)),
            "session check, first": _statements(idle, lambda: front.ask_all("GET", requests, (200,))),
        }
        result = {name: f"{value:.2f}" for name, value in result.items()}
        result["idle, a second"] = f"{idle:.1f}"
        result["connections"] = database.sql(_CONNECTIONS)[0]
        progress(f"{count} gateways: what they share")
        result["end seen elsewhere, ms"] = f"{_session_ends_everywhere(first, last, simulator, count):.0f}"
        _flow_goes_on(first, last, count)
        result["wrong passwords let through"] = str(_budget(front, count))
        return result
    finally:
        fleet.stop()


def main():
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(SystemExit(143)))
    counts = [int(number) for number in os.environ["GATEWAYS"].split(",")]
    simulator = Simulator()
    try:
        owner = Gateway(simulator)
        owner.migrate()
        database.sql((settings.ROOT / "deploy/postgres/roles.sql").read_text(encoding="utf-8"))
        results = {count: measure(count, simulator) for count in counts}
    finally:
        simulator.program.stop()
    progress_done()
    rows = [[name, *[result[name] for result in results.values()]] for name in results[counts[0]]]
    print(table(["statements a request", *[f"{count} gateways" for count in counts]], rows))
    let_through = {result["wrong passwords let through"] for result in results.values()}
    if len(let_through) > 1:
        raise SystemExit(f"The budget of a name depends on the number of gateways: {sorted(let_through)}.")
    print("A session, its end, a flow and the budget of a name are the same at every gateway.")


main()
