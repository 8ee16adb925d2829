package import Cryptography

/// GitHub: a code that a browser brought, exchanged for an access token that says whose it is.
///
/// Pages: "Authorizing OAuth apps", "Troubleshooting OAuth app access token request errors", "GitHub authentication
/// discovery endpoints" (docs.github.com).
///
/// - OAuth 2.0 without OpenID Connect: no ID token, no nonce. Codes only, since a posted access token is as good when it
///   is another app's.
/// - Somebody is a numeric `id`. A `login` can be changed, and then be registered by others.
/// - What `/user` has for an address is what the person shows to everybody; `/user/emails` says what was confirmed.
/// - Errors of the token endpoint come with status 200.
package struct GitHubProvider: ReportsHealth {
    package struct Configuration: Sendable {
        package var clientID: String
        package var clientSecret: Secret
        /// An Enterprise Server, called instead of github.com.
        package var endpoint: String?
        /// Whether GitHub is an authority for addresses that it calls verified.
        package var trustsEmail = false

        package init(clientID: String, clientSecret: Secret) {
            self.clientID = clientID
            self.clientSecret = clientSecret
        }
    }

    package let id = ProviderID.github
    package let displayName = "GitHub"
    package let health: ProviderHealth
    let configuration: Configuration
    /// Below it are the page that browsers are sent to and the token endpoint; it is the issuer, too.
    let oauthBase: String
    let endpoint: TokenEndpoint
    let access: GitHubAccess
    /// The host: ids are unique within one GitHub.
    let realm: String

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        guard !configuration.clientID.isEmpty else {
            throw ProviderConfigurationProblem(setting: "GITHUB_CLIENT_ID", reason: "empty")
        }
        guard !configuration.clientSecret.isEmpty else {
            throw ProviderConfigurationProblem(setting: "GITHUB_CLIENT_SECRET", reason: "empty")
        }
        let url = try Endpoint.url(configuration.endpoint, default: "https://github.com", setting: "GITHUB_ENDPOINT")
        realm = url.host
        oauthBase = url.text + "/login/oauth"
        endpoint = TokenEndpoint(
            url: oauthBase + "/access_token", upstream: upstream,
            exceptions: [
                "bad_verification_code": .code, "unverified_user_email": .code,
                "incorrect_client_credentials": .configuration, "redirect_uri_mismatch": .configuration,
                // What GitHub says of a client id that nobody has.
                "Not Found": .configuration,
            ])
        let isOwn = configuration.endpoint != nil
        access = GitHubAccess(base: isOwn ? url.text + "/api/v3" : "https://api.github.com", upstream: upstream)
        health = upstream.health
        self.configuration = configuration
    }

    /// Confirmed by mail some day, which is no authority's word for a domain of somebody else.
    ///
    /// What GitHub hands out to hide an address is nobody's mailbox.
    func email(_ address: String) -> ExternalEmail? {
        let isTrusted = configuration.trustsEmail
        let email = ExternalEmail(address: address, authority: isTrusted ? .verifiedByAuthority : .unverified)
        guard let email, ["users.noreply.github.com", "users.noreply." + realm].contains(email.domain) else {
            return email
        }
        return ExternalEmail(address: address, authority: .unverified, isRelay: true)
    }
}
