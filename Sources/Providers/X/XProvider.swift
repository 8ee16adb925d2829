import JSON
import Outbound
import Settings

extension ProviderID {
    package static let x = ProviderID(known: "x")
}

/// X, formerly Twitter.
///
/// Pages: "OAuth 2.0 Authorization Code Flow with PKCE", "Get my user" (docs.x.com).
///
/// - The subject is the decimal text `id`. A `username` can change and then pass to another user.
/// - No e-mail address: X sends none by default.
/// - The client authenticates by HTTP Basic, never in the form.
/// - X can demand no new sign-in, and it sends no issuer with a code.
package enum XProvider {
    package static let kind = OAuthProviderKind(
        id: .x, name: "X", documentation: "docs/providers/x.md",
        keys: OAuthKeys(clientID: .xClientID, clientSecret: .xClientSecret, endpoint: .xEndpoint),
        brand: brand, addresses: addresses,
        // `users/me` needs `tweet.read` too.
        scope: "users.read tweet.read",
        authentication: { .basic($0) },
        // A spent, expired or foreign code is an invalid request there.
        exceptions: ["invalid_request": .code],
        userPath: "/users/me", userMember: "data", user: user)

    private static func addresses(_ endpoint: OutboundURL?) -> OAuthAddresses {
        let api = (endpoint?.text ?? "https://api.x.com") + "/2"
        return OAuthAddresses(
            page: (endpoint?.text ?? "https://x.com") + "/i/oauth2/authorize", tokens: api + "/oauth2/token", api: api,
            realm: "x.com")
    }

    private static func user(_ document: JSONObject) throws(ProviderError) -> OAuthUser {
        OAuthUser(subject: try Subject.decimal(document["id"]), name: document["name"]?.string)
    }

    private static let brand = ProviderBrand(
        .x,
        icon: ProviderBrand.icon(
            "M18.244 2.25h3.308l-7.227 8.26 8.502 11.24H16.17l-5.214-6.817L4.99 21.75H1.68l7.73-8.835L1.254 2.25H8.08l4.713 6.231zm-1.161 17.52h1.833L7.084 4.126H5.117z"
        ),
        light: .init(
            border: "#0f1419", background: "#0f1419", text: "#fff", hoverBorder: "#272c30", hoverBackground: "#272c30"),
        dark: .init(
            border: "#fff", background: "#fff", text: "#0f1419", hoverBorder: "#e6e6e6", hoverBackground: "#e6e6e6"))
}

extension ConfigurationKey.Group {
    fileprivate static let x = Self("X", "a client id turns it on, for browsers")
}

extension ConfigurationKey {
    fileprivate static let xClientID = ConfigurationKey(
        "X_CLIENT_ID", .x, example: .madeUp("ZXhhbXBsZS14LWNsaWVudA"),
        "The OAuth 2.0 client id of the app. Enables the provider.")
    fileprivate static let xClientSecret = ConfigurationKey(
        "X_CLIENT_SECRET", .x, secret: true, example: .madeUp("x-client-secret"),
        "Exchanges authorization codes; the app is a confidential client. Required.")
    fileprivate static let xEndpoint = ConfigurationKey(
        "X_ENDPOINT", .x, .url, shownAs: "x.com and api.x.com", example: .set("http://x.localhost:8081/x"),
        "Replaces x.com and api.x.com in calls.")
}
