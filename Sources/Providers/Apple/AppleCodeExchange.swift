import Cryptography
import FoundationEssentials
import JSON

/// Exchanges codes at Apple, and checks that a native code and its ID token name the same user.
struct AppleCodeExchange: Sendable {
    /// The lifetime of a client secret in seconds; Apple allows six months, one request needs a moment.
    private static let secretLife = 300

    private let teamID: String
    private let keyID: String
    private let key: PrivateKey
    let endpoint: TokenEndpoint
    private let revocation: RevocationEndpoint
    private let keys: KeySetCache

    /// Nil when no signing key is configured.
    init?(
        _ configuration: AppleProvider.Configuration, base: String, keys: KeySetCache, upstream: Upstream
    ) throws(ProviderConfigurationProblem) {
        guard let key = configuration.privateKey else { return nil }
        guard let keyID = configuration.keyID, !keyID.isEmpty else {
            throw ProviderConfigurationProblem(setting: "APPLE_KEY_ID", reason: "missing, but a private key is set")
        }
        teamID = configuration.teamID
        self.keyID = keyID
        self.key = key
        self.keys = keys
        endpoint = TokenEndpoint(url: base + "/auth/token", upstream: upstream)
        revocation = RevocationEndpoint(url: base + "/auth/revoke", upstream: upstream)
    }

    /// The refresh token that Apple gives for `code`.
    ///
    /// A native request had no redirect address, so none is sent.
    func tokens(
        for code: String, postedWith token: VerifiedClaims, at now: Date
    ) async throws(ProviderError) -> [UpstreamToken] {
        let clientID = token.audience
        let answer = try await endpoint.exchange(
            code: code, clientID: clientID, client: .secretInForm(try secret(for: clientID, at: now)),
            by: endpoint.upstream.deadline())
        try await check(answer, against: token, at: now)
        return Self.kept(answer, of: clientID)
    }

    /// Exchanges the code of a browser's answer.
    func exchange(
        _ code: String, of answer: RedirectAnswer, as clientID: String, at now: Date
    ) async throws(ProviderError) -> TokenEndpoint.Answer {
        try await endpoint.exchange(
            code: code, clientID: clientID, client: .secretInForm(try secret(for: clientID, at: now)),
            redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier, by: endpoint.upstream.deadline())
    }

    func revoke(_ token: UpstreamToken, at now: Date) async throws(ProviderError) {
        try await revocation.revoke(token, as: .secretInForm(try secret(for: token.clientID, at: now)))
    }

    /// Apple answers `invalid_request` both for a withdrawn consent and for a malformed request of ours.
    func standing(of token: UpstreamToken, at now: Date) async throws(ProviderError) -> TokenStanding {
        do throws(ProviderError) {
            _ = try await endpoint.refresh(
                token.token, clientID: token.clientID, client: .secretInForm(try secret(for: token.clientID, at: now)),
                by: endpoint.upstream.deadline())
            return .good
        } catch .refused(.codeInvalid) {
            return .dead
        } catch .misconfigured(reason: TokenEndpoint.requestInvalid) {
            return .doubtful
        }
    }

    /// The token to store from an answer, with the only client that can revoke it.
    static func kept(_ answer: TokenEndpoint.Answer, of clientID: String) -> [UpstreamToken] {
        guard let refresh = answer.refreshToken, !refresh.isEmpty else { return [] }
        return [UpstreamToken(kind: "refresh", clientID: clientID, token: refresh)]
    }

    /// The ID token from the token endpoint must be valid by itself, and name the same user and client.
    private func check(
        _ answer: TokenEndpoint.Answer, against token: VerifiedClaims, at now: Date
    ) async throws(ProviderError) {
        let second = try await verified(try endpoint.idToken(in: answer), for: token.audience, at: now)
        let nonce = (token.claims["nonce"]?.string, second.claims["nonce"]?.string)
        let access = answer.accessToken?.revealedText ?? ""
        guard second.subject.hasSameBytes(as: token.subject), nonce.1 == nil || nonce.0 == nonce.1,
            second.hashFits("at_hash", of: access) ?? true
        else {
            endpoint.upstream.health.note(.subjectMismatch)
            throw .refused(.codeTokenMismatch)
        }
    }

    private func verified(
        _ jwt: JWT, for clientID: String, at now: Date
    ) async throws(ProviderError) -> VerifiedClaims {
        do {
            let rules = IDTokenVerifier.Rules(issuers: [AppleProvider.issuer], audiences: [clientID], setting: "")
            return try await IDTokenVerifier(rules, keys: keys).verifyWithoutNonce(jwt, at: now)
        } catch let error as ProviderError {
            guard case .refused = error else { throw error }
            throw .refused(.codeTokenMismatch)
        } catch {
            throw .misconfigured(reason: "audience_missing")
        }
    }

    /// A client secret for one request, dated back a little because Apple uses its own clock.
    func secret(for clientID: String, at now: Date) throws(ProviderError) -> Secret {
        let issued = Int(now.timeIntervalSince1970) - 10
        let claims: JSON = [
            "iss": .string(teamID), "iat": .integer(issued), "exp": .integer(issued + Self.secretLife),
            "aud": .string(AppleProvider.issuer), "sub": .string(clientID),
        ]
        let signer = JWTSigner(key: key, keyID: keyID, algorithm: .ES256, type: nil)
        guard let text = try? signer.sign(claims) else { throw .misconfigured(reason: "client_secret_not_signed") }
        return Secret(text)
    }
}
