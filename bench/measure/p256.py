"""Keys on the curve P-256, by libcrypto."""

import base64
import ctypes

_crypto = ctypes.CDLL("libcrypto.so.3")
for _name in ("EVP_PKEY_Q_keygen", "EVP_MD_CTX_new", "EVP_sha256"):
    getattr(_crypto, _name).restype = ctypes.c_void_p
_crypto.i2d_PUBKEY.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)]
_crypto.EVP_DigestSignInit.argtypes = [ctypes.c_void_p] * 5
_crypto.EVP_DigestSign.argtypes = [
    ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t), ctypes.c_char_p, ctypes.c_size_t]
_crypto.EVP_MD_CTX_reset.argtypes = [ctypes.c_void_p]


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """A new key."""

    def __init__(self):
        self._key = _crypto.EVP_PKEY_Q_keygen(None, None, b"EC", b"P-256")
        self._context = _crypto.EVP_MD_CTX_new()
        if not self._key or not self._context:
            raise SystemExit("libcrypto made no key.")

    def point(self):
        """The coordinates of the public half."""
        encoded = ctypes.create_string_buffer(256)
        length = _crypto.i2d_PUBKEY(self._key, ctypes.byref(ctypes.cast(encoded, ctypes.c_char_p)))
        # An uncompressed point is the end of a SubjectPublicKeyInfo.
        return encoded.raw[length - 64:length - 32], encoded.raw[length - 32:length]

    def sign(self, message):
        """A signature in DER, as of WebAuthn."""
        signature, length = ctypes.create_string_buffer(80), ctypes.c_size_t(80)
        _crypto.EVP_MD_CTX_reset(self._context)
        if _crypto.EVP_DigestSignInit(self._context, None, _crypto.EVP_sha256(), None, self._key) != 1 \
                or _crypto.EVP_DigestSign(self._context, signature, ctypes.byref(length), message, len(message)) != 1:
            raise SystemExit("libcrypto refused to sign.")
        return signature.raw[:length.value]

    def sign_flat(self, message):
        """A signature as of a JWT: both numbers with 32 bytes each (RFC 7518, section 3.4)."""
        encoded = self.sign(message)
        middle = 4 + encoded[3]
        return b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in (encoded[4:middle], encoded[middle + 2:]))
