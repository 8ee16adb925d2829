/// The simulated providers.
enum SimulatedProviders {
    /// All simulated providers, one line each, in the order of docs/simulator.md.
    static let all: [SimulatedProviderKind] = [
        AppleSimulator.kind,
        AmazonSimulator.kind,
        MicrosoftSimulator.kind,
        CognitoSimulator.kind,
        OpenIDConnectSimulator.googleKind,
        OpenIDConnectSimulator.acmeKind,
        GitHubSimulator.kind,
        FacebookSimulator.kind,
        LINESimulator.kind,
        DiscordSimulator.kind,
        XSimulator.kind,
    ]

    private static let byName = Dictionary(all.map { ($0.name.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    static func kind(_ name: String) -> SimulatedProviderKind? { byName[name] }
}

/// The static facts about a simulated provider, declared in its folder.
struct SimulatedProviderKind: Sendable {
    let name: ProviderName
    /// The client of minted credentials unless an order names another.
    let client: String
    /// The client of redirects.
    let webClient: String
    /// The members of its mint orders in addition to the common ones.
    let orders: Set<String>
    /// Whether an order may withhold the user's profile.
    let mayLackProfile: Bool
    let make: @Sendable (AppleClientSecrets) -> any SimulatedProvider

    init(
        name: ProviderName, client: String, webClient: String? = nil, orders: Set<String>, mayLackProfile: Bool = false,
        make: @escaping @Sendable (AppleClientSecrets) -> any SimulatedProvider
    ) {
        (self.name, self.client, self.webClient) = (name, client, webClient ?? client)
        (self.orders, self.mayLackProfile, self.make) = (orders, mayLackProfile, make)
    }
}
