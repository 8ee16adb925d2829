package import Clients
package import Foundation
import JSON
package import Logging
package import Postgres
package import Vocabulary

/// The subjects by which apps know users (OpenID Connect Core §8).
///
/// A session has its own since it began (`web/hand_over_session.sql`).
package struct PairwiseSubjects: Sendable {
    private let pool: ConnectionPool
    private let logger: Logger

    package init(pool: ConnectionPool, logger: Logger) { (self.pool, self.logger) = (pool, logger) }

    /// `sub` of a user at an app; nil if no app of its sector has met the user.
    package func subject(of account: UUID, at client: Client) async throws(Rejection) -> String? {
        guard let sector = client.sector else { return account.text }
        return try await first(
            "select subject from pairwise_subjects where account_id = \(account) and sector = \(sector)")
    }

    /// The facts for a token at a resource: its app knows the user by the subject of its own sector.
    ///
    /// A resource without a sector gets the subject that the asking app has.
    ///
    /// - Parameter resource: nil for the asking app's own API.
    func facts(
        _ facts: AccessTokenFacts, at resource: ProtectedResource?
    ) async throws(Rejection) -> AccessTokenFacts {
        guard let sector = resource?.sector else { return facts }
        guard let subject = try await first("select pairwise_subject(\(facts.account), \(sector))") else {
            throw .sessionEnded()
        }
        return facts.known(as: subject)
    }

    private func first(_ statement: SQL) async throws(Rejection) -> String? {
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(statement).flatMap { try $0.value(0, as: String?.self) }
            }
        }
    }
}
