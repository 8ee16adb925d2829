"""The first paint of a page in Chromium, by the browser's own clock (W3C Paint Timing)."""

import json
import urllib.request

from .processes import Program, free_port

_PAINT = """
const [entry] = performance.getEntriesByName('first-contentful-paint')
return entry ? entry.startTime : null
"""


class Chromium:
    """A headless browser with a new profile."""

    def __init__(self):
        self._port = free_port()
        self._driver = Program("chromedriver", ["chromedriver", f"--port={self._port}"])
        self._driver.wait_for(self._port, "/status")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=390,844"]
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}}
        self._session = self._ask("POST", "/session", {"capabilities": capabilities})["sessionId"]

    def first_paint_ms(self, address):
        """Milliseconds from the navigation to the first painted text."""
        session = f"/session/{self._session}"
        self._ask("POST", f"{session}/url", {"url": address})
        for _ in range(1_000):
            paint = self._ask("POST", f"{session}/execute/sync", {"script": _PAINT, "args": []})
            if paint is not None:
                return paint
        raise SystemExit(f"{address} paints nothing.")

    def stop(self):
        self._ask("DELETE", f"/session/{self._session}")
        self._driver.stop()

    def _ask(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return json.load(answer)["value"]
