package import Cryptography
package import FoundationEssentials
package import JSON
import Outbound

/// Any issuer that follows OpenID Connect Core and Discovery; Google's deviations are known.
///
/// An app posts an ID token or a code; a browser brings a code. Only the operator chooses the issuer.
///
/// - Google writes its issuer in two ways; both are one realm.
/// - Google is an authority for `gmail.com`, and for the domain named in `hd`. Only the `hd` claim counts, not
///   the request parameter.
package struct OpenIDConnectProvider: TokenSignIn, KeepsDocuments, ReportsHealth {
    /// The addresses for which `email_verified: true` of this issuer counts as proof.
    package enum EmailDomains: Sendable, Equatable {
        case noDomain
        case listed([String])
        case any
        /// `gmail.com`, and the domain in the verified `hd` claim.
        case google
    }

    package struct Configuration: Sendable {
        package var id: ProviderID
        package var name: String
        package var issuer: String
        /// The audiences of ID tokens; code exchanges use the first, to which the secret belongs.
        package var clientIDs: [String]
        package var clientSecret: Secret?
        package var algorithms: Set<SignatureAlgorithm> = [.RS256]
        /// Nil: Google's rule for Google, none for others.
        package var emailDomains: EmailDomains?
        /// The required `hd` claim; `*` accepts any.
        package var hostedDomain: String?
        /// Apps that may receive tokens for us, in addition to the clients themselves (`azp`).
        package var authorizedParties: [String] = []
        /// Replaces the issuer's address; the issuer stays.
        package var endpoint: String?
        package var requiresNonce = false
        /// Whether its assertions begin sessions of apps.
        package var isTrustedToAssert = false
        /// Seconds since `iat`.
        package var maximumAge = 3_600

        package init(id: ProviderID, name: String, issuer: String, clientIDs: [String]) {
            self.id = id
            self.name = name
            self.issuer = issuer
            self.clientIDs = clientIDs
        }
    }

    private static let googleIssuers = ["https://accounts.google.com", "accounts.google.com"]

    package let id: ProviderID
    package var realms: [String] { [realm] }
    package let displayName: String
    package let health: ProviderHealth
    let configuration: Configuration
    let metadata: IssuerMetadataCache
    private let emailDomains: EmailDomains
    let isGoogle: Bool
    let verifier: IDTokenVerifier
    let upstream: Upstream

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        let prefix = "OIDC_\(configuration.id.rawValue.uppercased())"
        let isGoogle = Self.googleIssuers.contains { $0.hasSameBytes(as: configuration.issuer) }
        let issuers = isGoogle ? Self.googleIssuers : [configuration.issuer]
        guard let issuer = try? OutboundURL(issuers[0], allowsLocal: false), issuer.isEncrypted else {
            throw ProviderConfigurationProblem(setting: prefix + "_ISSUER", reason: "not an https address")
        }
        let base = try Endpoint.base(configuration.endpoint, default: issuers[0], setting: prefix + "_ENDPOINT")
        metadata = IssuerMetadataCache(
            issuers: issuers, at: base, origin: configuration.endpoint.map { _ in base }, upstream: upstream)
        var rules = IDTokenVerifier.Rules(
            issuers: issuers, audiences: configuration.clientIDs, setting: prefix + "_CLIENT_IDS")
        rules.algorithms = configuration.algorithms
        rules.authorizedParties = configuration.authorizedParties
        rules.maximumAge = configuration.maximumAge
        rules.nonce = NonceRule(encoding: .exact, isRequired: configuration.requiresNonce)
        let keys = KeySetCache(
            source: .discovered(metadata), algorithms: configuration.algorithms, upstream: upstream)
        verifier = try IDTokenVerifier(rules, keys: keys)
        emailDomains = configuration.emailDomains ?? (isGoogle ? .google : .noDomain)
        self.configuration = configuration
        self.upstream = upstream
        (id, displayName, health) = (configuration.id, configuration.name, upstream.health)
        realm = issuers[0]
        self.isGoogle = isGoogle
    }

    private let realm: String

    package func preload() async {
        await verifier.keys.refreshIfDue()
    }

    package func refreshDue() async {
        await verifier.keys.refreshIfDue()
    }

    package func asksProvider(about credential: JSONObject) -> Bool {
        credential["authorization_code"]?.string != nil
    }

    package func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let posted = try CredentialReader(
            credential, of: "id_token", "nonce", "authorization_code", "redirect_uri", "code_verifier")
        let nonce = try posted.nonce()
        guard let code = try posted.opaque("authorization_code") else {
            let jwt = try IDTokenVerifier.parse(posted, member: "id_token")
            let token = try await verifier.verify(jwt, nonce: nonce, at: now)
            return try identity(from: token, digest: token.signedDigest, end: token.replayEnd)
        }
        guard try posted.string("id_token") == nil else {
            throw .invalidRequest(member: "id_token", reason: "beside_authorization_code")
        }
        let redirect = try posted.required("redirect_uri")
        guard let proof = try posted.codeVerifier() else {
            throw .invalidRequest(member: "code_verifier", reason: "missing")
        }
        return try await identity(for: code, redirectURI: redirect, codeVerifier: proof, nonce: nonce, at: now)
    }

    /// The identity of a code; the exchange uses the first client, and the token must be for it.
    func identity(
        for code: String, redirectURI: String, codeVerifier: String, nonce: String?, at now: Date
    ) async throws(ProviderError) -> ExternalIdentity {
        let deadline = upstream.deadline()
        let found = try await metadata.current()
        guard let url = found.tokenURL else { throw .misconfigured(reason: "token_endpoint_missing") }
        // Input from apps and browsers can cause these words too, so they are no alert for the operator.
        let endpoint = TokenEndpoint(
            url: url, upstream: upstream, exceptions: ["invalid_request": .code, "redirect_uri_mismatch": .code])
        let clientID = configuration.clientIDs[0]
        let answer = try await endpoint.exchange(
            code: code, clientID: clientID, client: client(found), redirectURI: redirectURI,
            codeVerifier: codeVerifier, by: deadline)
        let token = try await verifier.verify(
            try endpoint.idToken(in: answer), boughtWith: answer, by: clientID, nonce: nonce, at: now)
        return try identity(from: token, digest: CodeReplay.digest(of: code), end: CodeReplay.end(now))
    }

    func client(_ metadata: IssuerMetadata) -> TokenEndpoint.Client {
        guard let secret = configuration.clientSecret else { return .none }
        return metadata.takesSecretInForm ? .secretInForm(secret) : .basic(secret)
    }

    func identity(
        from token: VerifiedClaims, digest: [UInt8], end: ReplayEnd
    ) throws(ProviderError) -> ExternalIdentity {
        try checkHostedDomain(token.claims)
        return ExternalIdentity(
            provider: id, realm: realm, subject: token.subject, audiences: token.audiences,
            email: email(in: token.claims), displayName: DisplayName.joined([token.claims["name"]?.string]),
            authenticatedAt: token.authenticatedAt, issuedAt: token.issuedAt, nonce: token.nonce, replayDigest: digest,
            replayEnd: end)
    }

    private func checkHostedDomain(_ claims: JSONObject) throws(ProviderError) {
        guard let demanded = configuration.hostedDomain else { return }
        guard let hosted = claims["hd"]?.string, !hosted.isEmpty,
            demanded == "*" || demanded.hasSameBytes(as: hosted)
        else { throw .refused(.domainNotAllowed) }
    }

    private func email(in claims: JSONObject) -> ExternalEmail? {
        guard let address = claims["email"]?.string,
            let email = ExternalEmail(address: address, authority: .unverified)
        else { return nil }
        guard claims["email_verified"] == .bool(true), isAuthority(for: email.domain, hosted: claims["hd"]?.string)
        else { return email }
        return ExternalEmail(address: address, authority: .verifiedByAuthority)
    }

    private func isAuthority(for domain: String, hosted: String?) -> Bool {
        switch emailDomains {
        case .noDomain: false
        case .any: true
        case .listed(let domains): domains.contains { ASCII.equalIgnoringCase($0, domain) }
        case .google:
            domain == "gmail.com" || hosted.flatMap(InternationalDomain.ascii)?.hasSameBytes(as: domain) ?? false
        }
    }
}
