package import Cryptography
package import Foundation
package import JSON

/// The key of an app that proves it with each request (RFC 9449).
package struct ProofKey: Sendable {
    package let key: PrivateKey

    package init(_ key: PrivateKey) { self.key = key }

    /// A new key.
    package init() throws { self.init(try .generateP256()) }

    package var thumbprint: String { key.publicKey.thumbprint }

    /// A proof, with changed members.
    ///
    /// - Parameters:
    ///   - token: the access token that goes with it.
    ///   - header: members in place of the usual ones; null removes one.
    ///   - claims: likewise.
    package func proof(
        _ method: String, _ address: String, with token: String? = nil, nonce: String? = nil, at time: Date = Date(),
        header: JSONObject = [:], claims: JSONObject = [:]
    ) throws -> String {
        let usualHeader: JSONObject = [
            "typ": "dpop+jwt", "alg": "ES256", "jwk": key.publicKey.jwk(id: "k", algorithm: .ES256),
        ]
        var usual: JSONObject = [
            "jti": .string(UUID().uuidString), "htm": .string(method), "htu": .string(address),
            "iat": .integer(Int(time.timeIntervalSince1970)),
        ]
        usual["ath"] = token.map { .string(Base64URL.encode(SHA256.hash($0))) }
        usual["nonce"] = nonce.map(JSON.string)
        let signed = [Self.changed(usualHeader, header), Self.changed(usual, claims)].map {
            Base64URL.encode($0.bytes())
        }
        .joined(separator: ".")
        return try signed + "." + Base64URL.encode(key.sign(Array(signed.utf8), algorithm: .ES256))
    }

    private static func changed(_ object: JSONObject, _ changes: JSONObject) -> JSON {
        var object = object
        for member in changes.members { object[member.name] = member.value.isNull ? nil : member.value }
        return .object(object)
    }
}
