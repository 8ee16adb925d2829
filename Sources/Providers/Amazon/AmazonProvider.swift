package import Cryptography
package import FoundationEssentials
package import JSON

/// Login with Amazon: an access token, or a code that is exchanged for one.
///
/// Pages: "Access Tokens", "Obtain Customer Profile Information", "Impersonating a Resource Owner"
/// (developer.amazon.com).
///
/// - Plain OAuth: nothing is signed. Amazon names the user and the app of a token.
/// - The app (`aud`) is checked before any other request, because another app's token opens the profile too.
/// - `exp` is the number of seconds left, `iat` is a time.
/// - Amazon does not say whether an address is verified, so no address is proved.
package struct AmazonProvider: TokenSignIn, ReportsHealth {
    package enum Region: String, Sendable, CaseIterable {
        case northAmerica = "na"
        case europe = "eu"
        case farEast = "fe"

        var apiHost: String {
            switch self {
            case .northAmerica: "https://api.amazon.com"
            case .europe: "https://api.amazon.co.uk"
            case .farEast: "https://api.amazon.co.jp"
            }
        }

        /// The host of the sign-in page.
        var webHost: String {
            switch self {
            case .northAmerica: "https://www.amazon.com"
            case .europe: "https://eu.account.amazon.com"
            case .farEast: "https://apac.account.amazon.com"
            }
        }
    }

    /// The scopes of Login with Amazon.
    package enum Scope: String, Sendable, CaseIterable {
        case profile
        case userID = "profile:user_id"
        case postalCode = "postal_code"
    }

    package struct Configuration: Sendable {
        /// The audiences of access tokens; the secret belongs to the first, which is also the default client of codes.
        ///
        /// With a secret, the first client is a website. Tokens from apps are then for the other clients, if there are
        /// any.
        package var clientIDs: [String]
        /// Required in addition to the audience when set.
        package var applicationID: String?
        package var clientSecret: Secret?
        package var region = Region.northAmerica
        package var scopes = [Scope.profile]
        /// The developer account: a user id is unique within it.
        package var accountName: String
        /// Replaces the region's API host and the sign-in page.
        package var endpoint: String?
        package var issuers = ["https://www.amazon.com"]
        /// Seconds since `iat`; without a nonce only the age limits replays.
        package var maximumAge = 600

        package init(clientIDs: [String], accountName: String) {
            self.clientIDs = clientIDs
            self.accountName = accountName
        }
    }

    package let id = ProviderID.amazon
    package var realms: [String] { [configuration.accountName] }
    package let displayName = "Amazon"
    package let health: ProviderHealth
    let configuration: Configuration
    let authorizationEndpoint: String
    private let access: AmazonAccess
    private let endpoint: TokenEndpoint

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        guard !configuration.clientIDs.isEmpty, configuration.clientIDs.allSatisfy({ !$0.isEmpty }) else {
            throw ProviderConfigurationProblem(setting: "AMAZON_CLIENT_IDS", reason: "names no client")
        }
        guard !configuration.accountName.isEmpty else {
            throw ProviderConfigurationProblem(setting: "AMAZON_ACCOUNT_NAME", reason: "empty")
        }
        guard !configuration.issuers.isEmpty else {
            throw ProviderConfigurationProblem(setting: "AMAZON_ISSUERS", reason: "names no issuer")
        }
        let base = try Endpoint.base(
            configuration.endpoint, default: configuration.region.apiHost, setting: "AMAZON_ENDPOINT")
        access = AmazonAccess(base: base, upstream: upstream)
        endpoint = TokenEndpoint(url: base + "/auth/o2/token", upstream: upstream)
        authorizationEndpoint = (configuration.endpoint == nil ? configuration.region.webHost : base) + "/ap/oa"
        health = upstream.health
        self.configuration = configuration
    }

    package var bindsNonces: Bool { false }

    /// Only Amazon can check a token or a code.
    package func asksProvider(about credential: JSONObject) -> Bool {
        credential["authorization_code"]?.string != nil
            || credential["access_token"]?.string.map(AmazonAccess.isAccessToken) ?? false
    }

    package func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let posted = try CredentialReader(
            credential, of: "access_token", "authorization_code", "redirect_uri", "client_id", "code_verifier", "nonce")
        guard let code = try posted.opaque("authorization_code") else {
            let token = try accessToken(posted)
            return try await identity(
                behind: token, for: appClientIDs, replay: (SHA256.hash(token), nil), at: now,
                by: endpoint.upstream.deadline())
        }
        guard try posted.string("access_token") == nil else {
            throw .invalidRequest(member: "access_token", reason: "beside_authorization_code")
        }
        let redirect = try posted.required("redirect_uri")
        return try await identity(
            for: code, of: try clientID(posted), redirectURI: redirect, codeVerifier: try posted.codeVerifier(), at: now
        )
    }

    /// The client of a posted code; an app names it unless it is the first client.
    private func clientID(_ posted: CredentialReader) throws(ProviderError) -> String {
        guard let named = try posted.string("client_id") else { return configuration.clientIDs[0] }
        guard let known = configuration.clientIDs.first(where: named.hasSameBytes) else {
            throw .invalidRequest(member: "client_id", reason: "unknown", accepted: configuration.clientIDs)
        }
        return known
    }

    /// The identity of a code; the resulting token must belong to the same client.
    ///
    /// The secret belongs to the first client. Apps on phones have no secret, and Amazon requires none of them.
    func identity(
        for code: String, of clientID: String, redirectURI: String, codeVerifier: String?, at now: Date
    ) async throws(ProviderError) -> ExternalIdentity {
        let deadline = endpoint.upstream.deadline()
        let secret = clientID == configuration.clientIDs[0] ? configuration.clientSecret : nil
        let answer = try await endpoint.exchange(
            code: code, clientID: clientID, client: secret.map { .secretInForm($0) } ?? .none,
            redirectURI: redirectURI, codeVerifier: codeVerifier, by: deadline)
        guard let token = answer.accessToken?.revealedText, AmazonAccess.isAccessToken(token) else {
            throw endpoint.upstream.failure("upstream_malformed")
        }
        return try await identity(
            behind: token, for: [clientID], replay: (CodeReplay.digest(of: code), CodeReplay.end(now)), at: now,
            by: deadline)
    }

    /// The clients of tokens that apps post; a website gets its own tokens through codes.
    ///
    /// A single client stands for both.
    private var appClientIDs: [String] {
        let ids = configuration.clientIDs
        return configuration.clientSecret != nil && ids.count > 1 ? Array(ids.dropFirst()) : ids
    }

    /// Refuses a percent-encoded or different token, because the app must correct it.
    private func accessToken(_ posted: CredentialReader) throws(ProviderError) -> String {
        let token = try posted.token("access_token", maximumLength: 2_048)
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidRequest(member: "access_token", reason: "token_malformed")
        }
        guard AmazonAccess.isAccessToken(token) else {
            if token.hasPrefix("Atzr|") { health.note(.refreshTokenPosted) }
            throw .invalidRequest(member: "access_token", reason: "token_kind")
        }
        return token
    }

    /// - Parameter replay: the replay digest and its end; nil for the lifetime of the token.
    private func identity(
        behind token: String, for clientIDs: [String], replay: (digest: [UInt8], end: ReplayEnd?), at now: Date,
        by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> ExternalIdentity {
        let info = try await access.tokenInfo(token, by: deadline)
        let holder = try check(info, for: clientIDs, at: now)
        let profile = try await access.profile(token, of: holder.userID, by: deadline)
        var identity = ExternalIdentity(
            provider: id, realm: configuration.accountName, subject: holder.userID,
            audiences: [info.audience].compactMap(\.self),
            email: profile?["email"]?.string.flatMap { ExternalEmail(address: $0, authority: .unverified) },
            displayName: DisplayName.joined([profile?["name"]?.string]), issuedAt: holder.issuedAt,
            replayDigest: replay.digest,
            replayEnd: replay.end ?? .counted(now.addingTimeInterval(Double(holder.secondsLeft))))
        identity.attributes = attributes(of: profile)
        return identity
    }

    /// The attributes that the operator asks Amazon for; an app's token may carry more.
    private func attributes(of profile: JSONObject?) -> [String: String] {
        guard configuration.scopes.contains(.postalCode),
            let code = profile?["postal_code"]?.string.flatMap({ DisplayName.clean($0, limit: 20) })
        else { return [:] }
        return ["postal_code": code]
    }

    private func check(
        _ info: AmazonTokenInfo, for clientIDs: [String], at now: Date
    ) throws(ProviderError) -> AmazonTokenInfo.Holder {
        guard info.isFor(clientIDs) else {
            health.note(.audienceMismatch)
            let website = configuration.clientIDs[0]
            let isWebsites = !clientIDs.contains(website) && info.isFor([website])
            throw .refused(isWebsites ? .audienceFlowMismatch : .audienceMismatch)
        }
        guard configuration.applicationID.map(info.isOf) ?? true else { throw .refused(.appMismatch) }
        guard info.isFrom(configuration.issuers) else { throw .refused(.issuerNotAllowed) }
        guard let userID = info.userID else { throw endpoint.upstream.failure("upstream_malformed") }
        return try info.holder(userID, maximumAge: configuration.maximumAge, at: now)
    }
}
