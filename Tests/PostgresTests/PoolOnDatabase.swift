import TestSupport

@testable import Postgres

/// A private pool on a fresh, empty database.
func withPool(
    connections: Int, queue: Int = 1024, acquire: Duration = .seconds(30), statement: Duration = .seconds(30),
    grace: Duration = .milliseconds(100),
    _ body: (ConnectionPool) async throws -> Void
) async throws {
    try await withTestDatabase(migrated: false) { database in
        var configuration = database.configuration(maximumConnections: connections)
        (configuration.queueLimit, configuration.acquireTimeout) = (queue, acquire)
        (configuration.statementTimeout, configuration.cancelGrace) = (statement, grace)
        let pool = ConnectionPool(configuration: configuration, logger: .silent)
        try await body(pool)
        await pool.shutdown()
    }
}
