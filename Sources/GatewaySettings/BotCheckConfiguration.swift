package import Cryptography
import Settings
package import Vocabulary

/// The bot check service, in the `siteverify` format.
package struct BotCheckConfiguration: Sendable, Equatable {
    /// `BOT_CHECK_WIDGET`: the service's widget, `turnstile`, `hcaptcha` or `recaptcha`; with `BOT_CHECK_SITE_KEY`.
    ///
    /// Choice, no default (no bot checks), not secret.
    package let widget: BotWidget
    /// `BOT_CHECK_SECRET`: the key for checking tokens.
    ///
    /// Text, no default, secret.
    package let secret: Secret
    /// `BOT_CHECK_URL`: the address that checks tokens.
    ///
    /// URL, default the widget's own, not secret.
    package let url: String?
    /// `BOT_CHECK_FREE_PER_HOUR`: requests of one network per hour, and at once, without a check.
    ///
    /// Number, default 10, not secret.
    package let freePerHour: Int
}

extension BotCheckConfiguration {
    static let keys: [ConfigurationKey] = [
        .botCheckWidget, .botCheckSiteKey, .botCheckSecret, .botCheckURL, .botCheckFreePerHour,
    ]
    /// Without one of them there is no check.
    private static let needed: [ConfigurationKey] = [.botCheckWidget, .botCheckSiteKey, .botCheckSecret]

    /// Nil if no key is set; a half configuration is a complaint.
    init?(_ settings: inout SettingsReader, local: Bool) {
        let kind = settings.text(.botCheckWidget)
        let (siteKey, secret) = (settings.text(.botCheckSiteKey), settings.secret(.botCheckSecret))
        url = settings.endpoint(.botCheckURL, local: local)
        freePerHour = settings.number(.botCheckFreePerHour, in: 1...1_000_000_000)
        let isSet = [kind != nil, siteKey != nil, secret != nil]
        let first = zip(Self.needed, isSet).first { $0.1 }?.0 ?? (url == nil ? nil : .botCheckURL)
        guard let first else { return nil }
        for (key, isSet) in zip(Self.needed, isSet) where !isSet {
            settings.complain(key, "is missing: \(first.name) is set")
        }
        let known = kind.flatMap(BotWidget.Kind.init(rawValue:))
        if kind != nil, known == nil {
            let words = BotWidget.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            settings.complain(.botCheckWidget, "must be one of: \(words)")
        }
        guard let known, let siteKey, let secret else { return nil }
        (widget, self.secret) = (BotWidget(known, siteKey: siteKey), secret)
    }
}

extension ConfigurationKey {
    static let botCheckWidget = ConfigurationKey(
        "BOT_CHECK_WIDGET", .botChecks, .choice, shownAs: "no bot checks", example: .form("turnstile"),
        "The bot check service: `turnstile`, `hcaptcha` or `recaptcha`. Each app decides when it asks for a check: [sign-in.md](sign-in.md#bot-checks)."
    )
    static let botCheckSiteKey = ConfigurationKey(
        "BOT_CHECK_SITE_KEY", .botChecks, example: .form("0x4AAAAAAAAAAAAAAAAAAAAA"),
        "The site key of the account at the service; pages contain it.")
    static let botCheckSecret = ConfigurationKey(
        "BOT_CHECK_SECRET", .botChecks, secret: true, example: .form(""), "The secret key of the same site.")
    static let botCheckURL = ConfigurationKey(
        "BOT_CHECK_URL", .botChecks, .url, shownAs: "the service's own",
        example: .form(BotWidget.Kind.turnstile.verification),
        "The address that checks tokens, in the `siteverify` format. It gets the secret, the token and the caller's IP address."
    )
    static let botCheckFreePerHour = ConfigurationKey(
        "BOT_CHECK_FREE_PER_HOUR", .botChecks, .number, default: "10",
        "Sign-ups, resets and code requests per address without a check, for apps with `beyond_budget`: the burst, and the number regained per hour."
    )
}
