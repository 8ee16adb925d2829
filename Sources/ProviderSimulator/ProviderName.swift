/// A simulated provider; the raw value is the first part of the path and the name used in control requests.
struct ProviderName: Sendable, Hashable {
    let rawValue: String

    /// Nil for an unknown name.
    init?(rawValue: String) {
        guard let kind = SimulatedProviders.kind(rawValue) else { return nil }
        self = kind.name
    }

    init(known: String) {
        rawValue = known
    }

    static var all: [ProviderName] { SimulatedProviders.all.map(\.name) }

    /// The declaration of the provider.
    var kind: SimulatedProviderKind? { SimulatedProviders.kind(rawValue) }
}

/// An endpoint of a provider; the raw value is the name used in control requests.
enum Endpoint: String, Sendable, CaseIterable {
    case keys, token, revoke, migration, tokeninfo, profile, emails, discovery
    /// The authorization page, and the endpoint for its form.
    case authorize, consent
    /// Cognito's user-pool API.
    case api
    /// Microsoft's native authentication, except the common token endpoint.
    case native
}
