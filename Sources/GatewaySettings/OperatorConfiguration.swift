package import Clients
package import Settings

/// The settings for operators.
package struct OperatorConfiguration: Sendable, Equatable {
    /// `CONSOLE_CLIENT_ID`: the client for signing in to the console; the start creates a missing one.
    ///
    /// Text, default `console`, not secret.
    package let consoleClient: String
    /// `OWNER_CONFIRMATION`: whether a new owner role needs a grant by a second operator with the owner role.
    ///
    /// True or false, default false, not secret.
    let confirmsOwners: Bool
    /// `FACTOR_REMOVAL_HOURS`: the time in which a user can cancel an operator's removal of the second factors.
    ///
    /// Hours, default 24, not secret.
    let factorRemovalHours: Int
    var factorRemovalSeconds: Int { factorRemovalHours * 3_600 }
    /// `OPERATOR_SESSION_HOURS`: the maximum lifetime of a session of an administration client.
    ///
    /// Hours, default 12, not secret.
    let sessionHours: Int
    /// `OPERATOR_IDLE_MINUTES`: the idle timeout of such a session.
    ///
    /// Minutes, default 30, not secret.
    let idleMinutes: Int
    package var sessions: ClientRegistry.OperatorSessions {
        .init(idle: idleMinutes * 60, maximum: sessionHours * 3_600)
    }
    /// `OPERATOR_READS_PER_MINUTE`: an operator's limit of reads of accounts and of the audit log.
    ///
    /// Number, default 240, not secret.
    package let readsPerMinute: Int
}

extension OperatorConfiguration {
    static let keys: [ConfigurationKey] = [
        .consoleClientID, .operatorSessionHours, .operatorIdleMinutes, .operatorReadsPerMinute, .ownerConfirmation,
        .factorRemovalHours,
    ]

    init(_ settings: inout SettingsReader) {
        consoleClient = settings.required(.consoleClientID)
        confirmsOwners = settings.flag(.ownerConfirmation)
        factorRemovalHours = settings.number(.factorRemovalHours, in: 0...336)
        sessionHours = settings.number(.operatorSessionHours, in: 1...168)
        idleMinutes = settings.number(.operatorIdleMinutes, in: 1...1_440)
        readsPerMinute = settings.number(.operatorReadsPerMinute, in: 1...60_000)
        if !ClientID.isValid(consoleClient) {
            settings.complain(
                .consoleClientID,
                "must be up to 64 letters, digits, dots, hyphens or underscores, and begin with a letter or digit")
        }
    }
}

extension ConfigurationKey {
    package static let consoleClientID = ConfigurationKey(
        "CONSOLE_CLIENT_ID", .operators, default: "console",
        "The client id of the console's sign-in. The client is created at start if it does not exist.")
    static let operatorSessionHours = ConfigurationKey(
        "OPERATOR_SESSION_HOURS", .operators, .number, default: "12",
        "The maximum lifetime in hours of a session of an administration client.")
    static let operatorIdleMinutes = ConfigurationKey(
        "OPERATOR_IDLE_MINUTES", .operators, .number, default: "30",
        "The idle timeout in minutes of such a session.")
    static let operatorReadsPerMinute = ConfigurationKey(
        "OPERATOR_READS_PER_MINUTE", .operators, .number, default: "240",
        "Reads of accounts and of the audit log per operator and minute. A page of the console makes a few.")
    static let ownerConfirmation = ConfigurationKey(
        "OWNER_CONFIRMATION", .operators, .flag, default: "false",
        "Whether a second owner must confirm each new owner within a day.")
    static let factorRemovalHours = ConfigurationKey(
        "FACTOR_REMOVAL_HOURS", .operators, .number, default: "24",
        "Hours in which a user can cancel an operator's removal of their second factors. 0 removes them at once.")
}
