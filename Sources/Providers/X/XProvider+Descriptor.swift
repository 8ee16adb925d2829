import Cryptography
import Settings

extension ProviderID {
    package static let x = ProviderID(known: "x")
}

extension XProvider: ConfigurableProvider {
    /// X's entry in ``ProviderList/all``.
    ///
    /// Its client secrets do not expire, so none is listed.
    package static let descriptor = ProviderDescriptor(
        .x, XProvider.self, page: "docs/providers/x.md", keys: [.xClientID, .xClientSecret, .xEndpoint], brand: brand
    ) { settings, conditions in
        let clientID = settings.text(.xClientID)
        let endpoint = settings.endpoint(.xEndpoint, local: conditions.allowsLocal)
        guard let clientID else { return nil }
        var configuration = Configuration(clientID: clientID, clientSecret: Secret(settings.required(.xClientSecret)))
        configuration.endpoint = endpoint
        return ConfiguredProvider(.x, XProvider.self, configuration)
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
