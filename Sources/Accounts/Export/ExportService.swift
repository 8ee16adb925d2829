package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// Exports all data of an account for its account holder.
package struct ExportService: Sendable {
    private let store: ExportStore
    private let logger: Logger

    package init(pool: ConnectionPool, logger: Logger) {
        store = ExportStore(pool: pool)
        self.logger = logger
    }

    /// Returns the complete export of the session's account as one file.
    package func export(_ session: SessionSnapshot, caller: Caller) async throws(Rejection) -> SpoolFile {
        let facts = session.facts
        let permission = try await rejecting(logger) {
            try await store.begin(
                facts.account, session: facts.session, client: facts.clientID, caller: caller)
        }
        switch permission {
        case .granted: break
        case .throttled(let seconds): throw .throttled(retryAfter: seconds)
        case .refused(let word): throw Rejection(word)
        }
        return try await rejecting(logger) {
            let file = try SpoolFile()
            guard try await store.write(facts.account, to: file) else { throw Rejection.sessionEnded() }
            return file
        }
    }
}
