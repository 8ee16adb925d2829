extension ProviderName {
    static let microsoft = ProviderName(known: "microsoft")
}

extension MicrosoftSimulator {
    /// Microsoft's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .microsoft, client: Defaults.microsoftClient,
        orders: MintOrder.ofTokens.union(MintOrder.ofCodes).union(["code_claims", "tenant", "external"])
    ) { _ in MicrosoftSimulator() }
}

/// `.env.example` contains the same values.
extension Defaults {
    static let microsoftClient = "11111111-2222-3333-4444-555555555555"
    static let microsoftSecret = "microsoft-secret"
    static let microsoftTenant = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
    static let microsoftExternalTenant = "bbbbbbbb-cccc-dddd-eeee-ffffffffffff"
    /// Microsoft's tenant of personal accounts, the same everywhere.
    static let microsoftConsumerTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
}
