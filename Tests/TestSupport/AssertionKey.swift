import Cryptography
package import Foundation
package import JSON

/// The key with which a client signs its assertions (RFC 7523).
package struct AssertionKey: Sendable {
    package let id: String
    private let key: PrivateKey

    /// A new key.
    package init(_ id: String) throws { (self.id, key) = (id, try .generateP256()) }

    /// The public key.
    package var jwk: JSON { key.publicKey.jwk(id: id, algorithm: .ES256) }

    /// An assertion of a minute.
    ///
    /// - Parameter changes: members in place of the usual ones; null removes one.
    package func assertion(
        by client: String, for audience: String, at time: Date = Date(), _ changes: JSONObject = [:]
    ) throws -> String {
        let now = Int(time.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": .string(client), "sub": .string(client), "aud": .string(audience), "iat": .integer(now),
            "exp": .integer(now + 60), "jti": .string(UUID().uuidString),
        ]
        for member in changes.members { claims[member.name] = member.value.isNull ? nil : member.value }
        return try JWTSigner(key: key, keyID: id, algorithm: .ES256).sign(.object(claims))
    }
}
