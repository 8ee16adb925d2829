package import Cryptography
package import FoundationEssentials

/// A provider's verified statement that an app acts for a user at this gateway
/// (ID-JAG: draft-ietf-oauth-identity-assertion-authz-grant §3).
package struct IdentityAssertion: Sendable, Equatable {
    /// `typ` of the JWT.
    package static let type = "oauth-id-jag+jwt"
    /// Seconds from `iat` to `exp`.
    static let longest = 600

    /// The user; the replay digest names the `jti` of the assertion.
    package let identity: ExternalIdentity
    /// The id of the app here.
    package let client: String
    /// The identifiers of the APIs that the app may call.
    package let resources: [String]
    package let scopes: Set<String>
    /// The thumbprint of the key to which it is bound (RFC 9449 §6.1); nil for a bearer assertion.
    package let key: String?

    package init(
        identity: ExternalIdentity, client: String, resources: [String], scopes: Set<String>, key: String? = nil
    ) {
        (self.identity, self.client, self.resources) = (identity, client, resources)
        (self.scopes, self.key) = (scopes, key)
    }
}

/// A provider whose assertions for apps the gateway can verify.
package protocol AssertsIdentities: IdentityProvider {
    /// Whether the operator lets its assertions begin sessions.
    var isTrustedToAssert: Bool { get }

    /// Verifies an assertion for this gateway; the caller spends its replay digest.
    ///
    /// - Parameter audience: the gateway's issuer.
    func verify(
        assertion: JWT, for audience: String, at now: Date
    ) async throws(ProviderError) -> IdentityAssertion
}
