import Settings

/// The settings for all accounts.
package struct AccountConfiguration: Sendable, Equatable {
    /// `ACCOUNT_DELETION_DAYS`: the time before a deletion, in which the user can cancel it; 0 deletes at once.
    ///
    /// Days, default 14, not secret.
    package let deletionDays: Int
    /// `GUEST_ACCOUNT_DAYS`: the time without use after which a guest's account is deleted; 0 keeps it.
    ///
    /// Days, default 90, not secret.
    package let guestDays: Int
    /// `TEMPORARY_PASSWORD_DAYS`: the time in which a user must replace a password that an operator or a back end set.
    ///
    /// Days, default 7, not secret.
    package let temporaryPasswordDays: Int
    /// `NEW_DEVICE_NOTICES`: whether a sign-in from a new device is reported by mail.
    ///
    /// Default true, not secret.
    package let newDeviceNotices: Bool
}

extension AccountConfiguration {
    static let keys: [ConfigurationKey] = [
        .accountDeletionDays, .guestAccountDays, .temporaryPasswordDays, .newDeviceNotices,
    ]

    init(_ settings: inout SettingsReader) {
        deletionDays = settings.number(.accountDeletionDays, in: 0...90)
        guestDays = settings.number(.guestAccountDays, in: 0...3_650)
        temporaryPasswordDays = settings.number(.temporaryPasswordDays, in: 1...365)
        newDeviceNotices = settings.flag(.newDeviceNotices)
    }
}

extension ConfigurationKey {
    static let accountDeletionDays = ConfigurationKey(
        "ACCOUNT_DELETION_DAYS", .accounts, .number, default: "14",
        "Days in which a user can cancel the deletion of their account. 0 deletes at once.")
    static let guestAccountDays = ConfigurationKey(
        "GUEST_ACCOUNT_DAYS", .accounts, .number, default: "90",
        "Days without use after which the account of a guest is deleted. 0 keeps it.")
    static let temporaryPasswordDays = ConfigurationKey(
        "TEMPORARY_PASSWORD_DAYS", .accounts, .number, default: "7",
        "Days in which a user must replace a temporary password. Later it is refused, until an operator sets another one."
    )
    static let newDeviceNotices = ConfigurationKey(
        "NEW_DEVICE_NOTICES", .accounts, .flag, default: "true",
        "Whether a sign-in from a new device is reported by mail. The event and the audit row are written in any case.")
}
