package import Foundation
package import Postgres

/// Ends sessions by the time at which they began: after a leak, and after a backup was restored, which brings sessions
/// back that people had ended.
///
/// In pages of one transaction each, so that no statement takes longer where there are a million of them. Stopped at
/// any moment, the same again goes on.
package struct SessionRevocation: Sendable {
    private let pool: ConnectionPool
    private let pageSize: Int

    /// How often a page is tried again that ran into somebody who ends the same sessions in another order.
    private static let mostAttempts = 5

    /// - Parameter pageSize: of how many sessions a page is, open or not.
    package init(pool: ConnectionPool, pageSize: Int = 5_000) {
        (self.pool, self.pageSize) = (pool, pageSize)
    }

    /// Which sessions end, and what the audit log says of it.
    package struct Order: Sendable {
        let moment: Date
        let client: String?
        let reason: String
        let requestID: String

        /// - Parameter client: nil for those of every app.
        package init(issuedBefore moment: Date, client: String?, reason: String, requestID: String) {
            (self.moment, self.client, self.reason, self.requestID) = (moment, client, reason, requestID)
        }
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
    /// All are looked at twice: a sign-in that began before the moment may be committed behind the first walk.
    ///
    /// - Parameter progress: hears how many were looked at, and about how many there are (0: unknown).
    package func revoke(
        _ order: Order, progress: (_ looked: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> Int {
        let total = try await roughCount()
        var (ended, looked) = (0, 0)
        for walk in 1...2 {
            if walk == 2 { try await outlast(order.moment) }
            var last: UUID?
            repeat {
                let page = try await insisting(order, after: last)
                (last, ended, looked) = (page.last, ended + page.ended, looked + pageSize)
                progress(min(looked / 2, total), total)
            } while last != nil
        }
        progress(total, total)
        return ended
    }

    private func insisting(_ order: Order, after last: UUID?) async throws -> (last: UUID?, ended: Int) {
        for _ in 1..<Self.mostAttempts {
            do {
                return try await end(order, after: last)
            } catch let error as PostgresError where error.isRepeatable {
                continue
            }
        }
        return try await end(order, after: last)
    }

    /// Ends those of the next page (`sessions/revoke_sessions_batch.sql`); no last one where there is none left.
    private func end(_ order: Order, after last: UUID?) async throws -> (last: UUID?, ended: Int) {
        let statement: SQL = """
            select next, ended
              from revoke_sessions_batch(\(order.moment), \(order.client), \(order.reason), \(order.requestID), \(last),
                                         \(Int32(pageSize)))
            """
        return try await pool.queryOne(statement) { row in
            guard let row else { return (nil, 0) }
            return (try row.value(0, as: UUID?.self), Int(try row.value(1, as: Int32.self)))
        }
    }

    /// Waits until no transaction is under way that began before a moment, as long as one of a server's may take.
    private func outlast(_ moment: Date) async throws {
        let end = ContinuousClock.now + pool.configuration.requestTimeout
        while try await isAnythingUnderWay(since: moment), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func isAnythingUnderWay(since moment: Date) async throws -> Bool {
        let statement: SQL = """
            select exists (select from pg_stat_activity
                            where datname = current_database() and backend_type = 'client backend'
                              and pid <> pg_backend_pid() and xact_start < \(moment))
            """
        return try await pool.queryOne(statement) { try $0?.value(0) ?? false }
    }

    /// As the planner knows it: counting them would take as long as looking at them.
    private func roughCount() async throws -> Int {
        let statement: SQL = "select greatest(reltuples, 0)::bigint from pg_class where oid = 'sessions'::regclass"
        return try await pool.queryOne(statement) { try $0?.value(0) ?? 0 }
    }
}
