package import Foundation
package import Postgres
package import Vocabulary

/// Account deletions in PostgreSQL: every method calls one function of `Functions/deletion/`, which is one transaction.
package struct DeletionStore: Sendable {
    /// The pause before a failed deletion or removal is retried, in seconds.
    package static let retrySeconds: Int32 = 3_600

    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// The result of a request.
    package enum Answer: Sendable, Equatable {
        case waits(AccountDeletion)
        /// Immediately, without a delay.
        case erased
        case refused(RefusalWord)
    }

    /// Requested by the user, in a session.
    package func request(_ account: UUID, session: UUID, days: Int, client: String, caller: Caller) async throws
        -> Answer
    {
        try await answer(
            """
            select outcome, requested_at, due_at
              from request_deletion(\(account), \(session), \(RecentProof.seconds), \(Int32(days)), \(client), \(caller.address),
                                    \(caller.requestID))
            """)
    }

    private func answer(_ statement: SQL) async throws -> Answer {
        try await pool.withConnection { connection in
            let row = try connection.row(statement)
            switch try row.outcome(0, DeletionWord.self, RefusalWord.self) {
            case .own(.erased): return .erased
            case .own(.requested), .own(.waiting):
                return .waits(AccountDeletion(requestedAt: try row.value(1), dueAt: try row.value(2)))
            case .refused(let word): return .refused(word)
            }
        }
    }

    /// Cancelled by the user, in a session; nil if that succeeded.
    package func cancel(_ account: UUID, session: UUID, client: String, caller: Caller) async throws -> RefusalWord? {
        try await pool.withConnection { connection in
            let row = try connection.row(
                """
                select cancel_deletion(\(account), null, 'person', \(session), \(client), \(caller.address), \(caller.requestID))
                """)
            return switch try row.outcome(0, DeletionCancelling.self, RefusalWord.self) {
            case .own(.cancelled): nil
            case .refused(let word): word
            }
        }
    }

    /// Erases due accounts; returns their number.
    package func sweep(limit: Int, requestID: String) async throws -> Int {
        try await pool.withConnection { connection in
            Int(
                try connection.queryOne("select sweep_deletions(\(Int32(limit)), \(requestID), \(Self.retrySeconds))")?
                    .value(0, as: Int32.self) ?? 0)
        }
    }
}

/// The outcomes of requesting a deletion (`request_deletion`, and for an operator `begin_deletion`).
enum DeletionWord: String, OutcomeWord {
    static let functions = ["begin_deletion", "request_deletion"]

    case requested, waiting, erased
}

/// The outcomes of cancelling a deletion (`cancel_deletion`).
enum DeletionCancelling: String, OutcomeWord {
    static let functions = ["cancel_deletion"]

    case cancelled
}
