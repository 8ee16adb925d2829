import Cryptography
import Settings

extension ProviderID {
    package static let github = ProviderID(known: "github")
}

extension GitHubProvider: ConfigurableProvider {
    /// GitHub's entry in ``ProviderList/all``.
    ///
    /// Its client secrets do not expire, so none is listed.
    package static let descriptor = ProviderDescriptor(
        .github, GitHubProvider.self, page: "docs/providers/github.md",
        keys: [.githubClientID, .githubClientSecret, .githubEndpoint, .githubTrustEmail], brand: brand
    ) { settings, conditions in
        let clientID = settings.text(.githubClientID)
        let endpoint = settings.endpoint(.githubEndpoint, local: conditions.allowsLocal)
        let trustsEmail = settings.flag(.githubTrustEmail)
        guard let clientID else { return nil }
        var configuration = Configuration(
            clientID: clientID, clientSecret: Secret(settings.required(.githubClientSecret)))
        configuration.endpoint = endpoint
        configuration.trustsEmail = trustsEmail
        return ConfiguredProvider(.github, GitHubProvider.self, configuration)
    }

    private static let brand = ProviderBrand(
        .github,
        icon: ProviderBrand.icon(
            "M8 0C3.58 0 0 3.58 0 8c0 3.54 2.29 6.53 5.47 7.59.4.07.55-.17.55-.38 0-.19-.01-.82-.01-1.49-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82.64-.18 1.32-.27 2-.27.68 0 1.36.09 2 .27 1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48 0 1.07-.01 1.93-.01 2.2 0 .21.15.46.55.38A8.013 8.013 0 0 0 16 8c0-4.42-3.58-8-8-8z",
            box: 16),
        light: .init(
            border: "#24292f", background: "#24292f", text: "#fff", hoverBorder: "#3b434c", hoverBackground: "#3b434c"),
        dark: .init(border: "#656d76", background: "#24292f", text: "#fff", hoverBackground: "#333b44"))
}

extension ConfigurationKey.Group {
    fileprivate static let github = Self("GitHub", "a client id turns it on, for browsers")
}

extension ConfigurationKey {
    fileprivate static let githubClientID = ConfigurationKey(
        "GITHUB_CLIENT_ID", .github, .text, example: .madeUp("Iv1.examplegithub01"),
        "The client id of the OAuth or GitHub app. Enables the provider.")
    fileprivate static let githubClientSecret = ConfigurationKey(
        "GITHUB_CLIENT_SECRET", .github, secret: true, example: .madeUp("github-secret"),
        "Exchanges authorization codes. Required.")
    fileprivate static let githubEndpoint = ConfigurationKey(
        "GITHUB_ENDPOINT", .github, .url, shownAs: "github.com",
        example: .set("http://github.localhost:8081/github"),
        "The address of an Enterprise Server, instead of github.com. Never change it after the first sign-in.")
    fileprivate static let githubTrustEmail = ConfigurationKey(
        "GITHUB_TRUST_EMAIL", .github, .flag, default: "false",
        "Treats addresses that GitHub has verified as proved.")
}
