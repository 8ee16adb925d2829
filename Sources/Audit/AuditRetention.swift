package import Logging
package import Postgres
import ServiceLifecycle
import Vocabulary

/// Creates the log's partitions before their month starts, and drops old ones.
package struct AuditRetention: Service {
    package static let fewestMonths = 3

    private let pool: ConnectionPool
    /// 0 keeps all.
    private let keepMonths: Int
    private let logger: Logger

    private static let interval = Duration.seconds(60)
    /// A month has many rows in the chain.
    private static let timeout = Duration.seconds(3_600)

    package init(pool: ConnectionPool, keepMonths: Int, logger: Logger) {
        (self.pool, self.keepMonths, self.logger) = (pool, keepMonths, logger)
    }

    package func run() async throws {
        try await repeatUntilShutdown(every: Self.interval) {
            do {
                try await makePartitions()
                if keepMonths > 0 { try await prune(keepMonths: keepMonths, requestID: "housekeeping") }
            } catch let error as PostgresError where error.state == nil || error.state == .lockNotAvailable {
                // A reader may lock a month for a while; there are two more months in reserve.
                logger.debug("the audit log's months wait for the database", metadata: ["error": "\(error)"])
            } catch {
                logger.error("the audit log's months could not be made or dropped", metadata: ["error": "\(error)"])
            }
        }
    }

    /// This month and the next two; existing partitions stay.
    @discardableResult
    func makePartitions() async throws -> Int {
        try await withoutTimeout { try $0.queryOne("select make_audit_partitions()")?.value(0) ?? 0 }
    }

    /// Drops the months before the last `keepMonths` (the current month not counted) with their part of the chain.
    ///
    /// - Returns: the dropped partitions.
    @discardableResult
    package func prune(keepMonths: Int, requestID: String) async throws -> [String] {
        let keep = Int32(clamping: keepMonths)
        let dropped = try await withoutTimeout { connection in
            try connection.query("select unnest(prune_audit(\(keep), \(requestID)))").map {
                try $0.value(0, as: String.self)
            }
        }
        if !dropped.isEmpty {
            logger.notice("months of the audit log were dropped", metadata: ["count": "\(dropped.count)"])
        }
        return dropped
    }

    private func withoutTimeout<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await pool.withTransaction(timeout: Self.timeout) { connection in
            try connection.execute("set local statement_timeout = 0")
            return try body(connection)
        }
    }
}
