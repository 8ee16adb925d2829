package import Foundation
package import Postgres

/// The end of accounts in PostgreSQL: every method calls one function of `Functions/deletion/`, which is one transaction.
package struct DeletionStore: Sendable {
    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// What became of a request.
    package enum Answer: Sendable, Equatable {
        case waits(AccountDeletion)
        /// At once: there was no time to wait for.
        case erased
        /// The outcome of the function, such as `reauth_required` or `operator_account`.
        case refused(String)
    }

    /// Asked for by the person, in a session.
    package func request(_ account: UUID, session: UUID, days: Int, client: String, caller: Caller) async throws
        -> Answer
    {
        try await answer(
            """
            select outcome, requested_at, due_at
              from request_deletion(\(account), \(session), \(Int32(days)), \(client), \(caller.address), \(caller.requestID))
            """)
    }

    private func answer(_ statement: SQL) async throws -> Answer {
        try await pool.withConnection { connection in
            guard let row = try connection.queryOne(statement) else { return .refused("not_found") }
            let outcome: String = try row.value(0)
            switch outcome {
            case "erased": return .erased
            case "requested", "waiting":
                return .waits(AccountDeletion(requestedAt: try row.value(1), dueAt: try row.value(2)))
            default: return .refused(outcome)
            }
        }
    }

    /// Taken back by the person, in a session; the outcome of the function: `cancelled`, `not_found`, `session_ended`.
    package func cancel(_ account: UUID, session: UUID, client: String, caller: Caller) async throws -> String {
        try await outcome(
            """
            select cancel_deletion(\(account), null, null, \(session), \(client), \(caller.address), \(caller.requestID))
            """)
    }

    private func outcome(_ statement: SQL) async throws -> String {
        try await pool.withConnection { try $0.queryOne(statement)?.value(0) } ?? "not_found"
    }

    /// Erases accounts whose time has come; answers how many.
    package func sweep(limit: Int, requestID: String) async throws -> Int {
        try await pool.withConnection { connection in
            Int(
                try connection.queryOne("select sweep_deletions(\(Int32(limit)), \(requestID))")?
                    .value(0, as: Int32.self) ?? 0)
        }
    }
}
