import ServiceLifecycle

/// Tries a change once a second while the database accepts none, so that ``ConnectionPool/takesChanges`` recovers without
/// other traffic.
package struct WriteProbe: Service {
    private static let pause = Duration.seconds(1)
    private static let patience = Duration.seconds(2)

    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.pause)
                if !pool.takesChanges { await probe() }
            }
        }
    }

    /// It tries nothing while commits wait for a standby, because its own would wait too.
    func probe() async {
        let isWell = try? await pool.withConnection(timeout: Self.patience) { connection in
            guard try !connection.findsWaitingCommits() else { return false }
            _ = try connection.queryOne("select probe_writes()")
            return true
        }
        if isWell == true { pool.writes.recover() }
    }
}

extension Connection {
    /// Whether a commit of the same role has waited for a synchronous standby for two seconds or longer.
    func findsWaitingCommits() throws(PostgresError) -> Bool {
        let row = try queryOne(
            """
            select exists (select from pg_stat_activity
                            where datname = current_database() and usename = current_user and wait_event = 'SyncRep'
                              and state_change < clock_timestamp() - interval '2 seconds')
            """)
        return try row?.value(0) ?? false
    }
}
