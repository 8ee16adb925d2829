package import Cryptography
package import FoundationEssentials
package import JSON

/// Sign in with Apple: an app's ID token, mostly with an authorization code, or a browser's code.
///
/// Pages: "Authenticating users with Sign in with Apple", "Generate and validate tokens", "Request an authorization to
/// the Sign in with Apple server" (developer.apple.com).
///
/// - Issuer and addresses are pinned. Apple's discovery document once named another issuer than its tokens.
/// - The token lives a day. The nonce, the replay ledger and an age limit prevent replays.
/// - Apple copies the nonce unchanged. Apps send its lower-case hexadecimal SHA-256 to Apple and post the raw one.
/// - The app or the browser supplies the name: Apple's signature does not cover it.
/// - Notifications have the same issuer, audience and keys: a token with `events` is not valid for a sign-in.
package struct AppleProvider: TokenSignIn, KeepsDocuments, ReportsHealth {
    package struct Configuration: Sendable {
        /// The developer team: `sub` is the same in all its apps, and differs in other teams.
        package var teamID: String
        package var keyID: String?
        /// Signs client secrets (ES256).
        ///
        /// Without it codes are not exchanged, and tokens cannot be revoked later.
        package var privateKey: PrivateKey?
        /// Bundle ids: the audiences of native tokens.
        package var nativeClientIDs: [String]
        /// Services ids: the first is the client of redirects, and apps may post tokens of all.
        package var webClientIDs: [String] = []
        /// Replaces `https://appleid.apple.com`; the issuer stays.
        package var endpoint: String?
        package var requiresNonce = false
        /// Seconds since `iat`.
        package var maximumAge = 600
        /// Whether an app's token is refused when its `c_hash` does not fit the posted code.
        ///
        /// Apple does not document how it makes these hashes. Unless this is set, a mismatch is only reported.
        package var enforcesCodeHash = false
        /// Whether stored refresh tokens are checked once a day.
        package var checksTokens = true
        /// The former team of a moved app, and the time until which former identities are accepted.
        package var arrival: (fromTeam: String, until: Date)?

        package init(teamID: String, nativeClientIDs: [String]) {
            self.teamID = teamID
            self.nativeClientIDs = nativeClientIDs
        }
    }

    static let issuer = "https://appleid.apple.com"
    /// Seconds of tolerance after `exp`, for tokens and notifications.
    static let expirySkew = 30
    static let relayDomain = "privaterelay.appleid.com"

    package let id = ProviderID.apple
    package var realms: [String] { [configuration.teamID] }
    package let displayName = "Apple"
    package let health: ProviderHealth
    let configuration: Configuration
    let base: String
    let exchange: AppleCodeExchange?
    /// Nil when redirects to Apple are not configured.
    let web: AppleWebClient?
    let keys: KeySetCache
    /// Nil where no native app is configured.
    private let verifier: IDTokenVerifier?

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        let base = try Endpoint.base(configuration.endpoint, default: Self.issuer, setting: "APPLE_ENDPOINT")
        let keys = KeySetCache(source: .pinned(base + "/auth/keys"), algorithms: [.RS256], upstream: upstream)
        let exchange = try AppleCodeExchange(configuration, base: base, keys: keys, upstream: upstream)
        web = try AppleWebClient(configuration, base: base, keys: keys, exchange: exchange)
        verifier = try Self.nativeVerifier(configuration, keys: keys)
        (self.keys, self.exchange, self.configuration, self.base) = (keys, exchange, configuration, base)
        health = upstream.health
    }

    /// The rules of both flows, except audiences and nonce.
    static func rules(
        _ configuration: Configuration, audiences: [String], setting: String
    ) -> IDTokenVerifier.Rules {
        var rules = IDTokenVerifier.Rules(issuers: [issuer], audiences: audiences, setting: setting)
        rules.expirySkew = Self.expirySkew
        rules.maximumAge = configuration.maximumAge
        rules.maximumLifetime = 25 * 60 * 60
        return rules
    }

    private static func nativeVerifier(
        _ configuration: Configuration, keys: KeySetCache
    ) throws(ProviderConfigurationProblem) -> IDTokenVerifier? {
        guard !configuration.nativeClientIDs.isEmpty || configuration.webClientIDs.isEmpty else { return nil }
        var rules = rules(
            configuration, audiences: configuration.nativeClientIDs, setting: "APPLE_NATIVE_CLIENT_IDS")
        rules.nonce = NonceRule(encoding: .sha256Hex, isRequired: configuration.requiresNonce)
        return try IDTokenVerifier(rules, keys: keys)
    }

    package func preload() async {
        await keys.refreshIfDue()
    }

    package func refreshDue() async {
        await keys.refreshIfDue()
    }

    /// A code that comes with a token is exchanged; without a key it is ignored.
    package func asksProvider(about credential: JSONObject) -> Bool {
        exchange != nil && credential["authorization_code"]?.string != nil
    }

    package func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let posted = try CredentialReader(
            credential, of: "id_token", "nonce", "authorization_code", "name")
        let jwt = try IDTokenVerifier.parse(posted, member: "id_token", maximumLength: 8_192)
        let (nonce, code) = (try posted.nonce(), try posted.opaque("authorization_code"))
        let token = try await verified(jwt, nonce: nonce, at: now)
        if let code { try checkCodeHash(of: code, in: token, isEnforced: configuration.enforcesCodeHash) }
        var identity = ExternalIdentity(
            provider: id, realm: configuration.teamID, subject: token.subject, audiences: token.audiences,
            email: email(in: token.claims), displayName: Self.name(in: credential),
            authenticatedAt: token.authenticatedAt, issuedAt: token.issuedAt, nonce: token.nonce,
            replayDigest: token.signedDigest, replayEnd: token.replayEnd)
        identity.former = former(in: token.claims, at: now)
        if let code { identity.upstreamTokens = try await exchanged(code, for: token, at: now) }
        return identity
    }

    private func verified(
        _ jwt: JWT, nonce: String?, at now: Date
    ) async throws(ProviderError) -> VerifiedClaims {
        guard let verifier else { throw .refused(.audienceMismatch) }
        do {
            return try await verifier.verify(jwt, nonce: nonce, at: now)
        } catch {
            guard error == .refused(.audienceMismatch) else { throw error }
            health.note(.audienceMismatch)
            let audience = jwt.claims["aud"]?.string ?? ""
            let isWeb = configuration.webClientIDs.contains { $0.hasSameBytes(as: audience) }
            throw .refused(isWeb ? .audienceFlowMismatch : .audienceMismatch)
        }
    }

    /// Checks that a `c_hash` belongs to the code, in the form of OpenID Connect Core §3.3.2.11.
    func checkCodeHash(of code: String, in token: VerifiedClaims, isEnforced: Bool) throws(ProviderError) {
        guard token.hashFits("c_hash", of: code) == false else { return }
        health.note(.codeHashMismatch)
        if isEnforced { throw .refused(.codeTokenMismatch) }
    }

    private func exchanged(
        _ code: String, for token: VerifiedClaims, at now: Date
    ) async throws(ProviderError) -> [UpstreamToken] {
        guard let exchange else {
            health.note(.codeNotExchanged)
            return []
        }
        return try await exchange.tokens(for: code, postedWith: token, at: now)
    }

    /// Flags come as Booleans or as the strings "true" and "false"; anything else counts as false.
    func email(in claims: JSONObject) -> ExternalEmail? {
        guard let address = claims["email"]?.string else { return nil }
        let isVerified = flag(claims["email_verified"])
        let email = ExternalEmail(address: address, authority: isVerified ? .verifiedByAuthority : .unverified)
        guard let email, flag(claims["is_private_email"]) || email.isOfRelayDomain else { return email }
        return ExternalEmail(address: address, authority: email.authority, isRelay: true)
    }

    private func flag(_ value: JSON?) -> Bool {
        switch value {
        case .bool(let flag)?: return flag
        case .string("true")?: return true
        case .none, .string("false")?: return false
        default:
            health.note(.flagOfWrongType)
            return false
        }
    }

    /// The posted name: a text, or an object with `given` and `family`.
    ///
    /// A malformed name, or part of one, is left out and never causes a refusal.
    private static func name(in credential: JSONObject) -> String? {
        let name = credential["name"]
        if let text = name?.string { return DisplayName.joined([text]) }
        return DisplayName.joined([name?["given"]?.string, name?["family"]?.string])
    }
}
