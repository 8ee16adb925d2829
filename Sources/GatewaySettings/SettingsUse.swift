import HTTPServer
import Providers
import Settings
import Telemetry

/// The settings that a command uses: errors in others do not stop it.
package struct SettingsUse: Sendable {
    /// Nil for all.
    private let keys: [ConfigurationKey]?

    private init(_ keys: [ConfigurationKey]?) {
        self.keys = keys
    }

    package static let all = Self(nil)
    /// Rows without sealed values.
    package static let database = Self(DatabaseConfiguration.keys + LoggingConfiguration.keys + [.environment])
    /// No row.
    package static let publicURL = Self([.publicURL, .environment])
    /// Every row.
    package static let records = database.and(GatewayConfiguration.secretKeys)
    /// Rows, and the hashing of a password.
    package static let passwords = records.and(PasswordConfiguration.keys)
    /// Rows, and what the pages and mails of apps show.
    package static let messages = records.and([.publicURL, .clientID, .clientName, .defaultLanguage])
    /// Rows, and the sign-in methods that accounts and apps can have.
    package static let signInMethods = records.and(
        [.publicURL] + PasskeyConfiguration.keys + SMSRoute.keys + ProviderSettings.keys
            + ProviderList.all.flatMap(\.keys) + OperatorConfiguration.keys + AccountConfiguration.keys)

    private func and(_ more: [ConfigurationKey]) -> Self { Self((keys ?? []) + more) }

    func includes(_ name: String) -> Bool { keys?.contains { $0.isNamed(name) } ?? true }

    /// Whether the providers can be built.
    var includesProviders: Bool { includes(ConfigurationKey.providerTimeout.name) }

    /// The complaints that count.
    ///
    /// - Parameters:
    ///   - found: complaints about values.
    ///   - file: complaints about the form of the file. With `unknown`, they may explain why a used value is missing.
    ///   - exposed: complaints about files that other users can read.
    func complaints(
        _ found: [ConfigurationError.Complaint], of file: [ConfigurationError.Complaint],
        _ unknown: [ConfigurationError.Complaint], _ exposed: [ConfigurationError.Complaint]
    ) -> [ConfigurationError.Complaint] {
        let counting = found.filter { includes($0.key) }
        let explaining = keys == nil || !counting.isEmpty
        return (explaining ? file : []) + counting + (explaining ? unknown : []) + exposed
    }
}
