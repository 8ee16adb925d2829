package import Cryptography
import Outbound

/// GitHub: a browser's code, exchanged for an access token that names the user.
///
/// Pages: "Authorizing OAuth apps", "Troubleshooting OAuth app access token request errors", "GitHub authentication
/// discovery endpoints" (docs.github.com).
///
/// - OAuth 2.0 without OpenID Connect: no ID token, no nonce. Only codes are accepted, since another app's access token
///   would work as well.
/// - The subject is a numeric `id`. A `login` can change, and another user can then register it.
/// - The address in `/user` is the public one; `/user/emails` lists the confirmed ones.
/// - Errors of the token endpoint come with status 200.
package struct GitHubProvider: ReportsHealth {
    package struct Configuration: Sendable {
        package var clientID: String
        package var clientSecret: Secret
        /// An Enterprise Server, which replaces github.com.
        package var endpoint: String?
        /// Whether GitHub is an authority for addresses that it marks as verified.
        package var trustsEmail = false

        package init(clientID: String, clientSecret: Secret) {
            self.clientID = clientID
            self.clientSecret = clientSecret
        }
    }

    package let id = ProviderID.github
    package var realms: [String] { [realm] }
    package let displayName = "GitHub"
    package let health: ProviderHealth
    let configuration: Configuration
    /// The base of the authorization page and the token endpoint; also the issuer.
    let oauthBase: String
    let endpoint: TokenEndpoint
    let access: GitHubAccess
    /// The host: ids are unique within one GitHub server.
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
                // GitHub's answer to an unknown client id.
                "Not Found": .configuration,
            ])
        let isOwn = configuration.endpoint != nil
        access = GitHubAccess(base: isOwn ? url.text + "/api/v3" : "https://api.github.com", upstream: upstream)
        health = upstream.health
        self.configuration = configuration
    }

    /// Takes an address that GitHub confirmed by mail at some time, which proves nothing about a foreign domain.
    ///
    /// GitHub's own hiding addresses receive no mail.
    func email(_ address: String) -> ExternalEmail? {
        let isTrusted = configuration.trustsEmail
        let email = ExternalEmail(address: address, authority: isTrusted ? .verifiedByAuthority : .unverified)
        guard let email, ["users.noreply.github.com", "users.noreply." + realm].contains(email.domain) else {
            return email
        }
        return ExternalEmail(address: address, authority: .unverified, isRelay: true)
    }
}
