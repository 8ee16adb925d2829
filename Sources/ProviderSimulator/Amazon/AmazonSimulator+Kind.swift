extension ProviderName {
    static let amazon = ProviderName(known: "amazon")
}

extension AmazonSimulator {
    /// Amazon's line in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .amazon, client: Defaults.amazonClient,
        orders: MintOrder.ofCodes.union(["user", "tokeninfo", "profile", "public_client"]), mayLackProfile: true
    ) { _ in AmazonSimulator() }
}

/// The same values stand in `.env.example`.
extension Defaults {
    static let amazonIssuer = "https://www.amazon.com"
    static let amazonClient = "amzn1.application-oa2-client.example"
    static let amazonApp = "amzn1.application.example"
    static let amazonSecret = "amazon-secret"
}
