/// An external service that verifies users.
///
/// The base is an id and a name. Conformance to a capability (``TokenSignIn`` …) declares the provider's abilities.
/// Callers ask with `as? any …`.
package protocol IdentityProvider: Sendable {
    var id: ProviderID { get }
    /// The name on a button: "Apple".
    var displayName: String { get }
    /// The realms of its identities in this configuration.
    var realms: [String] { get }
}
