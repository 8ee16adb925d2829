"""One client's connection: it sends requests and records what came back."""

import dataclasses
import http.client
import json
import urllib.parse

from .record import Call, now

PORT = 8080


class NoAnswer(Exception):
    """A change may have happened or not."""

    def __init__(self, kind, request):
        super().__init__(kind)
        self.request = request


@dataclasses.dataclass
class Answer:
    status: int
    json: dict
    headers: object
    request: str
    content: bytes = b""

    @property
    def done(self):
        return 200 <= self.status < 400

    @property
    def code(self):
        return self.json.get("code") or self.json.get("error") or str(self.status)


class Caller:
    def __init__(self, name, host, record):
        self.name, self.host, self.record, self.count = name, host, record, 0
        self.connection = None

    def call(self, kind, method, path, body=None, bearer=None, form=False, cookies=None, changes=True):
        """Sends a request. An answer of 5xx, or none, raises NoAnswer.

        `changes`: whether a 2xx or 3xx acknowledges a change, or the one status that does. A next step acknowledges none.
        """
        self.count += 1
        request, begin = f"{self.name}-{self.count}", now()
        headers = {"X-Request-Id": request, "Content-Type": "application/x-www-form-urlencoded" if form else "application/json"}
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        if cookies:
            headers["Cookie"] = cookies
        text = None if body is None else urllib.parse.urlencode(body) if form else json.dumps(body)
        try:
            answer, content = self._send(method, path, text, headers)
            status, values = answer.status, _object(content)
        except (OSError, http.client.HTTPException):
            self.close()
            answer, status, values, content = None, 0, {}, b""
        result = Answer(status, values, answer and answer.headers, request, content)
        is_change = (changes is True or changes == status) and "next_step" not in values
        self.record.add(Call(begin, now(), kind, request, status, "" if result.done else result.code), is_change)
        if status == 0 or status >= 500:
            raise NoAnswer(kind, request)
        return result

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def _send(self, method, path, text, headers):
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.host, PORT, timeout=20)
        self.connection.request(method, path, text, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.getheader("Connection") == "close":
            self.close()
        return answer, content


def _object(content):
    try:
        value = json.loads(content)
        return value if isinstance(value, dict) else {}
    except ValueError:
        return {}
