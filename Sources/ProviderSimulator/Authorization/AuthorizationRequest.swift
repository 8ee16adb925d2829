/// An authorization request that was found good (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
struct AuthorizationRequest: Sendable, Equatable {
    /// The query as it came.
    let query: String
    let clientID: String
    let returning: ReturnAddress
    let responseType: String
    let scopes: [String]
    let nonce: String?
    let challenge: MintOrder.Challenge
    let loginHint: String?
    /// Whether `max_age` was given, so that `auth_time` is told.
    let asksSignInTime: Bool
    /// What the route's variable part said.
    let variable: String

    var wantsIDToken: Bool { responseType.split(separator: " ").contains("id_token") }
}
