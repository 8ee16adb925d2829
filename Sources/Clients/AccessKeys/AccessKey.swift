package import Cryptography

/// A key with which the back end of a client signs its calls, as the server holds it.
package struct AccessKey: Sendable {
    /// Twenty letters and digits; no secret.
    package let id: String
    package let clientID: String
    let secret: Secret
    /// Whether its sign-ins may count for the network of the user that it names.
    package var mayNameNetwork = false

    /// A new id: 90 bits.
    package static func newID() -> String { "GW" + String(Base32.encode(RandomBytes.system(12)).prefix(18)) }

    /// A new secret: 240 bits in 40 characters, as the SDKs of AWS expect it.
    package static func newSecret() -> String { Base64URL.encode(RandomBytes.system(30)) }

    /// The secret for the database.
    package static func seal(_ secret: String, of id: String, _ box: SealedBox) -> [UInt8] {
        box.seal(Array(secret.utf8), purpose: purpose(id))
    }

    private static func purpose(_ id: String) -> String { "access key \(id)" }
}

extension AccessKey {
    /// - Throws: ``SealedBoxError`` for the secret of another key, or without its master key.
    init(id: String, clientID: String, sealed: [UInt8], _ box: SealedBox) throws(SealedBoxError) {
        let secret = Secret(try box.open(sealed, purpose: Self.purpose(id)))
        self.init(id: id, clientID: clientID, secret: secret)
    }
}
