/// The providers that are simulated.
enum SimulatedProviders {
    /// THE LIST of simulated providers, one line each, in the order of docs/simulator.md.
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

/// What there is to know of a simulated provider before it runs, declared in its folder.
struct SimulatedProviderKind: Sendable {
    let name: ProviderName
    /// The client that credentials are minted for unless an order names another.
    let client: String
    /// The client that browsers are sent with.
    let webClient: String
    /// The members that a mint order may have beyond those of every order.
    let orders: Set<String>
    /// Whether an order may say that the person shares no profile.
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
