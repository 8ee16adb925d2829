import Foundation
package import Logging
import Metrics
package import Postgres
import ServiceLifecycle
import Vocabulary

/// Measures how long the oldest event has waited to be sealed.
///
/// A holder of the sealing lock delays every seal. Each server therefore measures by itself.
package struct AuditInboxWatch: Service {
    /// An alarm is due from here on: the sealer needs a second or two.
    package static let longestWait = 60.0
    private static let interval = Duration.seconds(15)
    private static let gauge = Gauge(label: "audit_unsealed_seconds")

    private let pool: ConnectionPool
    private let logger: Logger

    package init(pool: ConnectionPool, logger: Logger) {
        (self.pool, self.logger) = (pool, logger)
    }

    package func run() async throws {
        try await repeatUntilShutdown(every: Self.interval) {
            do {
                try await measure()
            } catch {
                // The database's own metrics report that it does not answer.
                logger.debug("the age of the oldest unsealed audit event is unknown", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Records the age of the oldest unsealed event, 0 without one.
    package func measure() async throws {
        let seconds = try await Self.oldest(in: pool)
        Self.gauge.record(seconds)
        guard seconds > Self.longestWait else { return }
        logger.error("audit events wait to be sealed", metadata: ["seconds": "\(Int(seconds))"])
    }

    /// The age of the oldest unsealed event in seconds, by the clock of the database.
    package static func oldest(in pool: ConnectionPool) async throws -> Double {
        try await pool.withConnection { connection in
            try connection.row(
                "select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 from audit_inbox"
            ).value(0)
        }
    }
}
