import CPostgres

/// PostgreSQL's answer when it refused a connection: a wrong password, no such role or database, a missing permission.
///
/// libpq reports the code only in its message, and only on request. So it connects once more, only when a caller needs
/// the reason.
package struct ConnectionRefusal: Equatable, Sendable {
    package let state: SQLState
    /// The server's message: it may name a role or database, never a password.
    package let message: String

    package init(state: SQLState, message: String) {
        (self.state, self.message) = (state, message)
    }

    /// Connects once to find the reason; nil if no server answers, or if the connection succeeds.
    ///
    /// Takes up to `connect_timeout`.
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
