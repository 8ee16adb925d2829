package import Logging
package import Postgres
import ServiceLifecycle
import Vocabulary

/// Compares this server's clock with the database's once a minute, and logs a difference.
package struct ClockComparison: Service {
    private static let interval = Duration.seconds(60)

    private let clock: DatabaseClock
    private let pool: ConnectionPool
    private let logger: Logger

    package init(clock: DatabaseClock, pool: ConnectionPool, logger: Logger) {
        (self.clock, self.pool, self.logger) = (clock, pool, logger)
    }

    package func run() async throws {
        try await repeatUntilShutdown(every: Self.interval) {
            // A failed comparison is repeated after a minute.
            try? await compare()
        }
    }

    /// - Throws: a `PostgresError` without an answer of the database.
    package func compare() async throws {
        let offset = try await clock.compare(with: pool)
        guard abs(offset) > DatabaseClock.tolerance else { return }
        let metadata: Logger.Metadata = ["database_ahead_seconds": "\(Int(offset.rounded()))"]
        if clock.isSound {
            logger.warning("this server's clock and the database's differ", metadata: metadata)
        } else {
            logger.error("this server's clock and the database's differ too much to serve", metadata: metadata)
        }
    }
}
