package import Cryptography
package import FoundationEssentials
package import JSON

/// LINE Login v2.1: an ID token that an app posts, or a code that a browser brings.
///
/// Pages: "LINE Login v2.1 API reference", "Get profile information from ID tokens" (developers.line.biz).
///
/// - Apps get ID tokens with ES256 by LINE's published keys. The web gets them with HS256 by the channel secret. LINE
///   itself verifies those: no key of ours ever checks a signature that it could have made.
/// - The subject is `sub`. It is the same in all channels of one provider at LINE, and differs elsewhere.
/// - LINE does not say whether an address is verified, so no address is proved.
package struct LINEProvider: TokenSignIn, KeepsDocuments, ReportsHealth {
    package struct Configuration: Sendable {
        /// The audience of ID tokens.
        package var channelID: String
        package var channelSecret: Secret
        /// Replaces access.line.me and api.line.me; the issuer stays.
        package var endpoint: String?
        package var requiresNonce = false
        /// Seconds since `iat`.
        package var maximumAge = 600

        package init(channelID: String, channelSecret: Secret) {
            self.channelID = channelID
            self.channelSecret = channelSecret
        }
    }

    static let issuer = "https://access.line.me"

    package let id = ProviderID.line
    package var realms: [String] { [Self.issuer] }
    package let displayName = "LINE"
    package let health: ProviderHealth
    let configuration: Configuration
    let api: String
    let client: OAuthClient
    private let verifier: IDTokenVerifier

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        guard !configuration.channelID.isEmpty else {
            throw ProviderConfigurationProblem(setting: "LINE_CHANNEL_ID", reason: "empty")
        }
        guard !configuration.channelSecret.isEmpty else {
            throw ProviderConfigurationProblem(setting: "LINE_CHANNEL_SECRET", reason: "empty")
        }
        func base(_ usual: String) throws(ProviderConfigurationProblem) -> String {
            try Endpoint.base(configuration.endpoint, default: usual, setting: "LINE_ENDPOINT") + "/oauth2/v2.1"
        }
        api = try base("https://api.line.me")
        client = OAuthClient(
            request: AuthorizationRequest(
                endpoint: try base(Self.issuer) + "/authorize", clientID: configuration.channelID,
                scope: "openid profile email"),
            issuer: Self.issuer, authentication: .secretInForm(configuration.channelSecret),
            // A code of a wrong shape is an invalid request there.
            endpoint: TokenEndpoint(url: api + "/token", upstream: upstream, exceptions: ["invalid_request": .code]))
        var rules = IDTokenVerifier.Rules(
            issuers: [Self.issuer], audiences: [configuration.channelID], setting: "LINE_CHANNEL_ID")
        rules.algorithms = [.ES256]
        rules.maximumAge = configuration.maximumAge
        rules.nonce = NonceRule(encoding: .exact, isRequired: configuration.requiresNonce)
        let keys = KeySetCache(source: .pinned(api + "/certs"), algorithms: [.ES256], upstream: upstream)
        verifier = try IDTokenVerifier(rules, keys: keys)
        health = upstream.health
        self.configuration = configuration
    }

    package func preload() async {
        await verifier.keys.refreshIfDue()
    }

    package func refreshDue() async {
        await verifier.keys.refreshIfDue()
    }

    package func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let posted = try CredentialReader(credential, of: "id_token", "nonce")
        let nonce = try posted.nonce()
        let token = try await verifier.verify(
            try IDTokenVerifier.parse(posted, member: "id_token"), nonce: nonce, at: now)
        return ExternalIdentity(
            provider: id, realm: Self.issuer, subject: token.subject, audiences: token.audiences,
            email: Self.email(in: token.claims), displayName: DisplayName.joined([token.claims["name"]?.string]),
            authenticatedAt: token.authenticatedAt, issuedAt: token.issuedAt, nonce: token.nonce,
            replayDigest: token.signedDigest, replayEnd: token.replayEnd)
    }

    static func email(in claims: JSONObject) -> ExternalEmail? {
        claims["email"]?.string.flatMap { ExternalEmail(address: $0, authority: .unverified) }
    }
}
