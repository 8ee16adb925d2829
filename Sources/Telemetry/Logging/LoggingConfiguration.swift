package import Logging
package import Settings

/// The level and format of the log on standard error.
package struct LoggingConfiguration: Sendable, Equatable {
    /// `LOG_LEVEL`: the lowest level that the log contains.
    ///
    /// Choice, default `info`, not secret.
    package let level: Logger.Level
    /// `LOG_FORMAT`: one JSON object per line, or text for people.
    ///
    /// Choice, default `text`, not secret.
    package let format: LogFormat

    package init(level: Logger.Level, format: LogFormat) {
        (self.level, self.format) = (level, format)
    }
}

/// The format of a log line.
package enum LogFormat: String, Sendable, CaseIterable {
    case json, text
}

extension LoggingConfiguration {
    package static let keys: [ConfigurationKey] = [.logLevel, .logFormat]

    package init(_ settings: inout SettingsReader) {
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
