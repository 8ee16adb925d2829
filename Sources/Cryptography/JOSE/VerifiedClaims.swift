package import FoundationEssentials
package import JSON

/// The claims of a token that passed every check of ``JWTVerifier``; made by it alone.
package struct VerifiedClaims: Sendable {
    package let claims: JSONObject
    package let issuer: String
    package let subject: String
    package let audiences: [String]
    package let issuedAt: Date
    package let expiresAt: Date
    /// SHA-256 of the decoded signature, for a record of tokens seen before.
    package let signatureDigest: [UInt8]

    package subscript(_ name: String) -> JSON? { claims[name] }
}
