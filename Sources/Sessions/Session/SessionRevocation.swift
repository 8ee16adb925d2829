package import Foundation
package import Postgres

/// Ends sessions by the time at which they began: after a leak, and after a backup was restored, which brings sessions
/// back that people had ended.
package struct SessionRevocation: Sendable {
    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// How many sessions are open that began before a moment, of one client or of all.
    package func count(issuedBefore moment: Date, client: String?) async throws -> Int {
        try await pool.withConnection { connection in
            try connection.queryOne(
                """
                select count(*) from sessions
                 where created_at < \(moment) and ended_at is null and (\(client) is null or client_id = \(client))
                """
            ).map { try $0.value(0, as: Int.self) } ?? 0
        }
    }

    /// Ends them, and tells every server; the number of those that ended.
    ///
    /// - Parameter reason: for the audit log.
    package func revoke(issuedBefore moment: Date, client: String?, reason: String, requestID: String) async throws
        -> Int
    {
        try await pool.withConnection { connection in
            try connection.queryOne("select revoke_sessions(\(moment), \(client), \(reason), \(requestID))").map {
                try $0.value(0, as: Int.self)
            } ?? 0
        }
    }
}
