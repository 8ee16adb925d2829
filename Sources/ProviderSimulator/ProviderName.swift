/// Who is simulated; the raw value is the first part of the path and the name used in control requests.
struct ProviderName: Sendable, Hashable {
    let rawValue: String

    /// Nil where nobody of this name is simulated.
    init?(rawValue: String) {
        guard let kind = SimulatedProviders.kind(rawValue) else { return nil }
        self = kind.name
    }

    init(known: String) {
        rawValue = known
    }

    static var all: [ProviderName] { SimulatedProviders.all.map(\.name) }

    /// What is declared of the provider.
    var kind: SimulatedProviderKind? { SimulatedProviders.kind(rawValue) }
}

/// What can be called at a provider; the raw value is the name used in control requests.
enum Endpoint: String, Sendable, CaseIterable {
    case keys, token, revoke, migration, tokeninfo, profile, emails, discovery
    /// Where browsers are sent, and where the page shown there posts to.
    case authorize, consent
    /// Cognito's user-pool API.
    case api
    /// Microsoft's native authentication, save its token endpoint, which is everybody's.
    case native
}
