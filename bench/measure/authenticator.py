"""A software authenticator: one passkey, and assertions of it."""

import hashlib
import json

from .p256 import Key, base64url

# WebAuthn's flags: present, verified, may be backed up, is backed up; and, when it is made, with the key.
_FLAGS, _WITH_KEY = 0x1D, 0x40


class Authenticator:
    """As synced passkeys are: it verifies its person and doesn't count."""

    def __init__(self, domain, origin):
        self.domain, self.origin = hashlib.sha256(domain.encode()).digest(), origin
        self.key = Key()

    def make(self, options):
        """A registration, as the browser gives it: without attestation."""
        credential = hashlib.sha256(options["challenge"].encode()).digest()
        data = self._data(_FLAGS | _WITH_KEY) + bytes(16) + len(credential).to_bytes(2, "big") + credential + self.public_key()
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        return self._credential(credential, {
            "clientDataJSON": base64url(self._client_data("create", options["challenge"])),
            "attestationObject": base64url(attestation), "transports": ["internal", "hybrid"]})

    def public_key(self):
        """As a COSE key (RFC 9052)."""
        x, y = self.key.point()
        return bytes.fromhex("a501020326200121") + b"\x58\x20" + x + b"\x22\x58\x20" + y

    def sign(self, challenge, credential, handle):
        """An assertion of the key, whichever credential it is given out for."""
        client_data, data = self._client_data("get", challenge), self._data(_FLAGS)
        return self._credential(credential, {
            "clientDataJSON": base64url(client_data), "authenticatorData": base64url(data),
            "signature": base64url(self.key.sign(data + hashlib.sha256(client_data).digest())), "userHandle": base64url(handle)})

    def _credential(self, credential, response):
        text = base64url(credential)
        return {"id": text, "rawId": text, "type": "public-key", "response": response, "clientExtensionResults": {}}

    def _client_data(self, ceremony, challenge):
        return json.dumps({
            "type": f"webauthn.{ceremony}", "challenge": challenge, "origin": self.origin, "crossOrigin": False,
        }, separators=(",", ":")).encode()

    def _data(self, flags):
        return self.domain + bytes([flags]) + bytes(4)
