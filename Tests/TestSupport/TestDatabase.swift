import Glibc
package import Logging
package import Postgres

/// A private database for one test, with all migrations, copied from a template in some tens of milliseconds.
///
/// The server is that of `TEST_DATABASE_URL` or `DATABASE_URL`; the role must be allowed to create databases.
package final class TestDatabase: Sendable {
    /// In libpq's `keyword='value'` form.
    package let url: String
    package let name: String
    package let pool: ConnectionPool
    private let server: PostgresConfiguration

    private init(name: String, server: PostgresConfiguration) throws {
        self.name = name
        self.server = server
        url = try ConnectionString.replacingDatabase(in: server.url, with: name)
        pool = ConnectionPool(
            configuration: Self.patient(PostgresConfiguration(url: url, maximumConnections: 4)), logger: .silent)
    }

    /// Makes a database.
    ///
    /// - Parameter migrated: whether it contains our tables.
    package static func make(migrated: Bool = true) async throws -> TestDatabase {
        let server = try serverConfiguration()
        let template = migrated ? try await TemplateDatabase.shared.name(on: server) : "template0"
        let name = randomName("gateway_test")
        try await onServer(server) { connection in
            try connection.executeScript("create database \(name) template \(template)")
        }
        return try TestDatabase(name: name, server: server)
    }

    /// Closes the pool and removes the database, despite any other connections.
    package func drop() async {
        await pool.shutdown()
        let name = name
        // A database that cannot be removed now harms no other test, because names are unique.
        try? await Self.onServer(server) { try $0.executeScript("drop database if exists \(name) with (force)") }
    }

    /// A configuration for a second pool or a listener on this database.
    package func configuration(maximumConnections: Int = 4) -> PostgresConfiguration {
        Self.patient(PostgresConfiguration(url: url, maximumConnections: maximumConnections))
    }

    /// Longer timeouts, because tests run on a busy machine.
    private static func patient(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var patient = configuration
        // libpq accepts both forms.
        let isAddress = configuration.url.contains("://")
        let joint = isAddress ? (configuration.url.contains("?") ? "&" : "?") : " "
        patient.url += "\(joint)connect_timeout=60"
        (patient.statementTimeout, patient.acquireTimeout) = (.seconds(60), .seconds(60))
        (patient.requestTimeout, patient.cancelGrace) = (.seconds(60), .seconds(1))
        return patient
    }

    static func randomName(_ prefix: String) -> String {
        "\(prefix)_\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    static func serverConfiguration() throws -> PostgresConfiguration {
        guard let url = environment("TEST_DATABASE_URL") ?? environment("DATABASE_URL") else {
            throw HarnessError(
                "These tests need PostgreSQL: set TEST_DATABASE_URL to a role that may create databases, or run "
                    + "`make test`, which starts a private server.")
        }
        return patient(PostgresConfiguration(url: url, applicationName: "gateway-tests"))
    }

    static func onServer<Value: Sendable>(
        _ server: PostgresConfiguration, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do {
            return try await SingleConnection.run(server, body)
        } catch PostgresError.unavailable {
            throw HarnessError(
                "No PostgreSQL answers at the address in TEST_DATABASE_URL or DATABASE_URL; is it running?")
        }
    }

    private static func environment(_ key: String) -> String? {
        guard let value = unsafe getenv(key) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}

/// Runs `body` with a fresh database, and removes it afterwards; must not be nested.
@discardableResult
package func withTestDatabase<Value>(
    migrated: Bool = true, _ body: (TestDatabase) async throws -> Value
) async throws -> Value {
    try await Gate.databases.hold {
        let database = try await TestDatabase.make(migrated: migrated)
        let answer: Result<Value, any Error>
        do { answer = .success(try await body(database)) } catch { answer = .failure(error) }
        await database.drop()
        return try answer.get()
    }
}

package extension Logger {
    /// Logs nothing.
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
