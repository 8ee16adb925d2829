extension ProviderName {
    static let amazon = ProviderName(known: "amazon")
}

extension AmazonSimulator {
    /// Amazon's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .amazon, client: Defaults.amazonClient,
        orders: MintOrder.ofCodes.union(["user", "tokeninfo", "profile", "public_client"]), mayLackProfile: true
    ) { _ in AmazonSimulator() }
}

/// `.env.example` contains the same values.
extension Defaults {
    static let amazonIssuer = "https://www.amazon.com"
    static let amazonClient = "amzn1.application-oa2-client.example"
    static let amazonApp = "amzn1.application.example"
    static let amazonSecret = "amazon-secret"
}
