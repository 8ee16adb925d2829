package import FoundationEssentials
package import JSON

/// The claims of a token that passed every check of ``JWTVerifier``, which alone creates them.
package struct VerifiedClaims: Sendable {
    package let claims: JSONObject
    package let issuer: String
    package let subject: String
    package let audiences: [String]
    package let issuedAt: Date
    package let expiresAt: Date
    package let algorithm: SignatureAlgorithm
    /// See ``JWT/signedDigest``.
    package let signedDigest: [UInt8]
    /// Nil for a token without a nonce, and without a check of it.
    package var nonce: TokenNonce?

    package subscript(_ name: String) -> JSON? { claims[name] }
}
