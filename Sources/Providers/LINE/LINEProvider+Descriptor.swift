import Cryptography
import Settings

extension ProviderID {
    package static let line = ProviderID(known: "line")
}

extension LINEProvider: ConfigurableProvider {
    /// LINE's entry in ``ProviderList/all``.
    ///
    /// Its channel secrets do not expire, so none is listed.
    package static let descriptor = ProviderDescriptor(
        .line, LINEProvider.self, page: "docs/providers/line.md",
        keys: [.lineChannelID, .lineChannelSecret, .lineEndpoint], brand: brand
    ) { settings, conditions in
        let channelID = settings.text(.lineChannelID)
        let endpoint = settings.endpoint(.lineEndpoint, local: conditions.allowsLocal)
        guard let channelID else { return nil }
        var configuration = Configuration(
            channelID: channelID, channelSecret: Secret(settings.required(.lineChannelSecret)))
        (configuration.endpoint, configuration.requiresNonce) = (endpoint, conditions.requiresNonce)
        return ConfiguredProvider(.line, LINEProvider.self, configuration)
    }

    /// White on LINE's green lacks contrast, so the button is plain and the icon has the colour.
    private static let brand = ProviderBrand(
        .line,
        icon: ProviderBrand.icon(
            box: 24,
            #"""
            <path fill="#06C755" d="M19.365 9.863c.349 0 .63.285.63.631 0 .345-.281.63-.63.63H17.61v1.125h1.755c.349 0 .63.283.63.63 0 .344-.281.629-.63.629h-2.386c-.345 0-.627-.285-.627-.629V8.108c0-.345.282-.63.63-.63h2.386c.346 0 .627.285.627.63 0 .349-.281.63-.63.63H17.61v1.125h1.755zm-3.855 3.016c0 .27-.174.51-.432.596-.064.021-.133.031-.199.031-.211 0-.391-.09-.51-.25l-2.443-3.317v2.94c0 .344-.279.629-.631.629-.346 0-.626-.285-.626-.629V8.108c0-.27.173-.51.43-.595.06-.023.136-.033.194-.033.195 0 .375.104.495.254l2.462 3.33V8.108c0-.345.282-.63.63-.63.345 0 .63.285.63.63v4.771zm-5.741 0c0 .344-.282.629-.631.629-.345 0-.627-.285-.627-.629V8.108c0-.345.282-.63.63-.63.346 0 .628.285.628.63v4.771zm-2.466.629H4.917c-.345 0-.63-.285-.63-.629V8.108c0-.345.285-.63.63-.63.348 0 .63.285.63.63v4.141h1.756c.348 0 .629.283.629.63 0 .344-.282.629-.629.629M24 10.314C24 4.943 18.615.572 12 .572S0 4.943 0 10.314c0 4.811 4.27 8.842 10.035 9.608.391.082.923.258 1.058.59.12.301.079.766.038 1.08l-.164 1.02c-.045.301-.24 1.186 1.049.645 1.291-.539 6.916-4.078 9.436-6.975C23.176 14.393 24 12.458 24 10.314"/>
            """#),
        light: .init(border: "#747775", background: "#fff", text: "#1f1f1f", hoverBackground: "#f3f5f8"),
        dark: .init(border: "#8e918f", background: "#131314", text: "#e3e3e3", hoverBackground: "#232426"),
        labels: [
            "en": "Log in with LINE", "zh-Hans": "使用 LINE 登录", "ja": "LINEでログイン", "ru": "Войти с LINE",
            "de": "Mit LINE anmelden",
        ])
}

extension ConfigurationKey.Group {
    fileprivate static let line = Self("LINE", "a channel id turns it on")
}

extension ConfigurationKey {
    fileprivate static let lineChannelID = ConfigurationKey(
        "LINE_CHANNEL_ID", .line, example: .madeUp("1600000001"),
        "The id of the LINE Login channel, the audience of ID tokens. Enables the provider.")
    fileprivate static let lineChannelSecret = ConfigurationKey(
        "LINE_CHANNEL_SECRET", .line, secret: true, example: .madeUp("line-channel-secret"),
        "Exchanges authorization codes. Required.")
    fileprivate static let lineEndpoint = ConfigurationKey(
        "LINE_ENDPOINT", .line, .url, shownAs: "access.line.me and api.line.me",
        example: .set("http://line.localhost:8081/line"),
        "Replaces access.line.me and api.line.me in calls; the issuer stays.")
}
