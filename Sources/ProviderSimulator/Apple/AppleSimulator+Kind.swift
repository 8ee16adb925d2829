extension ProviderName {
    static let apple = ProviderName(known: "apple")
}

extension AppleSimulator {
    /// Apple's line in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .apple, client: Defaults.appleNativeClient, webClient: Defaults.appleWebClient,
        orders: MintOrder.ofTokens.union(MintOrder.ofCodes).union(["code_claims"])
    ) { AppleSimulator(secrets: $0) }
}

/// The same values stand in `.env.example`.
extension Defaults {
    static let appleIssuer = "https://appleid.apple.com"
    static let appleTeam = "TEAM123456"
    /// The team that apps move to.
    static let appleNextTeam = "TEAM654321"
    static let appleKeyID = "DEVKEY1234"
    static let appleNativeClient = "com.example.app"
    static let appleWebClient = "com.example.web"
}
