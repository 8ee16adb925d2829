extension ProviderName {
    static let apple = ProviderName(known: "apple")
}

extension AppleSimulator {
    /// Apple's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .apple, client: Defaults.appleNativeClient, webClient: Defaults.appleWebClient,
        orders: MintOrder.ofTokens.union(MintOrder.ofCodes).union(["code_claims"])
    ) { AppleSimulator(secrets: $0) }
}

/// `.env.example` contains the same values.
extension Defaults {
    static let appleIssuer = "https://appleid.apple.com"
    static let appleTeam = "TEAM123456"
    /// The new team of moved apps.
    static let appleNextTeam = "TEAM654321"
    static let appleKeyID = "DEVKEY1234"
    static let appleNativeClient = "com.example.app"
    static let appleWebClient = "com.example.web"
}
