import JSON

/// What the code of an OpenID Connect provider buys.
struct IDTokenPurchase: Sendable {
    /// Of the ID token, without its times and hashes.
    let claims: JSONObject
    let scopes: [String]
}
