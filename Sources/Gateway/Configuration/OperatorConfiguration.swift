/// What holds for operators.
struct OperatorConfiguration: Sendable, Equatable {
    /// `CONSOLE_CLIENT_ID`: the client that people sign in to the console with; it is made at start where there is none.
    ///
    /// Text, default `console`, not secret.
    let consoleClient: String
}

extension OperatorConfiguration {
    static let keys: [ConfigurationKey] = [.consoleClientID]

    init(_ settings: inout SettingsReader) {
        consoleClient = settings.required(.consoleClientID)
        if !ClientID.isValid(consoleClient) {
            settings.complain(
                .consoleClientID,
                "must be up to 64 letters, digits, dots, hyphens or underscores, and begin with a letter or digit")
        }
    }
}

extension ConfigurationKey {
    static let consoleClientID = ConfigurationKey(
        "CONSOLE_CLIENT_ID", .operators, default: "console",
        "The client that people sign in to the console with; it is made at start where there is none.")
}
