import Cryptography

/// GitHub, or an Enterprise Server of it: for browsers alone.
struct GitHubSettings: Sendable, Equatable {
    /// `GITHUB_CLIENT_ID`: the OAuth or GitHub app that browsers are sent as.
    ///
    /// Text, no default, not secret.
    let clientID: String
    /// `GITHUB_CLIENT_SECRET`: to exchange codes.
    ///
    /// Text, needed, secret.
    let clientSecret: Secret
    /// `GITHUB_ENDPOINT`: an Enterprise Server, called in place of github.com.
    ///
    /// URL, no default, not secret.
    let endpoint: String?
    /// `GITHUB_TRUST_EMAIL`: takes the addresses that GitHub calls verified as proved.
    ///
    /// True or false, default false, not secret.
    let trustsEmail: Bool
}

extension GitHubSettings {
    static let keys: [ConfigurationKey] = [.githubClientID, .githubClientSecret, .githubEndpoint, .githubTrustEmail]

    init?(_ settings: inout SettingsReader, local: Bool) {
        let id = settings.text(.githubClientID)
        endpoint = settings.endpoint(.githubEndpoint, local: local)
        trustsEmail = settings.flag(.githubTrustEmail)
        guard let id else { return nil }
        clientID = id
        clientSecret = Secret(settings.required(.githubClientSecret))
    }
}

extension ConfigurationKey {
    static let githubClientID = ConfigurationKey(
        "GITHUB_CLIENT_ID", .github, .text, "The client id of the OAuth or GitHub app. Turns the provider on.")
    static let githubClientSecret = ConfigurationKey(
        "GITHUB_CLIENT_SECRET", .github, secret: true, "To exchange authorization codes. Needed.")
    static let githubEndpoint = ConfigurationKey(
        "GITHUB_ENDPOINT", .github, .url, shownAs: "github.com",
        "An Enterprise Server, called in place of github.com; never change it once people have signed in.")
    static let githubTrustEmail = ConfigurationKey(
        "GITHUB_TRUST_EMAIL", .github, .flag, default: "false",
        "Takes the addresses that GitHub calls verified as proved.")
}
