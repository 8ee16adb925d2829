package import Cryptography
import JSON

/// X, formerly Twitter: a browser's code, exchanged for an access token that names the user.
///
/// Pages: "OAuth 2.0 Authorization Code Flow with PKCE", "Get my user" (docs.x.com).
///
/// - OAuth 2.0 without OpenID Connect: no ID token, no nonce. Only codes are accepted, since another app's access token
///   would work as well.
/// - The subject is the decimal text `id`. A `username` can change and then pass to another user.
/// - No e-mail address: X sends none by default.
/// - The client authenticates by HTTP Basic, never in the form.
package struct XProvider: ReportsHealth {
    package struct Configuration: Sendable {
        package var clientID: String
        package var clientSecret: Secret
        /// Replaces x.com and api.x.com.
        package var endpoint: String?

        package init(clientID: String, clientSecret: Secret) {
            self.clientID = clientID
            self.clientSecret = clientSecret
        }
    }

    static let realm = "x.com"

    package let id = ProviderID.x
    package var realms: [String] { [Self.realm] }
    package let displayName = "X"
    package let health: ProviderHealth
    let configuration: Configuration
    let page: String
    let person: String
    let endpoint: TokenEndpoint

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        guard !configuration.clientID.isEmpty else {
            throw ProviderConfigurationProblem(setting: "X_CLIENT_ID", reason: "empty")
        }
        guard !configuration.clientSecret.isEmpty else {
            throw ProviderConfigurationProblem(setting: "X_CLIENT_SECRET", reason: "empty")
        }
        page =
            try Endpoint.base(configuration.endpoint, default: "https://x.com", setting: "X_ENDPOINT")
            + "/i/oauth2/authorize"
        let api = try Endpoint.base(configuration.endpoint, default: "https://api.x.com", setting: "X_ENDPOINT")
        person = api + "/2/users/me"
        // A spent, expired or foreign code is an invalid request there.
        endpoint = TokenEndpoint(
            url: api + "/2/oauth2/token", upstream: upstream, exceptions: ["invalid_request": .code])
        health = upstream.health
        self.configuration = configuration
    }
}
