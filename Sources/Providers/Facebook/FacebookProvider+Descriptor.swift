import Cryptography
import Settings

extension ProviderID {
    package static let facebook = ProviderID(known: "facebook")
}

extension FacebookProvider: ConfigurableProvider {
    /// Facebook's entry in ``ProviderList/all``.
    ///
    /// Its app secrets do not expire, so none is listed.
    package static let descriptor = ProviderDescriptor(
        .facebook, FacebookProvider.self, page: "docs/providers/facebook.md",
        keys: [.facebookAppID, .facebookAppSecret, .facebookEndpoint], brand: brand
    ) { settings, conditions in
        let appID = settings.text(.facebookAppID)
        let endpoint = settings.endpoint(.facebookEndpoint, local: conditions.allowsLocal)
        guard let appID else { return nil }
        if !Subject.isDecimal(appID) { settings.complain(.facebookAppID, "must be the number of the app") }
        var configuration = Configuration(appID: appID, appSecret: Secret(settings.required(.facebookAppSecret)))
        (configuration.endpoint, configuration.requiresNonce) = (endpoint, conditions.requiresNonce)
        return ConfiguredProvider(.facebook, FacebookProvider.self, configuration)
    }

    private static let brand = ProviderBrand(
        .facebook,
        icon: ProviderBrand.icon(
            "M24 12.073c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.99 4.388 10.954 10.125 11.854v-8.385H7.078v-3.47h3.047V9.43c0-3.007 1.792-4.669 4.533-4.669 1.312 0 2.686.235 2.686.235v2.953H15.83c-1.491 0-1.956.925-1.956 1.874v2.25h3.328l-.532 3.47h-2.796v8.385C19.612 23.027 24 18.062 24 12.073z"
        ),
        light: .init(
            border: "#0866ff", background: "#0866ff", text: "#fff", hoverBorder: "#0757d8", hoverBackground: "#0757d8"),
        dark: .init(border: "#0866ff", background: "#0866ff", text: "#fff", hoverBackground: "#0757d8"),
        labels: [
            "en": "Log in with Facebook", "zh-Hans": "使用 Facebook 登录", "ja": "Facebookでログイン",
            "ru": "Войти через Facebook", "de": "Mit Facebook anmelden",
        ])
}

extension ConfigurationKey.Group {
    fileprivate static let facebook = Self("Facebook", "an app id turns it on")
}

extension ConfigurationKey {
    fileprivate static let facebookAppID = ConfigurationKey(
        "FACEBOOK_APP_ID", .facebook, example: .madeUp("100000000000001"),
        "The app id, the accepted audience of tokens. Enables the provider.")
    fileprivate static let facebookAppSecret = ConfigurationKey(
        "FACEBOOK_APP_SECRET", .facebook, secret: true, example: .madeUp("facebook-secret"),
        "Exchanges authorization codes and authenticates requests. Required.")
    fileprivate static let facebookEndpoint = ConfigurationKey(
        "FACEBOOK_ENDPOINT", .facebook, .url, shownAs: "Facebook's own",
        example: .set("http://facebook.localhost:8081/facebook"),
        "Replaces facebook.com and its API in calls; the issuers stay.")
}
