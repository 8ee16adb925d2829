package import Foundation
package import JSON
package import OperatorAccess
import Postgres

/// Merges and splits accounts and undoes changes (`Functions/merging/`).
package struct AccountMerging: Sendable {
    private let desk: AdminDesk
    /// The usable providers: no account may lose its last sign-in method.
    private let signInMethods: [String]

    package init(desk: AdminDesk, signInMethods: [String]) {
        (self.desk, self.signInMethods) = (desk, signInMethods)
    }

    /// The result or preview of a merge.
    package struct Report: Sendable, Equatable {
        /// The change, for undo; nil for a preview.
        package let change: UUID?
        /// A digest of both accounts: a merge with it is refused once they differ.
        package let digest: String?
        /// `moves`, `ends_sessions`, `before`, `after`.
        package let facts: JSON
    }

    /// Previews a merge: it is executed and rolled back.
    package func previewMerge(of absorbed: UUID, into kept: UUID, by actor: AdminActor) async throws -> Report {
        let views = [AdminDesk.View.account(absorbed), .account(kept)]
        return try await desk.view(.previewChange, actor, { _ in views }) { connection in
            try Self.merge(absorbed, kept, expecting: nil, change: nil, actor, connection)
        }
    }

    /// Merges two accounts; `expecting` is the digest of the preview.
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
              from merge_accounts(\(change), \(kept), \(absorbed), \(digest), \(change == nil), \(actor.id), \(actor.address),
                                  \(actor.requestID))
            """)
        switch try row.operatorAnswer(as: MergeWord.self) {
        case .merged, .previewed: return try report(row, change)
        }
    }

    /// Moves the listed items to a new account, or previews that.
    ///
    /// - Parameter items: the lists `identities`, `emails`, `phones`, `passkeys`, `factors`, and `password`.
    package func split(
        _ account: UUID, giving items: SplitItems, dryRun: Bool, because reason: Reason, by actor: AdminActor
    ) async throws -> (report: Report, newAccount: UUID) {
        let (change, new, signInMethods) = (desk.newID(), desk.newID(), signInMethods)
        let report = try await desk.change(.splitAccount, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select outcome, null, report::text
                  from split_account(\(change), \(account), \(new), \(JSONText(items.json.text)), \(signInMethods), \(dryRun), \(actor.id),
                                     \(actor.address), \(actor.requestID))
                """)
            switch try row.operatorAnswer(as: SplitWord.self) {
            case .split, .previewed: return try Self.report(row, dryRun ? nil : change)
            }
        }
        return (report, new)
    }

    /// Undoes a merge, split, move, link or unlink of an operator; returns the affected accounts.
    @discardableResult
    package func undo(_ change: UUID, because reason: Reason, by actor: AdminActor) async throws -> [UUID] {
        let accounts = try await accounts(of: change, by: actor)
        let signInMethods = signInMethods
        try await desk.change(.undoChange, actor, of: accounts, because: reason) { connection in
            let row = try connection.row(
                "select outcome, parts from undo_change(\(change), \(signInMethods), \(actor.address), \(actor.requestID))"
            )
            switch try row.operatorAnswer(as: UndoWord.self) {
            case .undone: return
            case .undoBlocked: throw AdminRefusal.undoBlocked(try row.value(1))
            }
        }
        return accounts
    }

    /// The accounts of a change never change, so they may be read before.
    private func accounts(of change: UUID, by actor: AdminActor) async throws -> [UUID] {
        try await desk.look(.showAccount, actor) { connection in
            let row = try connection.queryOne("select account_id, other_id from account_changes where id = \(change)")
            guard let row else { throw AdminRefusal.notFound }
            return [try row.value(0), try row.value(1, as: UUID?.self)].compactMap { $0 }
        }
    }

    private static func report(_ row: Row, _ change: UUID?) throws -> Report {
        Report(
            change: change, digest: try row.value(1), facts: try AdminDesk.document(try row.value(2)))
    }
}

/// The outcomes of merging two accounts (`merge_accounts`).
enum MergeWord: String, OutcomeWord {
    static let functions = ["merge_accounts"]

    case merged, previewed
}

/// The outcomes of splitting an account (`split_account`).
enum SplitWord: String, OutcomeWord {
    static let functions = ["split_account"]

    case split, previewed
}

/// The outcomes of undoing a change (`undo_change`).
enum UndoWord: String, OutcomeWord {
    static let functions = ["undo_change"]

    case undone
    /// Later changes block the undo.
    case undoBlocked = "undo_blocked"
}
