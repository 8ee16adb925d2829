import Logging
import Postgres

/// What a start reads from the database, however busy that is at the moment.
///
/// A request that the database keeps waiting is told so after two seconds; a server that gave up as soon would not come
/// up beside the others that a restart of the machine brings back. A database that isn't there at all still ends the
/// start at once: whoever supervises the server tries again.
struct StartPatience {
    let logger: Logger
    /// How long a read is tried again.
    var limit = Duration.seconds(30)

    /// - Parameter read: may run several times, so it must be right from the beginning each time.
    /// - Throws: what `read` throws, if that isn't slowness, or if it is slow for longer than the limit.
    func read<Value>(_ what: String, _ read: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + limit
        while true {
            do { return try await read() } catch let error as PostgresError where error.isSlowness {
                guard ContinuousClock.now < end else { throw error }
                logger.warning("the database is slow, trying again", metadata: ["reading": "\(what)"])
                // Slowness that is answered at once (a full queue) would make this a loop that adds to it.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

extension PostgresError {
    /// Whether the database is there, and only too busy.
    fileprivate var isSlowness: Bool { self == .timedOut || self == .overloaded }
}
