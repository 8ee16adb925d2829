import Cryptography
import FoundationEssentials
import JSON

/// Checks an ID token by OpenID Connect Core §3.1.3.7, with the keys and rules of one configured issuer.
///
/// The token never decides the source of a key. A token of another issuer is refused before the key lookup, so that
/// foreign tokens cause no request.
struct IDTokenVerifier: Sendable {
    struct Rules: Sendable {
        /// The equivalent spellings of the issuer.
        let issuers: [String]
        let audiences: [String]
        /// The setting with the audiences, for error messages.
        let setting: String
        var algorithms: Set<SignatureAlgorithm> = [.RS256]
        var authorizedParties: [String] = []
        /// Seconds of tolerance after `exp`; nil for the usual clock difference.
        var expirySkew: Int?
        /// Seconds since `iat`.
        var maximumAge: Int?
        /// Seconds from `iat` to `exp`.
        var maximumLifetime: Int?
        var nonce = NonceRule(encoding: .exact, isRequired: false)
        /// The required `typ`; nil for `JWT`, which may be absent.
        var type: String?
        /// Whether a key that names an issuer signs for that one alone; `{tenantid}` in its name is the token's `tid`.
        var readsKeyIssuers = false

        init(issuers: [String], audiences: [String], setting: String) {
            self.issuers = issuers
            self.audiences = audiences
            self.setting = setting
        }
    }

    let keys: KeySetCache
    private let issuers: [String]
    private let nonce: NonceRule
    private let type: String?
    private let readsKeyIssuers: Bool
    private let verifier: JWTVerifier

    init(_ rules: Rules, keys: KeySetCache) throws(ProviderConfigurationProblem) {
        do {
            verifier = JWTVerifier(
                try TokenRules(
                    algorithms: rules.algorithms, issuer: .oneOf(Set(rules.issuers)), audiences: Set(rules.audiences),
                    expirySkew: rules.expirySkew, maximumAge: rules.maximumAge, maximumLifetime: rules.maximumLifetime,
                    acceptedTypes: [rules.type ?? "JWT"], authorizedParties: Set(rules.authorizedParties)))
        } catch {
            throw ProviderConfigurationProblem(setting: rules.setting, reason: Self.complaint(error))
        }
        issuers = rules.issuers
        (nonce, type) = (rules.nonce, rules.type)
        readsKeyIssuers = rules.readsKeyIssuers
        self.keys = keys
    }

    /// Parses a posted token.
    ///
    /// A text that is not a token is a malformed request, not a refused credential.
    static func parse(
        _ posted: CredentialReader, member: String, maximumLength: Int = 16_384
    ) throws(ProviderError) -> JWT {
        let text = try posted.token(member, maximumLength: maximumLength)
        do {
            return try JWT(parsing: text, maximumLength: maximumLength)
        } catch {
            switch error {
            case .tokenMissing, .tokenTooLarge, .tokenMalformed, .jsonMalformed:
                throw .invalidRequest(member: member, reason: error.rawValue)
            default: throw .refused(error)
            }
        }
    }

    /// Whether the unverified claims name this issuer.
    func isIssuer(of claims: JSONObject) -> Bool {
        guard let issuer = claims["iss"]?.string else { return false }
        return issuers.contains { $0.hasSameBytes(as: issuer) }
    }

    /// Makes every check, the nonce last.
    func verify(
        _ jwt: JWT, nonce posted: String?, at now: Date
    ) async throws(ProviderError) -> VerifiedClaims {
        var token = try await verifyWithoutNonce(jwt, at: now)
        token.nonce = try nonce.proved(posted: posted, claims: jwt.claims)
        return token
    }

    /// Makes every check for an exchanged token.
    ///
    /// The token must be for the exchanging client only, and belong to its access token (§3.1.3.8).
    func verify(
        _ jwt: JWT, boughtWith answer: TokenEndpoint.Answer, by clientID: String, nonce: String?, at now: Date
    ) async throws(ProviderError) -> VerifiedClaims {
        let token = try await verify(jwt, nonce: nonce, at: now)
        guard token.audiences.allSatisfy({ $0.hasSameBytes(as: clientID) }) else {
            throw .refused(.audienceMismatch)
        }
        guard token.hashFits("at_hash", of: answer.accessToken?.revealedText ?? "") ?? true else {
            throw .refused(.codeTokenMismatch)
        }
        return token
    }

    /// Makes every check but the nonce's, for a token that answers a request of our own.
    func verifyWithoutNonce(_ jwt: JWT, at now: Date) async throws(ProviderError) -> VerifiedClaims {
        if let refusal = verifier.headerRefusal(of: jwt) { throw .refused(refusal) }
        guard type == nil || jwt.header["typ"] != nil else { throw .refused(.wrongTokenType) }
        // Notifications and logout tokens have no subject: checking `events` first gives the true reason.
        guard jwt.claims["events"] == nil else { throw .refused(.wrongTokenType) }
        guard isIssuer(of: jwt.claims) else { throw .refused(.issuerNotAllowed) }
        guard let keyID = jwt.keyID else { throw .refused(.keyIDMalformed) }
        guard let algorithm = SignatureAlgorithm(rawValue: jwt.algorithmName) else {
            throw .refused(.algorithmNotAllowed)
        }
        let key = try await keys.key(id: keyID, algorithm: algorithm)
        let verified: VerifiedClaims
        do {
            verified = try verifier.verify(jwt, key: key.key, at: now)
        } catch {
            throw .refused(error)
        }
        guard isMeant(key, for: verified) else { throw .refused(.keyUnknown) }
        guard !Subject.isPlaceholder(verified.subject) else { throw .refused(.subjectInvalid) }
        return verified
    }

    private func isMeant(_ key: JWK, for token: VerifiedClaims) -> Bool {
        guard readsKeyIssuers, let named = key.issuer else { return true }
        return named.replacing("{tenantid}", with: token["tid"]?.string ?? "").hasSameBytes(as: token.issuer)
    }

    private static func complaint(_ error: TokenRulesError) -> String {
        switch error {
        case .noAlgorithms: "no algorithm is allowed"
        case .noAudiences: "names no client"
        case .noIssuers: "names no issuer"
        }
    }
}
