package import JSON

/// Which issuer a token may name.
package enum IssuerRule: Sendable {
    /// One of these, byte for byte.
    case oneOf(Set<String>)
    /// Whatever the closure says of the claims, for issuers that carry a tenant in their name.
    case matching(@Sendable (JSONObject) -> Bool)
}

/// Why rules were refused: an empty list would accept everything or nothing, and is always a mistake of the configuration.
package enum TokenRulesError: Error, Equatable, Sendable {
    case noAlgorithms, noAudiences, noIssuers
}

/// What a token must satisfy (OpenID Connect Core §3.1.3.7).
///
/// Times are in seconds.
package struct TokenRules: Sendable {
    package let algorithms: Set<SignatureAlgorithm>
    package let issuer: IssuerRule
    /// Ours; the token must name one and nothing beside them.
    package let audiences: Set<String>
    /// How far clocks may be apart.
    package let clockSkew: Int
    /// How long a token is taken after its `exp`: for less than ``clockSkew`` where a provider's page says so.
    package let expirySkew: Int
    /// Counted from `iat`.
    package let maximumAge: Int?
    /// From `iat` to `exp`.
    package let maximumLifetime: Int?
    /// Beyond `iss`, `sub`, `aud`, `exp` and `iat`, which are always required.
    package let requiredClaims: [String]
    /// For `typ`, compared without regard to case; an absent `typ` is accepted.
    package let acceptedTypes: Set<String>
    /// For `azp`, beside the audiences themselves.
    package let authorizedParties: Set<String>

    package init(
        algorithms: Set<SignatureAlgorithm>, issuer: IssuerRule, audiences: Set<String>, clockSkew: Int = 60,
        expirySkew: Int? = nil, maximumAge: Int? = nil, maximumLifetime: Int? = nil, requiredClaims: [String] = [],
        acceptedTypes: Set<String> = ["JWT"], authorizedParties: Set<String> = []
    ) throws(TokenRulesError) {
        guard !algorithms.isEmpty else { throw .noAlgorithms }
        guard !audiences.isEmpty, !audiences.contains("") else { throw .noAudiences }
        if case .oneOf(let issuers) = issuer, issuers.isEmpty || issuers.contains("") { throw .noIssuers }
        self.algorithms = algorithms
        self.issuer = issuer
        self.audiences = audiences
        self.clockSkew = clockSkew
        self.expirySkew = expirySkew ?? clockSkew
        self.maximumAge = maximumAge
        self.maximumLifetime = maximumLifetime
        self.requiredClaims = requiredClaims
        self.acceptedTypes = acceptedTypes
        self.authorizedParties = authorizedParties
    }
}
