import Cryptography
package import Postgres
package import Settings

/// The address of PostgreSQL and the limits of its use.
package struct DatabaseConfiguration: Sendable, Equatable {
    /// `DATABASE_URL`: a libpq connection URL or key-value string.
    ///
    /// Text, no default, secret.
    let url: Secret
    /// `DATABASE_CONNECTIONS`: connections, each with a thread.
    ///
    /// Number, default 16, not secret.
    let connections: Int
    /// `DATABASE_QUEUE`: the limit of requests that wait for a connection; more get 503.
    ///
    /// Number, default 1024, not secret.
    let queueLimit: Int

    /// The configuration of the database module.
    ///
    /// - Parameters:
    ///   - requestTimeout: the time limit of all statements of one request together.
    ///   - applicationName: the name in `pg_stat_activity`.
    package func connection(
        requestTimeout: Duration = .seconds(10), applicationName: String = "login-gateway"
    ) -> PostgresConfiguration {
        PostgresConfiguration(
            url: url.revealedText, maximumConnections: connections, queueLimit: queueLimit,
            requestTimeout: requestTimeout, applicationName: applicationName)
    }
}

extension DatabaseConfiguration {
    static let keys: [ConfigurationKey] = [.databaseURL, .databaseConnections, .databaseQueue]

    init(_ settings: inout SettingsReader) {
        url = Secret(
            settings.required(
                .databaseURL,
                hint: """
                    such as postgres://USER:PASSWORD@HOST:5432/NAME, or name the file that has it by --env-file; \
                    `make run` prints its own
                    """))
        if !url.isEmpty, (try? PostgresConfiguration(url: url.revealedText).validate()) == nil {
            settings.complain(.databaseURL, "can't be read as a libpq connection URL or key=value string")
        }
        connections = settings.number(.databaseConnections, in: 1...512)
        queueLimit = settings.number(.databaseQueue, in: 1...100_000)
    }
}

extension ConfigurationKey {
    package static let databaseURL = ConfigurationKey(
        "DATABASE_URL", .database, .url, secret: true,
        example: .form("postgres://gateway:password@localhost:5432/gateway"),
        "The address of PostgreSQL as a libpq URL: `postgres://user:password@host:5432/name`, or a socket folder as host."
    )
    static let databaseConnections = ConfigurationKey(
        "DATABASE_CONNECTIONS", .database, .number, default: "16",
        "Database connections of one server; each has a thread.")
    static let databaseQueue = ConfigurationKey(
        "DATABASE_QUEUE", .database, .number, default: "1024",
        "Statements that may wait for a connection; further ones get 503.")
}
