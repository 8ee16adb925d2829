/// The connection string of the database and the limits of its use.
package struct PostgresConfiguration: Sendable {
    /// `postgresql://user:password@host/database?…`, or libpq's `host=… dbname=…`.
    ///
    /// It is never printed.
    package var url: String
    /// The limit of connections; the first is opened at the start, the others as needed.
    package var maximumConnections = 16
    /// The limit of waiting jobs; one more is refused with ``PostgresError/overloaded``.
    package var queueLimit = 1024
    /// The time limit for waiting for a connection.
    package var acquireTimeout = Duration.seconds(2)
    /// The time limit of one statement on the server.
    package var statementTimeout = Duration.seconds(5)
    /// The time limit of a job, from the moment it has a connection.
    package var requestTimeout = Duration.seconds(10)
    /// The time for a cancelled job's statement to end before its connection is broken off.
    package var cancelGrace = Duration.seconds(1)
    /// The name in `pg_stat_activity`.
    package var applicationName = "login-gateway"

    package init(
        url: String, maximumConnections: Int = 16, queueLimit: Int = 1024, acquireTimeout: Duration = .seconds(2),
        statementTimeout: Duration = .seconds(5), requestTimeout: Duration = .seconds(10),
        applicationName: String = "login-gateway"
    ) {
        self.url = url
        self.maximumConnections = max(1, maximumConnections)
        self.queueLimit = max(1, queueLimit)
        self.acquireTimeout = acquireTimeout
        self.statementTimeout = statementTimeout
        self.requestTimeout = requestTimeout
        self.applicationName = applicationName
    }

    /// Checks the form of ``url`` without connecting.
    ///
    /// - Throws: ``PostgresError/misconfigured``.
    package func validate() throws(PostgresError) {
        _ = try ConnectionString.options(of: url)
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    package var description: String { "PostgreSQL, at most \(maximumConnections) connections" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
