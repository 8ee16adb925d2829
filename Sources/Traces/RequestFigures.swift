/// What a request cost, for its log line: times in microseconds.
///
/// Parts that ran side by side count each. So a sum may exceed the total.
package struct RequestFigures: Sendable, Equatable {
    /// From the head to the answer.
    package let total: Int
    /// Waiting for the caller's body.
    package let body: Int
    /// Waiting for a connection, and for the answers to statements.
    package let database: Int
    /// Calls to providers and other services.
    package let providers: Int
    /// Waiting for a place of the hashing queue, and hashing.
    package let hashing: Int
    /// Statements that were sent.
    package let statements: Int

    package init(total: Int, body: Int = 0, database: Int, providers: Int, hashing: Int, statements: Int) {
        (self.total, self.body, self.database, self.providers) = (total, body, database, providers)
        (self.hashing, self.statements) = (hashing, statements)
    }

    /// From the whole body to the answer: a slow caller makes no slow request.
    package var answering: Int { max(0, total - body) }

    /// The rest: the gateway's own work, its waits for a thread included.
    package var gateway: Int { max(0, answering - database - providers - hashing) }
}
