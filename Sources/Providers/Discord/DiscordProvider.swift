import JSON
import Outbound
import Settings

extension ProviderID {
    package static let discord = ProviderID(known: "discord")
}

/// Discord.
///
/// Pages: "OAuth2", "User resource" (docs.discord.com/developers).
///
/// - Its API issues no ID token here.
/// - The subject is a snowflake, the decimal text `id`. A `username` can change and then pass to another user.
/// - `verified` means that the user once confirmed the address by mail.
package enum DiscordProvider {
    private static let issuer = "https://discord.com"

    package static let kind = OAuthProviderKind(
        id: .discord, name: "Discord", documentation: "docs/providers/discord.md",
        keys: OAuthKeys(
            clientID: .discordClientID, clientSecret: .discordClientSecret, endpoint: .discordEndpoint,
            trustEmail: .discordTrustEmail),
        brand: brand, addresses: addresses, scope: "identify email",
        // Discord can show its page again, but it cannot demand a new sign-in and reports no time of one.
        reauthentication: [("prompt", "consent")],
        // A code of a wrong shape is an invalid request there.
        exceptions: ["invalid_request": .code],
        userPath: "/users/@me", user: user)

    private static func addresses(_ endpoint: OutboundURL?) -> OAuthAddresses {
        let base = endpoint?.text ?? issuer
        return OAuthAddresses(
            page: base + "/oauth2/authorize", tokens: base + "/api/oauth2/token", api: base + "/api/v10",
            issuer: issuer, realm: issuer)
    }

    private static func user(_ document: JSONObject) throws(ProviderError) -> OAuthUser {
        OAuthUser(
            subject: try Subject.decimal(document["id"]), name: document["global_name"]?.string,
            email: document["email"]?.string.map {
                OAuthEmail(address: $0, isVerified: document["verified"] == .bool(true))
            })
    }

    private static let brand = ProviderBrand(
        .discord,
        icon: ProviderBrand.icon(
            "M20.317 4.37a19.79 19.79 0 0 0-4.885-1.515.074.074 0 0 0-.079.037c-.21.375-.444.864-.608 1.25a18.27 18.27 0 0 0-5.487 0 12.64 12.64 0 0 0-.617-1.25.077.077 0 0 0-.079-.037A19.736 19.736 0 0 0 3.677 4.37a.07.07 0 0 0-.032.027C.533 9.046-.32 13.58.099 18.057a.082.082 0 0 0 .031.057 19.9 19.9 0 0 0 5.993 3.03.078.078 0 0 0 .084-.028 14.09 14.09 0 0 0 1.226-1.994.076.076 0 0 0-.041-.106 13.107 13.107 0 0 1-1.872-.892.077.077 0 0 1-.008-.128 10.2 10.2 0 0 0 .372-.292.074.074 0 0 1 .077-.01c3.928 1.793 8.18 1.793 12.062 0a.074.074 0 0 1 .078.01c.12.098.246.198.373.292a.077.077 0 0 1-.006.127 12.299 12.299 0 0 1-1.873.892.077.077 0 0 0-.041.107c.36.698.772 1.362 1.225 1.993a.076.076 0 0 0 .084.028 19.839 19.839 0 0 0 6.002-3.03.077.077 0 0 0 .032-.054c.5-5.177-.838-9.674-3.549-13.66a.061.061 0 0 0-.031-.03zM8.02 15.33c-1.183 0-2.157-1.085-2.157-2.419 0-1.333.956-2.419 2.157-2.419 1.21 0 2.176 1.096 2.157 2.42 0 1.333-.956 2.418-2.157 2.418zm7.975 0c-1.183 0-2.157-1.085-2.157-2.419 0-1.333.955-2.419 2.157-2.419 1.21 0 2.176 1.096 2.157 2.42 0 1.333-.946 2.418-2.157 2.418z"
        ),
        light: .init(
            border: "#5865f2", background: "#5865f2", text: "#fff", hoverBorder: "#4752c4", hoverBackground: "#4752c4"),
        dark: .init(border: "#5865f2", background: "#5865f2", text: "#fff", hoverBackground: "#4752c4"))
}

extension ConfigurationKey.Group {
    fileprivate static let discord = Self("Discord", "a client id turns it on, for browsers")
}

extension ConfigurationKey {
    fileprivate static let discordClientID = ConfigurationKey(
        "DISCORD_CLIENT_ID", .discord, example: .madeUp("100000000000000001"),
        "The application's client id. Enables the provider.")
    fileprivate static let discordClientSecret = ConfigurationKey(
        "DISCORD_CLIENT_SECRET", .discord, secret: true, example: .madeUp("discord-secret"),
        "Exchanges authorization codes. Required.")
    fileprivate static let discordTrustEmail = ConfigurationKey(
        "DISCORD_TRUST_EMAIL", .discord, .flag, default: "false",
        "Treats addresses that Discord has verified as proved.")
    fileprivate static let discordEndpoint = ConfigurationKey(
        "DISCORD_ENDPOINT", .discord, .url, shownAs: "discord.com",
        example: .set("http://discord.localhost:8081/discord"), "Replaces discord.com in calls; the issuer stays.")
}
