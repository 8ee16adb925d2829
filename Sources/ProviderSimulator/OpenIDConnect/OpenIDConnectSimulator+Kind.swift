extension ProviderName {
    static let google = ProviderName(known: "google")
    static let acme = ProviderName(known: "acme")
}

extension OpenIDConnectSimulator {
    private static let orders = MintOrder.ofTokens.union(MintOrder.ofCodes).union(["code_claims"])

    /// Google's entry in ``SimulatedProviders/all``.
    static let googleKind = SimulatedProviderKind(name: .google, client: Defaults.googleClient, orders: orders) { _ in
        google()
    }
    /// The entry of the fictional provider.
    static let acmeKind = SimulatedProviderKind(name: .acme, client: Defaults.acmeClient, orders: orders) { _ in
        acme()
    }
}

/// `.env.example` contains the same values.
extension Defaults {
    static let googleIssuer = "https://accounts.google.com"
    static let googleClient = "google-client.apps.googleusercontent.com"
    static let googleSecret = "google-secret"
    /// The Workspace domain of minted Google users, without which Google would not be an authority for their address.
    static let googleHostedDomain = "example.com"

    static let acmeIssuer = "https://id.acme.example"
    static let acmeClient = "acme-client"
    static let acmeSecret = "acme-secret"
}
