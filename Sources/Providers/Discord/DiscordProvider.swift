package import Cryptography
import JSON

/// Discord: a browser's code, exchanged for an access token that names the user.
///
/// Pages: "OAuth2", "User resource" (docs.discord.com/developers).
///
/// - OAuth 2.0 without an ID token here: no nonce. Only codes are accepted, since another app's access token would work
///   as well.
/// - The subject is a snowflake, the decimal text `id`. A `username` can change and then pass to another user.
/// - `verified` means that the user once confirmed the address by mail.
package struct DiscordProvider: ReportsHealth {
    package struct Configuration: Sendable {
        package var clientID: String
        package var clientSecret: Secret
        /// Replaces discord.com; the issuer stays.
        package var endpoint: String?
        /// Whether Discord is an authority for addresses that it marks as verified.
        package var trustsEmail = false

        package init(clientID: String, clientSecret: Secret) {
            self.clientID = clientID
            self.clientSecret = clientSecret
        }
    }

    static let issuer = "https://discord.com"

    package let id = ProviderID.discord
    package var realms: [String] { [Self.issuer] }
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

    /// An address counts as proved if Discord says `verified` and the operator trusts Discord.
    func email(in user: JSONObject) -> ExternalEmail? {
        guard let address = user["email"]?.string else { return nil }
        let isProved = configuration.trustsEmail && user["verified"] == .bool(true)
        return ExternalEmail(address: address, authority: isProved ? .verifiedByAuthority : .unverified)
    }
}
