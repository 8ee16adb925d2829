import JSON

/// The client of redirects to Apple: the first services id, and the key that exchanges its codes.
struct AppleWebClient: Sendable {
    let id: String
    let authorizationEndpoint: String
    let exchange: AppleCodeExchange
    /// Accepts tokens of this client only; the nonce is compared unchanged, unlike an app's.
    let verifier: IDTokenVerifier

    /// Nil without a services id or a signing key.
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

    /// The name in the `user` field, which comes with the first authorization only.
    ///
    /// Anyone can post this field. It therefore never refuses a sign-in, and its address is ignored.
    static func name(in user: String?) -> String? {
        guard let user, let posted = try? JSON(parsing: user, limits: userLimits) else { return nil }
        return DisplayName.joined([posted["name"]?["firstName"]?.string, posted["name"]?["lastName"]?.string])
    }

    private static let userLimits = JSONLimits(bytes: 16 * 1024, members: 200)
}
