package import Foundation
package import OperatorAccess
import Postgres
package import Vocabulary

/// Deletion and export by an operator, for users who can't do it on their account page.
package struct AccountLeaving: Sendable {
    private let desk: AdminDesk
    /// The period in which a deletion can be cancelled.
    package let waitingDays: Int

    package init(desk: AdminDesk, waitingDays: Int) {
        (self.desk, self.waitingDays) = (desk, waitingDays)
    }

    /// Schedules the deletion of an account, which is disabled until then; nil without a delay, when it is deleted
    /// immediately.
    ///
    /// - Parameter now: skip the delay.
    package func delete(_ account: UUID, now: Bool, because reason: Reason, by actor: AdminActor) async throws
        -> AccountDeletion?
    {
        let days = Int32(now ? 0 : waitingDays)
        return try await desk.change(.deleteAccount, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select outcome, requested_at, due_at
                  from begin_deletion(\(account), \(actor.id), \(days), \(actor.side), null, null, \(actor.address), \(actor.requestID))
                """)
            switch try row.operatorAnswer(as: DeletionWord.self) {
            case .erased: return nil
            case .requested: return AccountDeletion(requestedAt: try row.value(1), dueAt: try row.value(2))
            case .waiting: throw AdminRefusal.nothingToChange
            }
        }
    }

    /// Cancels a pending deletion that an operator or a back end asked for.
    ///
    /// - Throws: `notFound` without one; only the user cancels their own request.
    package func cancelDeletion(of account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.deleteAccount, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select cancel_deletion(\(account), \(actor.id), \(actor.side), null, null, \(actor.address), \(actor.requestID))
                """)
            _ = try row.operatorAnswer(as: DeletionCancelling.self)
        }
    }

    /// Writes all data of an account to a file.
    ///
    /// - Parameter timeout: the time limit for reading, instead of the pool's own.
    package func export(
        _ account: UUID, to file: SpoolFile, timeout: Duration? = nil, because reason: Reason, by actor: AdminActor
    ) async throws {
        try await desk.change(.exportAccount, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select outcome, wait
                  from begin_export(\(account), \(actor.id), 'operator', null, null, null, null, null, \(actor.address), \(actor.requestID))
                """)
            switch try row.operatorAnswer(as: ExportWord.self) {
            case .granted: return
            case .wait: throw AdminRefusal.throttled(retryAfter: Int(try row.value(1, as: Double.self).rounded(.up)))
            }
        }
        let isWhole = try await ExportStore(pool: desk.pool).write(account, to: file, timeout: timeout)
        guard isWhole else { throw AdminRefusal.notFound }
    }
}
