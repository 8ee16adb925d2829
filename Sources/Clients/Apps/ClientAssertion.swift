package import Cryptography
package import Foundation
import JSON

/// A JWT with which a client authenticates (`private_key_jwt`: RFC 7523 §3, OpenID Connect Core §9).
package struct ClientAssertion: Sendable {
    package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The algorithms of ``OpenIDSettings/keys``.
    package static let algorithms: Set<SignatureAlgorithm> = [.RS256, .PS256, .ES256]
    package static let algorithmNames = algorithms.map(\.rawValue).sorted()

    /// Seconds that it may lie ahead.
    private static let longest = 600.0
    /// Seconds by which clocks may differ.
    private static let drift = 60.0
    private static let lateness = 30.0

    private let jwt: JWT
    /// The client that it claims to be of; nothing is proved yet.
    package let client: String
    private let expires: Date
    /// Names it in the ledger of single-use values.
    package let digest: [UInt8]

    /// - Parameter audiences: the issuer, and the addresses of the endpoints that older libraries name.
    /// - Returns: nil for a text that can't be an assertion for this server now.
    package init?(_ text: String, for audiences: Set<String>, at now: Date) {
        guard let jwt = try? JWT(parsing: text, maximumLength: 8_192), let issuer = jwt.claims["iss"]?.string,
            jwt.claims["sub"]?.string == issuer,
            // One string: a list could name another server, which would replay it here.
            let audience = jwt.claims["aud"]?.string, audiences.contains(audience),
            let exp = jwt.claims["exp"]?.double, let id = jwt.claims["jti"]?.string, (1...128).contains(id.utf8.count)
        else { return nil }
        let time = now.timeIntervalSince1970
        guard exp >= time - Self.lateness, exp <= time + Self.longest else { return nil }
        for name in ["nbf", "iat"] {
            guard jwt.claims[name].map({ ($0.double ?? .infinity) <= time + Self.drift }) ?? true else { return nil }
        }
        (self.jwt, client, expires) = (jwt, issuer, Date(timeIntervalSince1970: exp + Self.lateness))
        digest = SHA256.hash("client assertion \(issuer) \(id)")
    }

    /// Seconds for which the ledger must keep it.
    package func life(at now: Date) -> Int { max(Int(expires.timeIntervalSince(now).rounded(.up)), 1) }

    /// Names the key that signed; nil without an id, and for an algorithm that is not accepted.
    package var keyName: (id: String, algorithm: SignatureAlgorithm)? {
        guard let id = jwt.keyID, let algorithm = SignatureAlgorithm(rawValue: jwt.algorithmName),
            Self.algorithms.contains(algorithm)
        else { return nil }
        return (id, algorithm)
    }

    /// - Parameter key: the key of the client with the name ``keyName``.
    package func isSigned(by key: JWK) -> Bool {
        keyName.map { jwt.isSigned(by: key.key, $0.algorithm) } ?? false
    }
}
