package import JSON

/// The issuers that a token may name.
package enum IssuerRule: Sendable {
    /// One of these, byte for byte.
    case oneOf(Set<String>)
    /// The result of the closure on the claims, for issuers with a tenant in their name.
    case matching(@Sendable (JSONObject) -> Bool)
}

/// The reason why rules were refused: an empty list would accept everything or nothing, and is a configuration error.
package enum TokenRulesError: Error, Equatable, Sendable {
    case noAlgorithms, noAudiences, noIssuers
}

/// The requirements of a token (OpenID Connect Core §3.1.3.7).
///
/// Times are in seconds.
package struct TokenRules: Sendable {
    package let algorithms: Set<SignatureAlgorithm>
    package let issuer: IssuerRule
    /// Our audiences; the token must name at least one, and no other.
    package let audiences: Set<String>
    /// The allowed clock difference.
    static let clockSkew = 60
    /// The tolerance after `exp`: less than ``clockSkew`` if a provider's page requires it.
    package let expirySkew: Int
    /// Counted from `iat`.
    package let maximumAge: Int?
    /// From `iat` to `exp`.
    package let maximumLifetime: Int?
    /// Required in addition to `iss`, `sub`, `aud`, `exp` and `iat`.
    package let requiredClaims: [String]
    /// For `typ`, compared case-insensitively; an absent `typ` is accepted.
    let acceptedTypes: Set<String>
    /// For `azp`, in addition to the audiences.
    package let authorizedParties: Set<String>

    package init(
        algorithms: Set<SignatureAlgorithm>, issuer: IssuerRule, audiences: Set<String>,
        expirySkew: Int? = nil, maximumAge: Int? = nil, maximumLifetime: Int? = nil, requiredClaims: [String] = [],
        acceptedTypes: Set<String> = ["JWT"], authorizedParties: Set<String> = []
    ) throws(TokenRulesError) {
        guard !algorithms.isEmpty else { throw .noAlgorithms }
        guard !audiences.isEmpty, !audiences.contains("") else { throw .noAudiences }
        if case .oneOf(let issuers) = issuer, issuers.isEmpty || issuers.contains("") { throw .noIssuers }
        self.algorithms = algorithms
        self.issuer = issuer
        self.audiences = audiences
        self.expirySkew = expirySkew ?? Self.clockSkew
        self.maximumAge = maximumAge
        self.maximumLifetime = maximumLifetime
        self.requiredClaims = requiredClaims
        self.acceptedTypes = acceptedTypes
        self.authorizedParties = authorizedParties
    }
}
