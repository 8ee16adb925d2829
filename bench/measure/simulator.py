"""The provider simulator: where credentials come from."""

import base64
import concurrent.futures
import http.client
import json
import urllib.parse

from . import settings
from .processes import Program, Visitor, free_port

# What the simulator makes in one answer at most.
_BATCH = 20_000


class Simulator:
    """Runs it and asks it for Apple ID tokens, each good for one sign-in."""

    def __init__(self):
        self.port = free_port()
        self._page = Visitor(self.port)
        self.program = Program("simulator", [settings.BINARIES / "provider-simulator", "--port", str(self.port)])
        self.program.wait_for(self.port, "/control/apple-private-key")

    def known_people(self, count):
        """Sign-in bodies of the same people, in turn, so that no two that follow each other are of one person."""
        each = -(-count // settings.PEOPLE)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            columns = list(pool.map(lambda number: self._mint(
                {"subject": f"001999.bench.{number}", "email": f"bench{number}@example.com", "count": each}), range(settings.PEOPLE)))
        return [_body(token) for row in zip(*columns) for token in row][:count]

    def new_people(self, count):
        """Sign-in bodies, each of a new identity."""
        bodies = []
        while len(bodies) < count:
            order = {"count": min(_BATCH, count - len(bodies)), "distinct_subjects": True}
            bodies += [_body(token) for token in self._mint(order)]
        return bodies

    def person(self, name, count):
        """So many sign-in bodies of one person."""
        order = {"subject": f"001999.bench.{name}", "email": f"{name}@example.com", "count": count}
        return [_body(token) for token in self._mint(order)]

    @staticmethod
    def subject(body):
        """Who a sign-in body is of."""
        claims = json.loads(body)["credential"]["id_token"].split(".")[1]
        return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["sub"]

    def allow(self, address, email):
        """What a provider sends a browser back with: path and query at the gateway."""
        answer, text = self._page.ask(
            "POST", "/control/authorize", json.dumps({"url": address, "email": email}), {"Content-Type": "application/json"})
        if answer.status != 200:
            raise SystemExit(f"The simulator refused {address}: {text.decode(errors='replace')}")
        url = urllib.parse.urlsplit(json.loads(text)["url"])
        return f"{url.path}?{url.query}"

    def _mint(self, order):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(
                "POST", "/control/mint", json.dumps({"provider": "apple", **order}), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                raise SystemExit(f"The simulator refused to mint: {answer.status} {text.decode(errors='replace')}")
            return json.loads(text)["tokens"]
        finally:
            connection.close()


def _body(token):
    return json.dumps(
        {"provider": "apple", "client_id": "app", "credential": {"id_token": token}}, separators=(",", ":"))
