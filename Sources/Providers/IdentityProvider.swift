/// Somebody else's service that can say who a person is.
///
/// The base is an id and a name. What a provider can do is said by conforming to a capability (``TokenSignIn`` …);
/// callers ask with `as? any …`.
package protocol IdentityProvider: Sendable {
    var id: ProviderID { get }
    /// What a button says: "Apple".
    var displayName: String { get }
}
