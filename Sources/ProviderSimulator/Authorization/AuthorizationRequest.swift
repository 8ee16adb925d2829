/// A valid authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
struct AuthorizationRequest: Sendable, Equatable {
    /// The query unchanged.
    let query: String
    let clientID: String
    let returning: ReturnAddress
    let responseType: String
    let scopes: [String]
    let nonce: String?
    let challenge: MintOrder.Challenge
    let loginHint: String?
    /// Whether `max_age` was given, which adds `auth_time`.
    let asksSignInTime: Bool
    /// The value of the route's variable part.
    let variable: String

    var wantsIDToken: Bool { responseType.split(separator: " ").contains("id_token") }
}
