"""The codes that the gateways mailed and texted: it reads the folder that stands for both servers."""

import re
import threading
import time

from . import settings


class Mails:
    def __init__(self):
        self.codes = {}
        threading.Thread(target=self._read, daemon=True).start()

    def forget(self, address):
        self.codes.pop(address, None)

    def code(self, address, seconds=10):
        """The newest code for an address or a number; none if no message comes in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if code := self.codes.pop(address, None):
                return code
            time.sleep(0.02)
        return None

    def _read(self):
        while True:
            for mail in sorted([*settings.MAILS.glob("*.eml"), *settings.MAILS.glob("*.sms.txt")]):
                text = mail.read_text(encoding="utf-8", errors="replace")
                address = re.search(r"^To: .*?([^\s<]+@[^\s>]+|\+\d+)", text, re.M)
                code = re.search(r"^Subject: (\d{6}) " if mail.suffix == ".eml" else r"\b(\d{6})\b", text, re.M)
                if address and code:
                    self.codes[address[1]] = code[1]
                mail.unlink()
            time.sleep(0.02)
