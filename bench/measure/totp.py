"""An authenticator app: the codes of RFC 6238, from the secret that the gateway gave."""

import base64
import hmac
import time


class AuthenticatorApp:
    def prove(self, step):
        """Keeps the secret, and answers with the code of now."""
        text = step["totp"]["secret"].replace(" ", "")
        self.secret = base64.b32decode(text + "=" * (-len(text) % 8))
        return {"code": self.code(0)}

    def code(self, ahead):
        """The code of now, or of a step of 30 seconds that comes: the next one is good for a minute at least."""
        return self.code_of(int(time.time()) // 30 + ahead)

    def code_of(self, step):
        """The code of a step of 30 seconds, counted from 1970."""
        mac = hmac.digest(self.secret, step.to_bytes(8, "big"), "sha1")
        at = mac[19] & 15
        return f"{(int.from_bytes(mac[at:at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"
