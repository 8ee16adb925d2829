import Settings

/// The budgets of the throttles: a burst at once, then a steady rate.
package struct ThrottleConfiguration: Sendable, Equatable {
    /// `THROTTLE_ACCOUNT_BURST`: the burst of attempts on one account.
    ///
    /// Number, default 10, not secret.
    let accountBurst: Int
    /// `THROTTLE_ACCOUNT_PER_HOUR`: attempts that one account regains per hour.
    ///
    /// Number, default 60, not secret.
    let accountPerHour: Int
    /// `THROTTLE_ADDRESS_BURST`: the burst of attempts from one IP address.
    ///
    /// For IPv6, the limit applies to a /64; a /48 has sixteen times that.
    ///
    /// Number, default 100, not secret.
    let addressBurst: Int
    /// `THROTTLE_ADDRESS_PER_MINUTE`: attempts that one IP address regains per minute.
    ///
    /// Number, default 60, not secret.
    let addressPerMinute: Int
    /// `THROTTLE_CLIENT_PER_MINUTE`: attempts through one app per minute.
    ///
    /// Number, default 6000, not secret.
    let clientPerMinute: Int
    /// `THROTTLE_SMS_ADDRESS_PER_HOUR`: text messages that one IP address (IPv6: one /64) may cause per hour, and at
    /// once.
    ///
    /// Number, default 60, not secret.
    let smsAddressPerHour: Int
    /// `THROTTLE_SMS_CLIENT_PER_HOUR`: text messages that one app may cause per hour, and at once.
    ///
    /// Number, default 2000, not secret.
    let smsClientPerHour: Int
    /// `THROTTLE_WRONG_ADDRESS_PER_HOUR`: wrong answers to steps from one IP address per hour, and at once.
    ///
    /// Number, default 60, not secret.
    let wrongAddressPerHour: Int
    /// `THROTTLE_LINK_ADDRESS_PER_HOUR`: link questions for one network per hour, and at once.
    ///
    /// They count first sign-ins with an e-mail address that the provider does not prove.
    ///
    /// Number, default 30, not secret.
    let linkAddressPerHour: Int
    /// `THROTTLE_MAIL_ADDRESS_PER_HOUR`: e-mails that one IP address (IPv6: one /64) may cause per hour, and at once.
    ///
    /// Number, default 120, not secret.
    let mailAddressPerHour: Int
    /// `THROTTLE_MAIL_CLIENT_PER_HOUR`: e-mails that one app may cause per hour, and at once.
    ///
    /// Number, default 10000, not secret.
    let mailClientPerHour: Int
    /// `THROTTLE_REFRESH_PER_HOUR`: refreshes of one session per hour, and at once.
    ///
    /// Number, default 240, not secret.
    package let refreshPerHour: Int
}

extension ThrottleConfiguration {
    static let keys: [ConfigurationKey] = [
        .throttleAccountBurst, .throttleAccountPerHour, .throttleAddressBurst, .throttleAddressPerMinute,
        .throttleClientPerMinute, .throttleSMSAddressPerHour, .throttleSMSClientPerHour, .throttleWrongAddressPerHour,
        .throttleLinkAddressPerHour, .throttleMailAddressPerHour, .throttleMailClientPerHour,
        .throttleRefreshPerHour,
    ]

    init(_ settings: inout SettingsReader) {
        let range = 1...1_000_000_000
        accountBurst = settings.number(.throttleAccountBurst, in: range)
        accountPerHour = settings.number(.throttleAccountPerHour, in: range)
        addressBurst = settings.number(.throttleAddressBurst, in: range)
        addressPerMinute = settings.number(.throttleAddressPerMinute, in: range)
        clientPerMinute = settings.number(.throttleClientPerMinute, in: range)
        smsAddressPerHour = settings.number(.throttleSMSAddressPerHour, in: range)
        smsClientPerHour = settings.number(.throttleSMSClientPerHour, in: range)
        wrongAddressPerHour = settings.number(.throttleWrongAddressPerHour, in: range)
        linkAddressPerHour = settings.number(.throttleLinkAddressPerHour, in: range)
        mailAddressPerHour = settings.number(.throttleMailAddressPerHour, in: range)
        mailClientPerHour = settings.number(.throttleMailClientPerHour, in: range)
        refreshPerHour = settings.number(.throttleRefreshPerHour, in: range)
    }
}

extension ConfigurationKey {
    static let throttleAccountBurst = ConfigurationKey(
        "THROTTLE_ACCOUNT_BURST", .throttles, .number, default: "10", "The burst of attempts on one account.")
    static let throttleAccountPerHour = ConfigurationKey(
        "THROTTLE_ACCOUNT_PER_HOUR", .throttles, .number, default: "60", "Attempts that one account regains per hour.")
    static let throttleAddressBurst = ConfigurationKey(
        "THROTTLE_ADDRESS_BURST", .throttles, .number, default: "100",
        "The burst of attempts from one address. An IPv6 /64 counts as one address; its /48 has sixteen times the burst."
    )
    static let throttleAddressPerMinute = ConfigurationKey(
        "THROTTLE_ADDRESS_PER_MINUTE", .throttles, .number, default: "60",
        "Attempts that one address regains per minute. For tokens and codes that a provider rejected: a third of both limits."
    )
    static let throttleClientPerMinute = ConfigurationKey(
        "THROTTLE_CLIENT_PER_MINUTE", .throttles, .number, default: "6000", "Attempts per minute through one app.")
    static let throttleSMSAddressPerHour = ConfigurationKey(
        "THROTTLE_SMS_ADDRESS_PER_HOUR", .throttles, .number, default: "60",
        "Text messages per address: the burst, and the number regained per hour.")
    static let throttleSMSClientPerHour = ConfigurationKey(
        "THROTTLE_SMS_CLIENT_PER_HOUR", .throttles, .number, default: "2000",
        "Text messages per app: the burst, and the number regained per hour. This limits the cost of an hour.")
    static let throttleWrongAddressPerHour = ConfigurationKey(
        "THROTTLE_WRONG_ADDRESS_PER_HOUR", .throttles, .number, default: "60",
        "Wrong answers to steps per address: the burst, and the number regained per hour.")
    static let throttleLinkAddressPerHour = ConfigurationKey(
        "THROTTLE_LINK_ADDRESS_PER_HOUR", .throttles, .number, default: "30",
        "First sign-ins with an unproved e-mail address per network address: the burst, and the number regained per hour. Beyond it, the gateway does not ask to link, and the new account has no e-mail address."
    )
    static let throttleMailAddressPerHour = ConfigurationKey(
        "THROTTLE_MAIL_ADDRESS_PER_HOUR", .throttles, .number, default: "120",
        "E-mails per address: the burst, and the number regained per hour.")
    static let throttleMailClientPerHour = ConfigurationKey(
        "THROTTLE_MAIL_CLIENT_PER_HOUR", .throttles, .number, default: "10000",
        "E-mails per app: the burst, and the number regained per hour.")
    static let throttleRefreshPerHour = ConfigurationKey(
        "THROTTLE_REFRESH_PER_HOUR", .throttles, .number, default: "240",
        "Refreshes of one session: the burst, and the number regained per hour.")
}
