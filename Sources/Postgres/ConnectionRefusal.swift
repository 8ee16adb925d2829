import CPostgres

/// PostgreSQL's refusal of a connection: a wrong password, an unknown role or database, a missing right.
///
/// libpq reports the code only in its message, and only on request. So a diagnosis makes one more attempt, instead of every
/// failed connection.
package struct ConnectionRefusal: Equatable, Sendable {
    package let state: SQLState
    /// The server's message, which may name a role or database, but no password.
    package let message: String

    package init(state: SQLState, message: String) {
        (self.state, self.message) = (state, message)
    }

    /// Connects once to find the reason; nil without an answer, or if the connection succeeds.
    ///
    /// It blocks for up to `connect_timeout`.
    package static func found(_ configuration: PostgresConfiguration) async -> ConnectionRefusal? {
        await withCheckedContinuation { continuation in
            let isStarted = DedicatedThread.start(name: "pg-refusal") {
                continuation.resume(returning: ConnectionHandle.refusal(configuration).flatMap(read))
            }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }

    /// The last refusal in libpq's message, which has a line per host: `…: FATAL:  28P01: the sentence`.
    ///
    /// The word before the code may be in any language.
    static func read(_ text: String) -> ConnectionRefusal? {
        let refusals: [ConnectionRefusal] = text.split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: /:\s+[^:]+:\s+([0-9A-Z]{5}): (.+)$/) else { return nil }
            return ConnectionRefusal(state: SQLState(rawValue: String(match.1)), message: String(match.2))
        }
        return refusals.last
    }
}
