"""An operator who calls the admin API, and how long each answer takes."""

import concurrent.futures
import http.client
import json
import time

from .large import ask
from .load import password_hash
from .totp import AuthenticatorApp

_EMAIL = "operator@example.com"
_PASSWORD = "correct horse battery staple of the operator"
# Well before an access token ends.
_FRESH_SECONDS = 240


class Operator:
    """An owner with a second factor, signed in with both."""

    def __init__(self, gateway, simulator):
        self.gateway = gateway
        [body] = simulator.person("operator", 1)
        [come] = gateway.post_all("/v1/sign-in", [(body, {})])
        account = come["account"]["id"]
        # Administration takes no provider's token: a password opens it.
        ask(f"insert into passwords (account_id, hash) values ('{account}', '{password_hash(_PASSWORD.encode())}')")
        app = AuthenticatorApp()
        gateway.enrol(come["session"], "totp", app.prove)
        gateway.run("admin", "grant", account, "--role", "owner", "--reason", "the benchmark's operator")
        credential = {"username": _EMAIL, "password": _PASSWORD}
        body = json.dumps({"provider": "password", "client_id": "console", "credential": credential})
        [begun] = gateway.post_all("/v1/sign-in", [(body, {})])
        answer = json.dumps({"flow": begun["flow"], "response": {"code": app.code(1)}})
        [signed_in] = gateway.post_all("/v1/sign-in/continue", [(answer, {})])
        self._keep(signed_in["session"])

    def get(self, path):
        """One answer, as JSON."""
        return json.loads(self._ask(self._connect(), path, self._headers())[1])

    def times(self, paths, connections, seconds):
        """Asks for each path on as many connections, for so many seconds at most: the milliseconds that each took."""
        headers, end = self._headers(), time.monotonic() + seconds

        def ask(own):
            connection, taken = self._connect(), []
            # The connection itself is none of the answer's business.
            self._ask(connection, "me", headers)
            for path in own:
                taken.append(self._ask(connection, path, headers)[0])
                if time.monotonic() > end:
                    break
            connection.close()
            return taken

        with concurrent.futures.ThreadPoolExecutor(connections) as pool:
            shares = [paths[number::connections] for number in range(connections)]
            return [milliseconds for share in pool.map(ask, shares) for milliseconds in share]

    def export(self, order):
        """Takes a file of the audit log: its lines, and the seconds."""
        connection = self._connect(timeout=600)
        begun = time.monotonic()
        headers = {**self._headers(), "Content-Type": "application/json"}
        connection.request("POST", "/admin/api/v1/audit/export", json.dumps(order), headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise SystemExit(f"The export was refused: {answer.status} {answer.read().decode(errors='replace')}")
        lines = 0
        while piece := answer.read(1 << 20):
            lines += piece.count(b"\n")
        return lines, time.monotonic() - begun

    def _connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.gateway.port, timeout=timeout)

    def _ask(self, connection, path, headers):
        begun = time.perf_counter()
        connection.request("GET", f"/admin/api/v1/{path}", headers=headers)
        answer = connection.getresponse()
        text = answer.read()
        taken = (time.perf_counter() - begun) * 1000
        if answer.status != 200:
            raise SystemExit(f"{path} was refused: {answer.status} {text.decode(errors='replace')}")
        return taken, text

    def _headers(self):
        if time.monotonic() - self._since > _FRESH_SECONDS:
            body = json.dumps({"refresh_token": self._session["refresh_token"]})
            [answer] = self.gateway.post_all("/v1/token/refresh", [(body, {})])
            self._keep(answer["session"])
        return {"Authorization": f"Bearer {self._session['access_token']}"}

    def _keep(self, session):
        self._session, self._since = session, time.monotonic()
