package import Sessions
import Settings

/// The lifetimes of tokens, sessions and signing keys.
package struct TokenConfiguration: Sendable, Equatable {
    /// `ACCESS_TOKEN_SECONDS`: the lifetime of an access token.
    ///
    /// Seconds, default 600, not secret.
    let accessTokenSeconds: Int
    /// `REFRESH_IDLE_DAYS`: the idle timeout of a session.
    ///
    /// Days, default 30, not secret.
    let refreshIdleDays: Int
    /// `REFRESH_MAXIMUM_DAYS`: the maximum lifetime of a session.
    ///
    /// Days, default 90, not secret.
    let refreshMaximumDays: Int
    /// `REFRESH_LATE_REPEAT_HOURS`: the time in which a spent refresh token may be retried while its successor is
    /// unspent.
    ///
    /// Hours, default 24, 0 for the ten seconds alone, not secret.
    package let refreshLateRepeatHours: Int
    /// `BROWSER_SESSION_IDLE_HOURS`: the idle timeout of a browser's session, from which the sessions of apps begin.
    ///
    /// Hours, default 72, not secret.
    let browserSessionIdleHours: Int
    /// `BROWSER_SESSION_MAXIMUM_HOURS`: the maximum lifetime of a browser's session.
    ///
    /// Hours, default 720, not secret.
    let browserSessionMaximumHours: Int
    /// `SIGNING_KEY_ROTATION_DAYS`: the time for which a signing key signs.
    ///
    /// Days, default 90, 0 for ever, not secret.
    package let signingKeyRotationDays: Int

    package var browserSessions: BrowserSessions {
        BrowserSessions(idle: browserSessionIdleHours * 3_600, maximum: browserSessionMaximumHours * 3_600)
    }
}

extension TokenConfiguration {
    static let keys: [ConfigurationKey] = [
        .accessTokenSeconds, .refreshIdleDays, .refreshMaximumDays, .refreshLateRepeatHours,
        .browserSessionIdleHours, .browserSessionMaximumHours, .signingKeyRotationDays,
    ]

    /// Applies the bounds of the table of clients, because a value outside them would stop the server's start.
    init(_ settings: inout SettingsReader) {
        accessTokenSeconds = settings.number(.accessTokenSeconds, in: 60...3_600)
        refreshIdleDays = settings.number(.refreshIdleDays, in: 1...365)
        refreshMaximumDays = settings.number(.refreshMaximumDays, in: 1...365)
        refreshLateRepeatHours = settings.number(.refreshLateRepeatHours, in: 0...RefreshRepeats.latest / 3_600)
        browserSessionIdleHours = settings.number(.browserSessionIdleHours, in: 1...8_760)
        browserSessionMaximumHours = settings.number(.browserSessionMaximumHours, in: 1...8_760)
        signingKeyRotationDays = settings.number(.signingKeyRotationDays, in: 0...3_650)
        if refreshMaximumDays < refreshIdleDays {
            settings.complain(.refreshMaximumDays, "must not be less than REFRESH_IDLE_DAYS")
        }
        if browserSessionMaximumHours < browserSessionIdleHours {
            settings.complain(.browserSessionMaximumHours, "must not be less than BROWSER_SESSION_IDLE_HOURS")
        }
    }
}

extension ConfigurationKey {
    static let accessTokenSeconds = ConfigurationKey(
        "ACCESS_TOKEN_SECONDS", .tokens, .number, default: "600", "The lifetime of access tokens in seconds.")
    static let refreshIdleDays = ConfigurationKey(
        "REFRESH_IDLE_DAYS", .tokens, .number, default: "30", "Days after which an unused session ends.")
    static let refreshMaximumDays = ConfigurationKey(
        "REFRESH_MAXIMUM_DAYS", .tokens, .number, default: "90", "Days after which any session ends.")
    static let refreshLateRepeatHours = ConfigurationKey(
        "REFRESH_LATE_REPEAT_HOURS", .tokens, .number, default: "24",
        "Hours in which an app may repeat a refresh after a lost answer. 0: ten seconds only.")
    static let browserSessionIdleHours = ConfigurationKey(
        "BROWSER_SESSION_IDLE_HOURS", .tokens, .number, default: "72",
        "Hours without use after which a browser must sign in again before another app gets a session.")
    static let browserSessionMaximumHours = ConfigurationKey(
        "BROWSER_SESSION_MAXIMUM_HOURS", .tokens, .number, default: "720",
        "Hours after which any browser must sign in again before another app gets a session.")
    static let signingKeyRotationDays = ConfigurationKey(
        "SIGNING_KEY_ROTATION_DAYS", .tokens, .number, default: "90",
        "Days until the next signing key replaces the current one. 0: only by `gateway keys rotate`.")
}
