/// Where the database is and how it is used.
package struct PostgresConfiguration: Sendable {
    /// `postgresql://user:password@host/database?…`, or libpq's `host=… dbname=…`.
    ///
    /// It is never printed.
    package var url: String
    /// Connections opened at most; the first one is opened at the start, the others as they are needed.
    package var maximumConnections = 16
    /// Requests that may wait for a connection; one more is refused with ``PostgresError/overloaded``.
    package var queueLimit = 1024
    /// How long a request may wait for a connection.
    package var acquireTimeout = Duration.seconds(2)
    /// How long the server may work on one statement.
    package var statementTimeout = Duration.seconds(5)
    /// How long all the statements of one request may take together, from the moment it has its connection.
    package var requestTimeout = Duration.seconds(10)
    /// How long the statement of a cancelled request may take to end before its connection is broken off.
    package var cancelGrace = Duration.seconds(1)
    /// What `pg_stat_activity` shows.
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
