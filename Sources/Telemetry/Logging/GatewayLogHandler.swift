import FoundationEssentials
package import Logging

/// Writes log events to a sink, as JSON or text.
package struct GatewayLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let sink: LogSink

    package init(label: String, configuration: LoggingConfiguration, sink: LogSink = .standardError) {
        self.label = label
        logLevel = configuration.level
        format = configuration.format
        self.sink = sink
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = LogLine(
            format, at: Date(), level: event.level, label: label, message: Redaction.covered(event.message.description))
        for (name, value) in everything(event).sorted(by: { $0.key < $1.key }) {
            line.field(name, value)
        }
        if let error = event.error { line.field("error", Redaction.covered("\(error)")) }
        line.finish()
        sink.line(isUrgent: event.level >= .warning) { $0.append(contentsOf: line.bytes) }
    }

    private func everything(_ event: LogEvent) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        return all
    }
}
