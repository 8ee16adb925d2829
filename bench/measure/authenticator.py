"""A software authenticator: one passkey, and assertions of it, signed by libcrypto."""

import base64
import ctypes
import hashlib
import json

_crypto = ctypes.CDLL("libcrypto.so.3")
for _name in ("EVP_PKEY_Q_keygen", "EVP_MD_CTX_new", "EVP_sha256"):
    getattr(_crypto, _name).restype = ctypes.c_void_p
_crypto.i2d_PUBKEY.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)]
_crypto.EVP_DigestSignInit.argtypes = [ctypes.c_void_p] * 5
_crypto.EVP_DigestSign.argtypes = [
    ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p, ctypes.c_size_t]
_crypto.EVP_MD_CTX_reset.argtypes = [ctypes.c_void_p]

# WebAuthn's flags: present, verified, may be backed up, is backed up; and, when it is made, with the key.
_FLAGS, _WITH_KEY = 0x1D, 0x40


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """As synced passkeys are: it verifies its person and doesn't count."""

    def __init__(self, domain, origin):
        self.domain, self.origin = hashlib.sha256(domain.encode()).digest(), origin
        self.key = _crypto.EVP_PKEY_Q_keygen(None, None, b"EC", b"P-256")
        self.context = _crypto.EVP_MD_CTX_new()
        if not self.key or not self.context:
            raise SystemExit("libcrypto made no key for the passkeys.")

    def make(self, options):
        """A registration, as the browser gives it: without attestation."""
        credential = hashlib.sha256(options["challenge"].encode()).digest()
        x, y = self._point()
        key = bytes.fromhex("a501020326200121") + b"\x58\x20" + x + b"\x22\x58\x20" + y
        data = self._data(_FLAGS | _WITH_KEY) + bytes(16) + len(credential).to_bytes(2, "big") + credential + key
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        return self._credential(credential, {
            "clientDataJSON": base64url(self._client_data("create", options["challenge"])),
            "attestationObject": base64url(attestation), "transports": ["internal", "hybrid"]})

    def sign(self, challenge, credential, handle):
        """An assertion of the key, whichever credential it is given out for."""
        client_data, data = self._client_data("get", challenge), self._data(_FLAGS)
        return self._credential(credential, {
            "clientDataJSON": base64url(client_data), "authenticatorData": base64url(data),
            "signature": base64url(self._signature(data + hashlib.sha256(client_data).digest())), "userHandle": base64url(handle)})

    def _credential(self, credential, response):
        text = base64url(credential)
        return {"id": text, "rawId": text, "type": "public-key", "response": response, "clientExtensionResults": {}}

    def _client_data(self, ceremony, challenge):
        return json.dumps({
            "type": f"webauthn.{ceremony}", "challenge": challenge, "origin": self.origin, "crossOrigin": False,
        }, separators=(",", ":")).encode()

    def _data(self, flags):
        return self.domain + bytes([flags]) + bytes(4)

    def _point(self):
        encoded = ctypes.create_string_buffer(256)
        length = _crypto.i2d_PUBKEY(self.key, ctypes.byref(ctypes.cast(encoded, ctypes.c_char_p)))
        # An uncompressed point is the end of a SubjectPublicKeyInfo.
        return encoded.raw[length - 64:length - 32], encoded.raw[length - 32:length]

    def _signature(self, message):
        signature, length = ctypes.create_string_buffer(80), ctypes.c_size_t(80)
        _crypto.EVP_MD_CTX_reset(self.context)
        if _crypto.EVP_DigestSignInit(self.context, None, _crypto.EVP_sha256(), None, self.key) != 1 \
                or _crypto.EVP_DigestSign(self.context, signature, ctypes.byref(length), message, len(message)) != 1:
            raise SystemExit("libcrypto refused to sign.")
        return signature.raw[:length.value]
