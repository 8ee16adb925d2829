import JSON

/// What browsers are sent to Apple with: the first services id, and the key that exchanges its codes.
struct AppleWebClient: Sendable {
    let id: String
    let authorizationEndpoint: String
    let exchange: AppleCodeExchange
    /// For tokens of this client alone; the nonce is compared as it is, unlike an app's.
    let verifier: IDTokenVerifier

    /// Nil where no services id, or no signing key, is configured.
    init?(
        _ configuration: AppleProvider.Configuration, base: String, keys: KeySetCache, exchange: AppleCodeExchange?
    ) throws(ProviderConfigurationProblem) {
        guard let id = configuration.webClientIDs.first else { return nil }
        var rules = AppleProvider.rules(configuration, audiences: [id], setting: "APPLE_WEB_CLIENT_IDS")
        rules.nonce = NonceRule(encoding: .exact, isRequired: true)
        let verifier = try IDTokenVerifier(rules, keys: keys)
        guard let exchange else { return nil }
        (self.id, self.exchange, self.verifier) = (id, exchange, verifier)
        authorizationEndpoint = base + "/auth/authorize"
    }

    /// The name in the `user` field, which comes at the first authorization only.
    ///
    /// Anybody can post one: nothing about it refuses a sign-in, and the address in it is left alone.
    static func name(in user: String?) -> String? {
        guard let user, let posted = try? JSON(parsing: user, limits: userLimits) else { return nil }
        return DisplayName.joined([posted["name"]?["firstName"]?.string, posted["name"]?["lastName"]?.string])
    }

    private static let userLimits = JSONLimits(bytes: 16 * 1024, members: 200)
}
