import CPostgres

/// What PostgreSQL said when it answered and took no connection: a wrong password, no such role or database, no right.
///
/// libpq tells the code of such a refusal only in its message, and only where it is asked to. So it is asked once more, where
/// somebody wants to know, and not at every connection that fails.
package struct ConnectionRefusal: Equatable, Sendable {
    package let state: SQLState
    /// The server's sentence: it may name a role or database, never a password.
    package let message: String

    package init(state: SQLState, message: String) {
        (self.state, self.message) = (state, message)
    }

    /// Connects once to find out; nil where nobody answers, and where the connection comes about.
    ///
    /// Takes as long as `connect_timeout` allows.
    package static func found(_ configuration: PostgresConfiguration) async -> ConnectionRefusal? {
        await withCheckedContinuation { continuation in
            let isStarted = DedicatedThread.start(name: "pg-refusal") {
                continuation.resume(returning: ConnectionHandle.refusal(configuration).flatMap(read))
            }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }

    /// The last refusal in libpq's message, which has a line for each host: `…: FATAL:  28P01: the sentence`.
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
