import CPostgres

/// A pooler gives connections their session for one transaction only, as PgBouncer does in transaction mode.
package struct SharedSessions: Error, CustomStringConvertible {
    package let description =
        "A pooler in transaction mode is between this server and PostgreSQL: two connections share one session. Prepared statements, LISTEN and locks need a session of their own. Set pool_mode = session for this database in PgBouncer, or let DATABASE_URL name PostgreSQL itself."
}

/// Checks that every connection keeps its session.
///
/// Without one, statements fail later in ways that do not name the cause, and notifications never arrive.
package enum SessionCheck {
    /// It opens one connection, and a second one only behind a pooler.
    ///
    /// - Throws: ``SharedSessions``, and the errors of ``SingleConnection``.
    package static func requireOwnSessions(_ configuration: PostgresConfiguration) async throws {
        try await SingleConnection.run(configuration) { first in
            let session = try first.sessionID()
            // A pooler announces a number of its own.
            guard session != first.announcedSessionID else { return }
            try SingleConnection.runBlocking(configuration) { second in
                guard try second.sessionID() != session, try first.sessionID() == session else {
                    throw SharedSessions()
                }
            }
        }
    }
}

extension Connection {
    /// The server's process of this connection, asked without preparing a statement.
    fileprivate func sessionID() throws(PostgresError) -> String {
        try sendText("select pg_backend_pid()").value(row: 0, column: 0, as: String.self)
    }

    /// The same as the other end announced it while connecting.
    fileprivate var announcedSessionID: String { String(unsafe PQbackendPID(handle.raw)) }
}
