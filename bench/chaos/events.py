"""The receiver of webhooks: it refuses some deliveries once, and keeps what it acknowledged."""

import http.server
import json
import threading

from . import settings

# One of so many messages is refused at first.
_REFUSED = 20


class Receiver:
    def __init__(self):
        self.refused, self.taken = set(), set()     # ids of messages; the type, and the session or account, of accepted ones
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(204 if receiver.take(self.headers["webhook-id"], body) else 503)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("", settings.EVENTS_PORT), Handler)
        server.daemon_threads, server.handle_error = True, lambda *_: None     # a gateway was killed
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def take(self, message, body):
        if message not in self.refused and int(message.removeprefix("msg_"), 16) % _REFUSED == 0:
            self.refused.add(message)
            return False
        data = body["data"]
        self.taken.add((body["type"], data["session_id"] if body["type"] == "session.created" else data["account_id"]))
        return True
