import Foundation
import JSON
import Postgres
import Vocabulary

/// Stores merges in PostgreSQL, with `merging/merge_own_accounts.sql` and `merging/undo_own_merge.sql`.
struct MergeStore: Sendable {
    let pool: ConnectionPool

    struct Report: Sendable {
        let digest: String
        let facts: JSON
    }

    enum Answer: Sendable {
        case done(Report)
        case refused(RefusalWord)
    }

    func mergeable(by identity: UUID, into kept: UUID, isDated: Bool) async throws -> UUID? {
        try await pool.withConnection { connection in
            try connection.queryOne("select mergeable_by_identity(\(kept), \(identity), \(!isDated))")?
                .value(0)
        }
    }

    /// - Parameter change: the id of the change; nil for a preview.
    func merge(
        _ ticket: MergeTicket, expecting digest: String?, change: UUID?, spending: [Spending], session: UUID,
        caller: Caller
    ) async throws -> Answer {
        var (identity, other): (UUID?, UUID?)
        switch ticket.proof {
        case .identity(let id): identity = id
        case .session(let id): other = id
        }
        let statement: SQL = """
            select outcome, digest, report::text
              from merge_own_accounts(\(change), \(ticket.kept), \(session), \(RecentProof.seconds), \(ticket.absorbed), \(identity), \(other), \(digest),
                                      \(change == nil), \(spending), \(ticket.client), \(caller.address), \(caller.requestID))
            """
        // A spent ticket counts as expired.
        return try await pool.spending(spending, refused: { _ in .refused(.flowExpired) }) {
            try await merge(statement)
        }
    }

    private func merge(_ statement: SQL) async throws -> Answer {
        try await pool.withConnection { connection in
            let row = try connection.row(statement)
            switch try row.outcome(0, OwnMergeWord.self, RefusalWord.self) {
            case .own(.merged), .own(.previewed): break
            case .own(.nothingToChange): throw Rejection.internalError
            case .refused(let word): return .refused(word)
            }
            let facts = try JSON(parsing: try row.value(2, as: String.self), limits: .provider)
            return .done(Report(digest: try row.value(1), facts: facts))
        }
    }

    func merges(of account: UUID) async throws -> [OwnMerge] {
        try await pool.query(
            """
            select id, other_id, made_at, undo_until from account_changes
             where account_id = \(account) and kind = 'merge' and by_person and undone_at is null and undo_until > now()
               and other_id is not null
             order by made_at desc, id desc limit 50
            """
        ) { row in
            OwnMerge(
                id: try row.value(0), absorbed: try row.value(1), madeAt: try row.value(2),
                undoUntil: try row.value(3))
        }
    }

    func undo(
        _ change: UUID, of account: UUID, session: UUID, signInMethods: [String], client: String, caller: Caller
    ) async throws -> Undoing {
        try await pool.withConnection { connection in
            let row = try connection.row(
                """
                select outcome, parts
                  from undo_own_merge(\(change), \(account), \(session), \(RecentProof.seconds), \(signInMethods), \(client), \(caller.address), \(caller.requestID))
                """)
            return switch try row.outcome(0, OwnMergeUndoing.self, RefusalWord.self) {
            case .own(.undone): .undone
            case .own(.undoBlocked): .refused(.undoBlocked(try row.value(1)))
            case .refused(let word): .refused(Rejection(word))
            }
        }
    }

    enum Undoing: Sendable {
        case undone
        case refused(Rejection)
    }
}

/// The outcomes of `merge_own_accounts`.
enum OwnMergeWord: String, OutcomeWord {
    static let functions = ["merge_own_accounts"]

    case merged, previewed
    /// Both accounts are the same; no ticket exists for that case.
    case nothingToChange = "nothing_to_change"
}

/// The outcomes of `undo_own_merge`.
enum OwnMergeUndoing: String, OutcomeWord {
    static let functions = ["undo_own_merge"]

    case undone
    /// A later change blocks the undo.
    case undoBlocked = "undo_blocked"
}
