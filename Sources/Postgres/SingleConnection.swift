/// One connection for one piece of work outside the pool: migrations, tools.
///
/// It has a thread of its own while it lasts.
package enum SingleConnection {
    /// Connects, runs `body`, closes.
    ///
    /// - Throws: ``PostgresError/unavailable(retryAfter:)`` when no connection comes about, and what `body` throws.
    package static func run<Value: Sendable>(
        _ configuration: PostgresConfiguration, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try configuration.validate()
        return try await withCheckedThrowingContinuation { continuation in
            let isStarted = DedicatedThread.start(name: "pg-single") {
                continuation.resume(with: Result { try runBlocking(configuration, body) })
            }
            if !isStarted { continuation.resume(throwing: PostgresError.overloaded) }
        }
    }

    /// The same on the calling thread, which must not be one of the concurrency runtime's.
    package static func runBlocking<Value>(
        _ configuration: PostgresConfiguration, _ body: (Connection) throws -> Value
    ) throws -> Value {
        try configuration.validate()
        return try body(try connect(configuration))
    }

    private static func connect(_ configuration: PostgresConfiguration) throws(PostgresError) -> Connection {
        do {
            return try Connection(configuration)
        } catch {
            throw .unavailable(retryAfter: 1)
        }
    }
}
