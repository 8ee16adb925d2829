import Logging
import Postgres

/// Retries the reads of a start while the database is busy.
///
/// A request fails after two seconds of waiting. A start waits longer, because a machine restart starts everything at
/// once. An unreachable database still ends the start immediately; the supervisor retries.
struct StartPatience {
    let logger: Logger
    /// The time limit for retries.
    var limit = Duration.seconds(30)

    /// - Parameter read: may run several times, so it must start afresh each time.
    /// - Throws: the error of `read` if it isn't slowness, or if slowness exceeds the limit.
    func read<Value>(_ what: String, _ read: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + limit
        while true {
            do { return try await read() } catch let error as PostgresError where error.isSlowness {
                guard ContinuousClock.now < end else { throw error }
                logger.warning("the database is slow, trying again", metadata: ["reading": "\(what)"])
                // Pauses, because an immediate retry on a full queue would add load.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

extension PostgresError {
    /// Whether the database is reachable but too busy.
    fileprivate var isSlowness: Bool { self == .timedOut || self == .overloaded }
}
