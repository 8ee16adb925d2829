import Logging
import Metrics
import Synchronization

/// Whether the database accepts changes, according to its latest answers.
///
/// A failure of the server, such as a full disk, makes it false, and so does a commit that was given up while it waited for
/// a standby. Only a successful change makes it true again: see ``WriteProbe``.
final class WriteHealth: Sendable {
    private struct State {
        var isFailing = false
        var spokeAt: MonotonicTime?
        var unspoken = 0
    }

    /// At most one log line is written in this time.
    private static let pause = Duration.seconds(1)

    private let state = Mutex(State())
    private let logger: Logger
    private let failures = Counter(label: "postgres_writes_failed")

    init(logger: Logger) {
        self.logger = logger
    }

    var isFailing: Bool { state.withLock { $0.isFailing } }

    /// Evaluates an error; errors that are not about the server are ignored.
    func note(_ error: PostgresError) {
        guard error.mayPass, !error.isContention else { return }
        fail(error)
    }

    func fail(_ error: PostgresError) {
        failures.increment()
        let unspoken: Int? = state.withLock { state in
            state.isFailing = true
            if let last = state.spokeAt, last + Self.pause > .now {
                state.unspoken += 1
                return nil
            }
            defer { (state.spokeAt, state.unspoken) = (.now, 0) }
            return state.unspoken
        }
        guard let unspoken else { return }
        logger.error(
            "the database takes no changes", metadata: ["error": "\(error.diagnostic)", "unspoken": "\(unspoken)"])
    }

    /// Reports a successful change.
    func recover() {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = false }
            return state.isFailing
        }
        if wasFailing { logger.notice("the database takes changes again") }
    }
}
