/// A Firebase project's "password hash parameters", which are necessary to read its hashes.
package struct FirebaseParameters: Sendable {
    private let signerKey: Secret
    private let saltSeparator: [UInt8]
    private let rounds: Int
    private let memoryCost: Int

    /// Takes keys in base64, as the console shows them; nil for invalid base64.
    package init?(signerKey: String, saltSeparator: String, rounds: Int, memoryCost: Int) {
        guard let key = Self.base64(signerKey), !key.isEmpty, let separator = Self.base64(saltSeparator) else {
            return nil
        }
        self.signerKey = Secret(key)
        (self.saltSeparator, self.rounds, self.memoryCost) = (separator, rounds, memoryCost)
    }

    /// The text to store for a `passwordHash` and `salt` of the project's export.
    package func storedText(passwordHash: String, salt: String) throws(PasswordHashError) -> String {
        let key = signerKey.revealed
        guard let hash = Self.base64(passwordHash), let salt = Self.base64(salt), hash.count == key.count else {
            throw .malformedHash
        }
        let keystream = zip(hash, key).map { $0 ^ $1 }
        return try FirebaseHash(logN: memoryCost, blockSize: rounds, salt: salt + saltSeparator, keystream: keystream)
            .encoded
    }

    /// Exports occur in both alphabets, with padding and without.
    private static func base64(_ text: String) -> [UInt8]? {
        let plain = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return Base64Codec.standard.decode(plain.span)
    }
}
