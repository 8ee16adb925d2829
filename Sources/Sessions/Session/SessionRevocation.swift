package import Foundation
package import Postgres

/// Ends all sessions that began before a time: after a leak, or after a restored backup, which revives ended sessions.
///
/// It works in pages of one transaction each, so that no statement is slow with a million sessions. After an interruption,
/// the same command continues.
package struct SessionRevocation: Sendable {
    private let pool: ConnectionPool
    private let pageSize: Int

    /// Retries of a page after a deadlock with another transaction that ends the same sessions.
    private static let maximumAttempts = 5

    /// - Parameter pageSize: sessions per page, ended ones included.
    package init(pool: ConnectionPool, pageSize: Int = 5_000) {
        (self.pool, self.pageSize) = (pool, pageSize)
    }

    /// Selects the sessions, and gives the reason for the audit log.
    package struct Order: Sendable {
        let moment: Date
        let client: String?
        let reason: String
        let requestID: String

        /// - Parameter client: nil for all clients.
        package init(issuedBefore moment: Date, client: String?, reason: String, requestID: String) {
            (self.moment, self.client, self.reason, self.requestID) = (moment, client, reason, requestID)
        }
    }

    /// The number of open sessions that began before a time, of one client or of all.
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

    /// Ends the sessions, notifies every server, and returns their number.
    ///
    /// It reads all sessions twice: a sign-in from before the time may commit behind the first pass.
    ///
    /// - Parameter progress: called with the number of sessions read and their approximate total (0: unknown).
    package func revoke(
        _ order: Order, progress: (_ looked: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> Int {
        let total = try await roughCount()
        var (ended, looked) = (0, 0)
        for walk in 1...2 {
            if walk == 2 { try await waitForTransactions(before: order.moment) }
            var last: UUID?
            repeat {
                let page = try await retrying(order, after: last)
                (last, ended, looked) = (page.last, ended + page.ended, looked + pageSize)
                progress(min(looked / 2, total), total)
            } while last != nil
        }
        progress(total, total)
        return ended
    }

    private func retrying(_ order: Order, after last: UUID?) async throws -> (last: UUID?, ended: Int) {
        for _ in 1..<Self.maximumAttempts {
            do {
                return try await end(order, after: last)
            } catch let error as PostgresError where error.isRepeatable {
                continue
            }
        }
        return try await end(order, after: last)
    }

    /// Ends the sessions of the next page (`sessions/revoke_sessions_batch.sql`).
    ///
    /// `last` is nil after the last page.
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

    /// Waits until no transaction from before a time is running, up to the time limit of a transaction.
    private func waitForTransactions(before moment: Date) async throws {
        let end = ContinuousClock.now + pool.configuration.requestTimeout
        while try await isTransactionRunning(since: moment), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func isTransactionRunning(since moment: Date) async throws -> Bool {
        let statement: SQL = """
            select exists (select from pg_stat_activity
                            where datname = current_database() and backend_type = 'client backend'
                              and pid <> pg_backend_pid() and xact_start < \(moment))
            """
        return try await pool.queryOne(statement) { try $0?.value(0) ?? false }
    }

    /// The estimate of the planner: counting would take as long as reading.
    private func roughCount() async throws -> Int {
        let statement: SQL = "select greatest(reltuples, 0)::bigint from pg_class where oid = 'sessions'::regclass"
        return try await pool.queryOne(statement) { try $0?.value(0) ?? 0 }
    }
}
