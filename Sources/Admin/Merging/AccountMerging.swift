package import Foundation
package import JSON
import Postgres

/// Joining, dividing, and taking back: who gets into which account (`Functions/merging/`).
package struct AccountMerging: Sendable {
    private let desk: AdminDesk
    /// The ways in that can be used today: no account is left without one.
    private let waysIn: [String]

    package init(desk: AdminDesk, waysIn: [String]) {
        (self.desk, self.waysIn) = (desk, waysIn)
    }

    /// What a merge would do, or did.
    package struct Report: Sendable, Equatable {
        /// The change, by which it can be undone; nil for a preview.
        package let change: UUID?
        /// Stands for both accounts as they were looked at: a merge that brings it is refused once they differ.
        package let digest: String?
        /// `moves`, `ends_sessions`, `before`, `after`.
        package let facts: JSON
    }

    /// Shows what a merge would do: it is done and taken back.
    package func previewMerge(of absorbed: UUID, into kept: UUID, by actor: AdminActor) async throws -> Report {
        let views = [AdminDesk.View.account(absorbed), .account(kept)]
        return try await desk.view(.previewChange, actor, { _ in views }) { connection in
            try Self.merge(absorbed, kept, expecting: nil, change: nil, actor, connection)
        }
    }

    /// Joins two accounts; `expecting` is the digest of the preview that the operator saw.
    package func merge(
        _ absorbed: UUID, into kept: UUID, expecting digest: String, because reason: Reason, by actor: AdminActor
    ) async throws -> Report {
        let change = desk.newID()
        return try await desk.change(.mergeAccounts, actor, of: [absorbed, kept], because: reason) { connection in
            try Self.merge(absorbed, kept, expecting: digest, change: change, actor, connection)
        }
    }

    private static func merge(
        _ absorbed: UUID, _ kept: UUID, expecting digest: String?, change: UUID?, _ actor: AdminActor,
        _ connection: Connection
    ) throws -> Report {
        let row = try connection.row(
            """
            select outcome, digest, report::text
              from merge_accounts(\(change), \(kept), \(absorbed), \(digest), \(change == nil), \(actor.account), \(actor.address),
                                  \(actor.requestID))
            """)
        switch try row.answer(as: MergeWord.self) {
        case .merged, .previewed: return try report(row, change)
        }
    }

    /// Gives what is listed to a new account, or shows what that would do.
    ///
    /// - Parameter items: the lists `identities`, `emails`, `phones`, `passkeys`, `factors`, and `password`.
    package func split(
        _ account: UUID, giving items: SplitItems, dryRun: Bool, because reason: Reason, by actor: AdminActor
    ) async throws -> (report: Report, newAccount: UUID) {
        let (change, new, waysIn) = (desk.newID(), desk.newID(), waysIn)
        let report = try await desk.change(.splitAccount, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select outcome, null, report::text
                  from split_account(\(change), \(account), \(new), \(JSONText(items.json.text)), \(waysIn), \(dryRun), \(actor.account),
                                     \(actor.address), \(actor.requestID))
                """)
            switch try row.answer(as: SplitWord.self) {
            case .split, .previewed: return try Self.report(row, dryRun ? nil : change)
            }
        }
        return (report, new)
    }

    /// Takes back a merge, split, move, link or unlink by an operator; answers whose it was.
    @discardableResult
    package func undo(_ change: UUID, because reason: Reason, by actor: AdminActor) async throws -> [UUID] {
        let accounts = try await accounts(of: change, by: actor)
        let waysIn = waysIn
        try await desk.change(.undoChange, actor, of: accounts, because: reason) { connection in
            let row = try connection.row(
                "select outcome, parts from undo_change(\(change), \(waysIn), \(actor.address), \(actor.requestID))")
            switch try row.answer(as: UndoWord.self) {
            case .undone: return
            case .undoBlocked: throw AdminRefusal.undoBlocked(try row.value(1))
            }
        }
        return accounts
    }

    /// Whose they are never changes, so they may be read before.
    private func accounts(of change: UUID, by actor: AdminActor) async throws -> [UUID] {
        try await desk.look(.showAccount, actor) { connection in
            let row = try connection.queryOne("select account_id, other_id from account_changes where id = \(change)")
            guard let row else { throw AdminRefusal.notFound }
            return [try row.value(0), try row.value(1, as: UUID?.self)].compactMap { $0 }
        }
    }

    private static func report(_ row: Row, _ change: UUID?) throws -> Report {
        Report(
            change: change, digest: try row.value(1), facts: try AccountRecords.document(try row.value(2)))
    }
}

/// What joining two accounts came to (`merge_accounts`).
enum MergeWord: String, OutcomeWord {
    static let functions = ["merge_accounts"]

    case merged, previewed
}

/// What dividing an account came to (`split_account`).
enum SplitWord: String, OutcomeWord {
    static let functions = ["split_account"]

    case split, previewed
}

/// What taking a change back came to (`undo_change`).
enum UndoWord: String, OutcomeWord {
    static let functions = ["undo_change"]

    case undone
    /// What was changed since stands in the way.
    case undoBlocked = "undo_blocked"
}
