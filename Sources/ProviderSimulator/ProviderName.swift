/// Who is simulated; the raw value is the first part of the path and the name used in control requests.
enum ProviderName: String, Sendable, CaseIterable {
    case apple, amazon, microsoft, cognito, google, acme, github
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
