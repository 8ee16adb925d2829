import Settings

/// What holds for accounts as such.
struct AccountConfiguration: Sendable, Equatable {
    /// `ACCOUNT_DELETION_DAYS`: for so long the deletion of an account waits and can be taken back; 0 for not at all.
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
        "Days in which a person can take the deletion of the account back; 0 deletes at once.")
}
