import Cryptography
import Providers

extension ProviderSettings {
    /// The settings in the words of the adapters.
    ///
    /// What can't be used is a complaint with the key's name.
    func providers() throws(ConfigurationError) -> ProvidersConfiguration {
        var providers = ProvidersConfiguration()
        providers.apple = try apple.map { settings throws(ConfigurationError) in try self.apple(settings) }
        providers.amazon = amazon.map(amazon)
        providers.microsoft = microsoft.map(microsoft)
        providers.cognito = cognito.map(cognito)
        providers.github = github.map(github)
        providers.openIDConnect = openIDConnect.compactMap(openIDConnect)
        return providers
    }

    private var requiresNonce: Bool { nonces == .required }

    private func apple(_ settings: AppleSettings) throws(ConfigurationError) -> AppleProvider.Configuration {
        var apple = AppleProvider.Configuration(teamID: settings.teamID, nativeClientIDs: settings.nativeClientIDs)
        apple.keyID = settings.keyID
        if let pem = settings.privateKey?.revealedText {
            guard let key = try? PrivateKey(pem: pem) else {
                throw ConfigurationError(complaints: [
                    .init(key: "APPLE_PRIVATE_KEY", text: "is no PKCS #8 private key in PEM form")
                ])
            }
            apple.privateKey = key
        }
        apple.webClientIDs = settings.webClientIDs
        apple.endpoint = settings.endpoint
        apple.checksTokens = settings.checksTokens
        apple.enforcesCodeHash = settings.enforcesCodeHash
        apple.arrival = settings.arrival.map { ($0.fromTeam, $0.until) }
        apple.requiresNonce = requiresNonce
        return apple
    }

    private func amazon(_ settings: AmazonSettings) -> AmazonProvider.Configuration {
        var amazon = AmazonProvider.Configuration(clientIDs: settings.clientIDs, accountName: settings.accountName)
        amazon.applicationID = settings.appID
        amazon.clientSecret = settings.clientSecret
        amazon.region = AmazonProvider.Region(rawValue: settings.region.rawValue) ?? .northAmerica
        if let issuers = settings.issuers { amazon.issuers = issuers }
        amazon.endpoint = settings.endpoint
        if let age = settings.maximumAgeSeconds { amazon.maximumAge = age }
        return amazon
    }

    private func microsoft(_ settings: MicrosoftSettings) -> MicrosoftProvider.Configuration {
        let external = Set(settings.externalTenantIDs)
        var microsoft = MicrosoftProvider.Configuration(
            clientIDs: settings.clientIDs, tenantIDs: settings.tenantIDs.filter { !external.contains($0) })
        microsoft.externalTenantIDs = settings.externalTenantIDs
        microsoft.trustsTenantEmail = settings.trustsTenantEmail
        microsoft.endpoint = settings.endpoint
        microsoft.webTenantID = settings.webTenantID
        microsoft.clientSecret = settings.clientSecret
        microsoft.requiresNonce = requiresNonce
        if let client = settings.nativeClientID, let authority = settings.nativeAuthority {
            var native = MicrosoftProvider.Native(clientID: client, authority: authority)
            native.allowsSignUp = settings.allowsNativeSignUp
            microsoft.native = native
        }
        return microsoft
    }

    private func cognito(_ settings: CognitoSettings) -> CognitoProvider.Configuration {
        var cognito = CognitoProvider.Configuration(
            region: settings.region, userPoolID: settings.userPoolID, clientIDs: settings.clientIDs)
        cognito.trustsEmail = settings.trustsEmail
        cognito.endpoint = settings.endpoint
        cognito.authFlow = settings.authFlow
        cognito.clientSecret = settings.clientSecret
        cognito.sessionLife = settings.sessionMinutes * 60
        // The pool's API has no way to put a nonce in: demanding one would refuse every token.
        return cognito
    }

    private func github(_ settings: GitHubSettings) -> GitHubProvider.Configuration {
        var github = GitHubProvider.Configuration(
            clientID: settings.clientID, clientSecret: settings.clientSecret)
        github.endpoint = settings.endpoint
        github.trustsEmail = settings.trustsEmail
        return github
    }

    private func openIDConnect(_ settings: OpenIDConnectSettings) -> OpenIDConnectProvider.Configuration? {
        guard let id = ProviderID(rawValue: settings.id) else { return nil }
        var provider = OpenIDConnectProvider.Configuration(
            id: id, name: settings.name, issuer: settings.issuer, clientIDs: settings.clientIDs)
        provider.clientSecret = settings.clientSecret
        provider.algorithms = Set(settings.algorithms)
        provider.emailDomains = Self.domains(settings)
        provider.hostedDomain = settings.hostedDomain
        provider.authorizedParties = settings.authorizedParties ?? []
        provider.endpoint = settings.endpoint
        provider.requiresNonce = requiresNonce
        return provider
    }

    /// Nil leaves it to the adapter, which knows Google's rule; a list is no more than it says.
    private static func domains(_ settings: OpenIDConnectSettings) -> OpenIDConnectProvider.EmailDomains? {
        guard let listed = settings.emailDomains else { return nil }
        return listed == ["any"] ? .any : .listed(listed)
    }
}
