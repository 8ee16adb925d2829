package import Accounts
package import Logging
package import Postgres

/// A person's way out: the account is deleted after a time in which that can be taken back.
package struct DeletionService: Sendable {
    /// Days that a deletion waits; 0 carries it out at once.
    package let waitingDays: Int
    private let store: DeletionStore
    private let directory: SessionDirectory
    private let logger: Logger

    package init(pool: ConnectionPool, directory: SessionDirectory, waitingDays: Int, logger: Logger) {
        store = DeletionStore(pool: pool)
        (self.directory, self.waitingDays, self.logger) = (directory, waitingDays, logger)
    }

    /// Asks for the deletion of the session's account; every session of it ends, the asking one with them.
    ///
    /// - Returns: nil where the account is gone already.
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

    /// Takes it back.
    ///
    /// A live session is enough, however old its proof: it began after the deletion was asked for.
    package func cancel(_ session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        let refusal = try await rejecting(logger) {
            try await store.cancel(facts.account, session: facts.session, client: facts.clientID, caller: caller)
        }
        directory.forget(account: facts.account)
        if let refusal { throw Rejection(refusal) }
    }
}
