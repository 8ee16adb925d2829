"""The codes that the gateways mailed: it reads the folder that stands for a mail server."""

import re
import threading
import time

from . import settings


class Mails:
    def __init__(self):
        self.codes, self.stops = {}, threading.Event()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def forget(self, address):
        self.codes.pop(address, None)

    def code(self, address, seconds=10):
        """The newest code for an address; none if no mail comes in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.stops.is_set():
            if code := self.codes.pop(address, None):
                return code
            time.sleep(0.02)
        return None

    def _read(self):
        while not self.stops.is_set():
            for mail in sorted(settings.MAILS.glob("*.eml")):
                text = mail.read_text(encoding="utf-8", errors="replace")
                address = re.search(r"^To: .*?([^\s<]+@[^\s>]+)", text, re.M)
                code = re.search(r"^Subject: (\d{6}) ", text, re.M)
                if address and code:
                    self.codes[address[1]] = code[1]
                mail.unlink()
            time.sleep(0.02)
