extension ProviderName {
    static let cognito = ProviderName(known: "cognito")
}

extension CognitoSimulator {
    /// Cognito's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .cognito, client: Defaults.cognitoClient,
        orders: MintOrder.ofTokens.union(["pool", "access_claims"])
    ) { _ in CognitoSimulator() }
}

/// `.env.example` contains the same values.
extension Defaults {
    static let cognitoPool = "us-east-1_Example01"
    static let cognitoClient = "cognitoclient0000000000001"
}
