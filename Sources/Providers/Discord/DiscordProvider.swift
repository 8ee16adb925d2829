package import Cryptography
import JSON

/// Discord: a code that a browser brought, exchanged for an access token that says whose it is.
///
/// Pages: "OAuth2", "User resource" (docs.discord.com/developers).
///
/// - OAuth 2.0 without an ID token here: no nonce. Codes only, since a posted access token is as good when it is another
///   app's.
/// - Somebody is a snowflake, the decimal text `id`. A `username` can be changed, and then be taken by others.
/// - `verified` says that the person once confirmed the address by mail.
package struct DiscordProvider: ReportsHealth {
    package struct Configuration: Sendable {
        package var clientID: String
        package var clientSecret: Secret
        /// Called instead of discord.com; the issuer stays.
        package var endpoint: String?
        /// Whether Discord is an authority for addresses that it calls verified.
        package var trustsEmail = false

        package init(clientID: String, clientSecret: Secret) {
            self.clientID = clientID
            self.clientSecret = clientSecret
        }
    }

    static let issuer = "https://discord.com"

    package let id = ProviderID.discord
    package let displayName = "Discord"
    package let health: ProviderHealth
    let configuration: Configuration
    let base: String
    let endpoint: TokenEndpoint

    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        guard !configuration.clientID.isEmpty else {
            throw ProviderConfigurationProblem(setting: "DISCORD_CLIENT_ID", reason: "empty")
        }
        guard !configuration.clientSecret.isEmpty else {
            throw ProviderConfigurationProblem(setting: "DISCORD_CLIENT_SECRET", reason: "empty")
        }
        base = try Endpoint.base(configuration.endpoint, default: Self.issuer, setting: "DISCORD_ENDPOINT")
        // A code of a wrong shape is an invalid request there.
        endpoint = TokenEndpoint(
            url: base + "/api/oauth2/token", upstream: upstream, exceptions: ["invalid_request": .code])
        health = upstream.health
        self.configuration = configuration
    }

    /// An address counts as proved where Discord says `verified` and the operator takes Discord's word.
    func email(in user: JSONObject) -> ExternalEmail? {
        guard let address = user["email"]?.string else { return nil }
        let isProved = configuration.trustsEmail && user["verified"] == .bool(true)
        return ExternalEmail(address: address, authority: isProved ? .verifiedByAuthority : .unverified)
    }
}
