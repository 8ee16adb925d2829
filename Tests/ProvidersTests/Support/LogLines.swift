import Logging
import Synchronization

/// The logged lines.
final class LogLines: Sendable {
    struct Line: Equatable, Sendable {
        let level: Logger.Level
        let facts: [String: String]
    }

    private let all = Mutex<[Line]>([])

    var lines: [Line] { all.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let facts = (event.metadata ?? [:]).mapValues(\.description)
            lines.all.withLock { $0.append(Line(level: event.level, facts: facts)) }
        }
    }
}
