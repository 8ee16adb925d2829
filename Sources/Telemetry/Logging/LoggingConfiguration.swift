import Logging
import Settings

/// The level and format of the log on standard error.
struct LoggingConfiguration: Sendable, Equatable {
    /// `LOG_LEVEL`: the lowest level that the log contains.
    ///
    /// Choice, default `info`, not secret.
    let level: Logger.Level
    /// `LOG_FORMAT`: one JSON object per line, or text for people.
    ///
    /// Choice, default `text`, not secret.
    let format: LogFormat
}

/// The format of a log line.
enum LogFormat: String, Sendable, CaseIterable {
    case json, text
}

extension LoggingConfiguration {
    static let keys: [ConfigurationKey] = [.logLevel, .logFormat]

    init(_ settings: inout SettingsReader) {
        level = settings.choice(.logLevel, else: Logger.Level.info)
        format = settings.choice(.logFormat, else: LogFormat.text)
    }
}

extension ConfigurationKey.Group {
    static let logging = Self("Logging", "to standard error")
}

extension ConfigurationKey {
    static let logLevel = ConfigurationKey(
        "LOG_LEVEL", .logging, .choice, default: "info",
        "The lowest level written: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.")
    static let logFormat = ConfigurationKey(
        "LOG_FORMAT", .logging, .choice, default: "text", "`json`: one object per line; `text`: for reading.")
}
