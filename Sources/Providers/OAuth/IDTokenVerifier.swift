import Cryptography
import FoundationEssentials
import JSON

/// Checks an ID token as OpenID Connect Core §3.1.3.7 has it, with the keys and the rules of one configured issuer.
///
/// Nothing that the token says decides where a key comes from. A token of another issuer is turned away before its key
/// is looked for, so that strangers' tokens cause no request at all.
struct IDTokenVerifier: Sendable {
    struct Rules: Sendable {
        /// The equal spellings of the issuer.
        let issuers: [String]
        let audiences: [String]
        /// The variable that holds the audiences, for complaints.
        let setting: String
        var algorithms: Set<SignatureAlgorithm> = [.RS256]
        var authorizedParties: [String] = []
        /// Seconds that a token is taken after `exp`; nil for as long as clocks may be apart.
        var expirySkew: Int?
        /// Seconds since `iat`.
        var maximumAge: Int?
        /// Seconds from `iat` to `exp`.
        var maximumLifetime: Int?
        var nonce = NonceRule(encoding: .exact, isRequired: false)
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
    private let readsKeyIssuers: Bool
    private let verifier: JWTVerifier

    init(_ rules: Rules, keys: KeySetCache) throws(ProviderConfigurationProblem) {
        do {
            verifier = JWTVerifier(
                try TokenRules(
                    algorithms: rules.algorithms, issuer: .oneOf(Set(rules.issuers)), audiences: Set(rules.audiences),
                    expirySkew: rules.expirySkew, maximumAge: rules.maximumAge, maximumLifetime: rules.maximumLifetime,
                    authorizedParties: Set(rules.authorizedParties)))
        } catch {
            throw ProviderConfigurationProblem(setting: rules.setting, reason: Self.complaint(error))
        }
        issuers = rules.issuers
        nonce = rules.nonce
        readsKeyIssuers = rules.readsKeyIssuers
        self.keys = keys
    }

    /// Takes a posted token apart.
    ///
    /// What isn't even a token is a malformed request, not a refused credential.
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

    /// Whether the claims, believed in nothing yet, name this issuer.
    func isIssuer(of claims: JSONObject) -> Bool {
        guard let issuer = claims["iss"]?.string else { return false }
        return issuers.contains { $0.hasSameBytes(as: issuer) }
    }

    /// Every check, the nonce last.
    func verify(
        _ jwt: JWT, nonce posted: String?, at now: Date
    ) async throws(ProviderError) -> VerifiedIDToken {
        let verified = try await verifyWithoutNonce(jwt, at: now)
        let proved = try nonce.proved(posted: posted, claims: jwt.claims)
        return VerifiedIDToken(verified.verified, algorithm: verified.algorithm, nonce: proved)
    }

    /// Every check for a token that a code bought: it must also be for nobody but the client that bought it, and belong
    /// to the access token beside it (§3.1.3.8).
    func verify(
        _ jwt: JWT, boughtWith answer: TokenEndpoint.Answer, by clientID: String, nonce: String?, at now: Date
    ) async throws(ProviderError) -> VerifiedIDToken {
        let token = try await verify(jwt, nonce: nonce, at: now)
        guard token.verified.audiences.allSatisfy({ $0.hasSameBytes(as: clientID) }) else {
            throw .refused(.audienceMismatch)
        }
        guard token.hashFits("at_hash", of: answer.accessToken?.revealedText ?? "") ?? true else {
            throw .refused(.codeTokenMismatch)
        }
        return token
    }

    /// Every check but the nonce's, for a token that answers a request of our own.
    func verifyWithoutNonce(_ jwt: JWT, at now: Date) async throws(ProviderError) -> VerifiedIDToken {
        if let refusal = verifier.headerRefusal(of: jwt) { throw .refused(refusal) }
        // Notifications and logout tokens have no subject: said first, the reason is the true one.
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
        return VerifiedIDToken(verified, algorithm: algorithm, nonce: nil)
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
