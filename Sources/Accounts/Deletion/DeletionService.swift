package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// Deletes an account after a waiting time, in which the user can cancel the deletion.
package struct DeletionService: Sendable {
    /// Days that a deletion waits; 0 deletes at once.
    package let waitingDays: Int
    private let store: DeletionStore
    private let directory: SessionDirectory
    private let logger: Logger

    package init(pool: ConnectionPool, directory: SessionDirectory, waitingDays: Int, logger: Logger) {
        store = DeletionStore(pool: pool)
        (self.directory, self.waitingDays, self.logger) = (directory, waitingDays, logger)
    }

    /// Requests the deletion of the session's account and ends all its sessions, including this one.
    ///
    /// - Returns: nil if the account no longer exists.
    package func request(_ session: SessionSnapshot, caller: Caller) async throws(Rejection) -> AccountDeletion? {
        let facts = session.facts
        let answer = try await rejecting(logger) {
            try await store.request(
                facts.account, session: facts.session, days: waitingDays, client: facts.clientID, caller: caller)
        }
        directory.forget(account: facts.account)
        switch answer {
        case .waits(let deletion): return deletion
        case .erased: return nil
        case .refused(let word): throw Rejection(word)
        }
    }

    /// Cancels the deletion.
    ///
    /// Any live session is enough, even with an old proof, because it began after the deletion request.
    package func cancel(_ session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        let refusal = try await rejecting(logger) {
            try await store.cancel(facts.account, session: facts.session, client: facts.clientID, caller: caller)
        }
        directory.forget(account: facts.account)
        if let refusal { throw Rejection(refusal) }
    }
}
