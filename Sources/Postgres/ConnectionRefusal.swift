import CPostgres

/// The reason for a failed connection: PostgreSQL's refusal with its code, or libpq's sentence about a server out of reach.
///
/// libpq reports the code only in its message, and only on request. So a diagnosis makes one more attempt, instead of every
/// failed connection.
package struct ConnectionRefusal: Equatable, Sendable {
    /// Nil without an answer from PostgreSQL.
    package let state: SQLState?
    /// The server's or libpq's sentence, which may name a host, role or database, but no password.
    package let message: String

    package init(state: SQLState?, message: String) {
        (self.state, self.message) = (state, message)
    }

    /// Connects once to find the reason; nil without one, or if the connection succeeds.
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
    /// The word before the code may be in any language. Without a code it is the last line about a host.
    static func read(_ text: String) -> ConnectionRefusal? {
        let lines = text.split(separator: "\n")
        let refusals: [ConnectionRefusal] = lines.compactMap { line in
            guard let match = line.firstMatch(of: /:\s+[^:]+:\s+([0-9A-Z]{5}): (.+)$/) else { return nil }
            return ConnectionRefusal(state: SQLState(rawValue: String(match.1)), message: String(match.2))
        }
        if let last = refusals.last { return last }
        return lines.last(where: namesHost).map { ConnectionRefusal(state: nil, message: String($0)) }
    }

    /// Whether libpq names the host that it tried.
    ///
    /// Other sentences may quote a part of the connection string. A host with `@` is the end of a password that the
    /// address does not percent-encode.
    private static func namesHost(_ line: Substring) -> Bool {
        ["connection to server ", "could not translate host name "].contains(where: line.hasPrefix)
            && !line.contains("@")
    }
}
