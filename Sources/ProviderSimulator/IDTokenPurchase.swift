import JSON

/// The grant of an OpenID Connect provider's code.
struct IDTokenPurchase: Sendable {
    /// The claims of the ID token, without its times and hashes.
    let claims: JSONObject
    let scopes: [String]
}
