package import Cryptography
package import FoundationEssentials
package import JSON

/// Facebook Login: an app's access token, an app's ID token of Limited Login, or a browser's code.
///
/// Pages: "Manually Build a Login Flow", "Access Tokens", "Secure Graph API Calls", "OIDC Token for Limited Login"
/// (developers.facebook.com).
///
/// - Facebook first names the app of an access token, because another app's token opens the profile too. Every request
///   for a profile carries a proof made with the app's secret.
/// - The issuer and the key address of Limited Login are pinned.
/// - The subject is the user's id within our app: the app is the realm.
/// - Facebook does not say whether an address is verified, so no address is proved.
package struct FacebookProvider: TokenSignIn, KeepsDocuments, ReportsHealth {
    package struct Configuration: Sendable {
        package var appID: String
        package var appSecret: Secret
        /// Replaces facebook.com and its API; the issuers stay.
        package var endpoint: String?
        package var requiresNonce = false
        /// Seconds since a token was issued.
        package var maximumAge = 600

        package init(appID: String, appSecret: Secret) {
            self.appID = appID
            self.appSecret = appSecret
        }
    }

    /// The version of the Graph API; each is available for at least two years.
    static let version = "v23.0"
    static let issuers = ["https://limited.facebook.com", "https://www.facebook.com"]

    package let id = ProviderID.facebook
    package var realms: [String] { [configuration.appID] }
    package let displayName = "Facebook"
    package let health: ProviderHealth
    let configuration: Configuration
    let client: OAuthClient
    let graph: FacebookGraph
    private let verifier: IDTokenVerifier

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        guard Subject.isDecimal(configuration.appID) else {
            throw ProviderConfigurationProblem(setting: "FACEBOOK_APP_ID", reason: "not a number")
        }
        guard !configuration.appSecret.isEmpty else {
            throw ProviderConfigurationProblem(setting: "FACEBOOK_APP_SECRET", reason: "empty")
        }
        func base(_ usual: String) throws(ProviderConfigurationProblem) -> String {
            try Endpoint.base(configuration.endpoint, default: usual, setting: "FACEBOOK_ENDPOINT")
        }
        let api = try base("https://graph.facebook.com") + "/" + Self.version
        graph = FacebookGraph(base: api, configuration: configuration, upstream: upstream)
        client = OAuthClient(
            request: AuthorizationRequest(
                endpoint: try base("https://www.facebook.com") + "/\(Self.version)/dialog/oauth",
                clientID: configuration.appID, scope: "public_profile email"),
            reauthentication: [("auth_type", "reauthenticate")],
            authentication: .secretInForm(configuration.appSecret),
            endpoint: TokenEndpoint(
                url: api + "/oauth/access_token", upstream: upstream, errorWord: FacebookGraph.errorWord))
        let keys = KeySetCache(
            source: .pinned(try base("https://limited.facebook.com") + "/.well-known/oauth/openid/jwks/"),
            algorithms: [.RS256], upstream: upstream)
        var rules = IDTokenVerifier.Rules(
            issuers: Self.issuers, audiences: [configuration.appID], setting: "FACEBOOK_APP_ID")
        rules.maximumAge = configuration.maximumAge
        rules.nonce = NonceRule(encoding: .exact, isRequired: configuration.requiresNonce)
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

    /// Only Facebook can check an access token.
    package func asksProvider(about credential: JSONObject) -> Bool {
        credential["access_token"]?.string != nil
    }

    package func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let posted = try CredentialReader(credential, of: "access_token", "id_token", "nonce")
        guard let text = try posted.opaque("access_token", maximumLength: 4_096) else {
            return try await limited(posted, at: now)
        }
        guard try posted.string("id_token") == nil else {
            throw .invalidRequest(member: "id_token", reason: "beside_access_token")
        }
        guard let token = BearerToken(text) else {
            throw .invalidRequest(member: "access_token", reason: "malformed")
        }
        // An access token cannot carry a nonce.
        guard !configuration.requiresNonce else { throw .refused(.nonceMissing) }
        return try await identity(behind: token, at: now)
    }

    private func limited(_ posted: CredentialReader, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let nonce = try posted.nonce()
        let token = try await verifier.verify(
            try IDTokenVerifier.parse(posted, member: "id_token"), nonce: nonce, at: now)
        guard Subject.isDecimal(token.subject) else { throw .refused(.subjectInvalid) }
        return ExternalIdentity(
            provider: id, realm: configuration.appID, subject: token.subject, audiences: token.audiences,
            email: Self.email(in: token.claims), displayName: DisplayName.joined([token.claims["name"]?.string]),
            authenticatedAt: token.authenticatedAt, issuedAt: token.issuedAt, nonce: token.nonce,
            replayDigest: token.signedDigest, replayEnd: token.replayEnd)
    }

    private func identity(behind token: BearerToken, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let deadline = client.upstream.deadline()
        let info = try await graph.info(of: token, by: deadline)
        let holder = try info.holder(of: configuration, at: now, health: health)
        let person = try await graph.person(token, by: deadline)
        guard person.id.hasSameBytes(as: holder.userID) else {
            health.note(.subjectMismatch)
            throw .refused(.subjectMismatch)
        }
        let end = holder.issuedAt.addingTimeInterval(Double(configuration.maximumAge) + 60)
        return ExternalIdentity(
            provider: id, realm: configuration.appID, subject: person.id, audiences: [configuration.appID],
            email: person.email, displayName: person.name, issuedAt: holder.issuedAt,
            replayDigest: SHA256.hash(token.text), replayEnd: .itsOwn(end))
    }

    static func email(in object: JSONObject) -> ExternalEmail? {
        object["email"]?.string.flatMap { ExternalEmail(address: $0, authority: .unverified) }
    }
}
