import ArgumentParser
package import GatewaySettings
import Settings
import Telemetry

/// The location of the configuration, an option of every command that reads it.
package struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .customLong("env-file"),
        help: ArgumentHelp(
            "A file of KEY=value lines. The process environment takes precedence.",
            discussion:
                "Default: .env in the working folder, if it exists. Relative paths in the file are relative to it.",
            valueName: "path"))
    var environmentFile: String?

    package init() {}

    /// The configuration.
    ///
    /// Errors go to standard error, and the command exits with 78.
    ///
    /// - Parameter use: the settings whose errors count.
    package func load(for use: SettingsUse = .all) throws -> GatewayConfiguration {
        do {
            return try GatewayConfiguration.load(environmentFile: environmentFile, for: use)
        } catch {
            Terminal.complain(error.description)
            throw ExitStatus.configuration
        }
    }
}
