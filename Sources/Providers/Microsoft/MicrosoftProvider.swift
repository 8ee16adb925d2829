package import Cryptography
package import FoundationEssentials
package import JSON

/// Microsoft Entra: version 2 ID tokens of MSAL apps, from workforce and from external tenants.
///
/// Pages: "ID token claims reference", "Migrate away from using email claims" (learn.microsoft.com).
///
/// - The tenant is checked first: without an allow-list any tenant in the world could name any user.
/// - The subject is (tenant, `oid`). `sub` differs per app; `preferred_username`, `upn` and `email` can pass to another
///   user.
/// - The tenant administrator controls an address. It counts only with `xms_edov`, or for a trusted external tenant.
package struct MicrosoftProvider: TokenSignIn, KeepsDocuments, ReportsHealth {
    package struct Configuration: Sendable {
        /// The audiences of ID tokens; redirects and code exchanges use the first.
        package var clientIDs: [String]
        /// Workforce tenants, as GUIDs.
        package var tenantIDs: [String]
        /// External (`ciamlogin.com`) tenants, as GUIDs.
        package var externalTenantIDs: [String] = []
        package var trustsTenantEmail = false
        /// Replaces `https://login.microsoftonline.com` and `https://{tenant}.ciamlogin.com`.
        package var endpoint: String?
        /// The tenant of redirects; nil for the first one.
        package var webTenantID: String?
        /// The secret of the first client, if it is a confidential one.
        package var clientSecret: Secret?
        package var requiresNonce = false
        /// Seconds since `iat`, which Entra has dated back by five minutes in practice.
        package var maximumAge = 900
        /// Sign-in with a name at one of the external tenants; nil if only tokens and codes are accepted.
        package var native: Native?

        package init(clientIDs: [String], tenantIDs: [String]) {
            self.clientIDs = clientIDs
            self.tenantIDs = tenantIDs
        }
    }

    /// The app and authority of native authentication.
    package struct Native: Sendable {
        package var clientID: String
        /// `https://{name}.ciamlogin.com/{tenant}`: the tenant is a GUID, or a domain if only one tenant is configured.
        package var authority: String
        /// Whether an unknown name begins a sign-up.
        package var allowsSignUp = false

        package init(clientID: String, authority: String) {
            (self.clientID, self.authority) = (clientID, authority)
        }
    }

    struct NativeTenant: Sendable {
        let api: MicrosoftAPI
        let tenant: Tenant
        /// Accepts the native app's ID tokens only.
        let verifier: IDTokenVerifier
        let allowsSignUp: Bool
    }

    struct Tenant: Sendable {
        let id: String
        let isExternal: Bool
        let issuer: String
        let metadata: IssuerMetadataCache
        let verifier: IDTokenVerifier
    }

    package let id = ProviderID.microsoft
    package var realms: [String] { tenants.values.map(\.id).sorted() }
    package let displayName = "Microsoft"
    package let health: ProviderHealth
    let configuration: Configuration
    let upstream: Upstream
    /// The tenant of redirects.
    let webTenant: Tenant
    let native: NativeTenant?
    /// Waits for a turn, and between two polls for a new password.
    let pause: @Sendable (Duration) async throws -> Void
    private let tenants: [String: Tenant]

    /// - Parameter pace: the limit of calls for sign-ins with a name.
    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(
        _ configuration: Configuration, upstream: Upstream, pace: RequestPace = MicrosoftPacer.usual,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws(ProviderConfigurationProblem) {
        var tenants: [String: Tenant] = [:]
        for (listed, isExternal) in [(configuration.tenantIDs, false), (configuration.externalTenantIDs, true)] {
            let setting = isExternal ? "MICROSOFT_EXTERNAL_TENANT_IDS" : "MICROSOFT_TENANT_IDS"
            for tenant in listed.map({ $0.lowercased() }) {
                guard Self.isGUID(tenant) else {
                    throw ProviderConfigurationProblem(setting: setting, reason: "not a list of tenant GUIDs")
                }
                tenants[tenant] = try Self.tenant(tenant, isExternal, configuration, upstream)
            }
        }
        guard let first = (configuration.tenantIDs + configuration.externalTenantIDs).first else {
            throw ProviderConfigurationProblem(setting: "MICROSOFT_TENANT_IDS", reason: "names no tenant")
        }
        guard let webTenant = tenants[(configuration.webTenantID ?? first).lowercased()] else {
            throw ProviderConfigurationProblem(
                setting: "MICROSOFT_WEB_TENANT_ID", reason: "not among the tenants that are listed")
        }
        native = try configuration.native.map { native throws(ProviderConfigurationProblem) in
            try Self.native(
                native, tenants, configuration, upstream, MicrosoftPacer(pace, upstream: upstream, pause: pause))
        }
        (self.tenants, self.webTenant, self.pause) = (tenants, webTenant, pause)
        (self.configuration, self.upstream) = (configuration, upstream)
        health = upstream.health
    }

    package func preload() async {
        for tenant in tenants.values { await tenant.verifier.keys.refreshIfDue() }
    }

    package func refreshDue() async {
        await preload()
    }

    package func verify(_ credential: JSONObject, at now: Date) async throws(ProviderError) -> ExternalIdentity {
        let posted = try CredentialReader(credential, of: "id_token", "nonce")
        let jwt = try IDTokenVerifier.parse(posted, member: "id_token")
        let nonce = try posted.nonce()
        guard let tenant = jwt.claims["tid"]?.string.flatMap({ tenants[$0] }) else { throw .refused(.tenantNotAllowed) }
        guard !Self.isAccessToken(jwt.claims) else { throw .refused(.wrongTokenType) }
        let token = try await tenant.verifier.verify(jwt, nonce: nonce, at: now)
        return try identity(from: token, of: tenant, digest: token.signedDigest, end: token.replayEnd)
    }

    func identity(
        from token: VerifiedClaims, of tenant: Tenant, digest: [UInt8], end: ReplayEnd
    ) throws(ProviderError) -> ExternalIdentity {
        guard let object = token.claims["oid"]?.string, Self.isGUID(object) else { throw .refused(.subjectInvalid) }
        return ExternalIdentity(
            provider: id, realm: tenant.id, subject: object, audiences: token.audiences,
            email: email(in: token.claims, of: tenant), displayName: DisplayName.joined([token.claims["name"]?.string]),
            authenticatedAt: token.authenticatedAt, issuedAt: token.issuedAt, nonce: token.nonce, replayDigest: digest,
            replayEnd: end)
    }

    private func email(in claims: JSONObject, of tenant: Tenant) -> ExternalEmail? {
        guard let address = claims["email"]?.string else { return nil }
        let isProved = Self.isDomainOwnerVerified(claims["xms_edov"])
        let isTrusted = isProved ?? (tenant.isExternal && configuration.trustsTenantEmail)
        return ExternalEmail(address: address, authority: isTrusted ? .verifiedByAuthority : .unverified)
    }

    /// `xms_edov` comes as `true`, `1`, `"1"` or `"true"`; nil when it is absent.
    private static func isDomainOwnerVerified(_ value: JSON?) -> Bool? {
        switch value {
        case .none: nil
        case .bool(true)?, .integer(1)?, .string("1")?, .string("true")?: true
        default: false
        }
    }

    /// Only access tokens have scopes, or name the calling app as version 1 did.
    static func isAccessToken(_ claims: JSONObject) -> Bool {
        claims["scp"] != nil || claims["appid"] != nil || claims["ver"].map { $0.string != "2.0" } ?? false
    }

    private static func tenant(
        _ tenant: String, _ isExternal: Bool, _ configuration: Configuration, _ upstream: Upstream
    ) throws(ProviderConfigurationProblem) -> Tenant {
        let host = isExternal ? "https://\(tenant).ciamlogin.com" : "https://login.microsoftonline.com"
        let issuer = "\(host)/\(tenant)/v2.0"
        let called = try Endpoint.base(configuration.endpoint, default: host, setting: "MICROSOFT_ENDPOINT")
        let metadata = IssuerMetadataCache(
            issuers: [issuer], at: "\(called)/\(tenant)/v2.0", origin: configuration.endpoint.map { _ in called },
            upstream: upstream)
        var rules = IDTokenVerifier.Rules(
            issuers: [issuer], audiences: configuration.clientIDs, setting: "MICROSOFT_CLIENT_IDS")
        rules.maximumAge = configuration.maximumAge
        rules.nonce = NonceRule(encoding: .exact, isRequired: configuration.requiresNonce)
        rules.readsKeyIssuers = true
        let keys = KeySetCache(source: .discovered(metadata), algorithms: [.RS256], upstream: upstream)
        let verifier = try IDTokenVerifier(rules, keys: keys)
        return Tenant(id: tenant, isExternal: isExternal, issuer: issuer, metadata: metadata, verifier: verifier)
    }

    /// Lower-case hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    static func isGUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
