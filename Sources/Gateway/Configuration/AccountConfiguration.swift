import Settings

/// The settings for all accounts.
struct AccountConfiguration: Sendable, Equatable {
    /// `ACCOUNT_DELETION_DAYS`: the time before a deletion, in which the user can cancel it; 0 deletes at once.
    ///
    /// Days, default 14, not secret.
    let deletionDays: Int
}

extension AccountConfiguration {
    static let keys: [ConfigurationKey] = [.accountDeletionDays]

    init(_ settings: inout SettingsReader) {
        deletionDays = settings.number(.accountDeletionDays, in: 0...90)
    }
}

extension ConfigurationKey {
    static let accountDeletionDays = ConfigurationKey(
        "ACCOUNT_DELETION_DAYS", .accounts, .number, default: "14",
        "Days in which a user can cancel the deletion of their account. 0 deletes at once.")
}
