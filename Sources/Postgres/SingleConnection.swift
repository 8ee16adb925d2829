/// A connection for one job outside the pool: migrations and commands.
///
/// It has its own thread.
package enum SingleConnection {
    /// Connects, runs `body`, closes.
    ///
    /// - Throws: ``PostgresError/unavailable(retryAfter:)`` if it cannot connect, and the errors of `body`.
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

    /// The same on the calling thread, which must not belong to the Swift concurrency pool.
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
