package import Logging
import ServiceLifecycle

/// Connections to one database, each with its own thread, behind one bounded queue.
///
/// A job is a closure with blocking calls. It runs on the connection's thread, and never twice. While no connection is up,
/// every job fails at once, and the pool's threads try to reconnect.
package final class ConnectionPool: Sendable, Service {
    private let core: PoolCore

    package init(configuration: PostgresConfiguration, logger: Logger) {
        core = PoolCore(configuration: configuration, logger: logger)
    }

    deinit {
        core.beginShutdown()
    }

    /// Starts to open the first connection, without waiting for it; the first job does the same.
    package func start() {
        core.start()
    }

    /// Keeps the pool open until the service group shuts down.
    package func run() async throws {
        start()
        try? await gracefulShutdown()
        await shutdown()
    }

    /// Refuses new jobs, finishes the queued ones, closes the connections, and then returns.
    package func shutdown() async {
        await core.shutdown()
    }

    /// Runs `body` with a connection.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of `body`, instead of the configured one.
    ///   - body: runs on the connection's thread. Slow work other than SQL would block the connection.
    /// - Throws: a ``PostgresError``, or what `body` throws.
    @discardableResult
    package func withConnection<Value: Sendable>(
        timeout: Duration? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await run(nil, timeout, body)
    }

    /// Runs one statement and passes its first row, if any, to `body`.
    ///
    /// If a connection is idle, the statement is sent before this suspends, and the connection's thread only reads the
    /// answer.
    @discardableResult
    package func queryOne<Value: Sendable>(
        _ sql: SQL, timeout: Duration? = nil, _ body: @escaping @Sendable (Row?) throws -> Value
    ) async throws -> Value {
        try await run(sql, timeout) { try body(try $0.queryOne(sql)) }
    }

    /// Runs one statement and passes each of its rows to `body`.
    package func query<Value: Sendable>(
        _ sql: SQL, _ body: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try await withConnection { try $0.query(sql).map(body) }
    }

    /// Runs one statement and returns the number of affected rows.
    @discardableResult
    package func execute(_ sql: SQL) async throws -> Int {
        try await withConnection { try $0.execute(sql) }
    }

    private func run<Value: Sendable>(
        _ statement: SQL?, _ timeout: Duration?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        let core = core
        core.start()
        let now = MonotonicTime.now
        let answer = PoolAnswer<Value>()
        let tracing = StatementTracing()
        let job = PoolJob(
            answer, statement: statement, submitted: now, expires: now + core.configuration.acquireTimeout,
            timeout: timeout ?? core.configuration.requestTimeout, tracing: tracing, body: body)
        do {
            let value = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    answer.awaited(by: continuation)
                    core.submit(job)
                }
            } onCancel: {
                core.cancel(job)
            }
            tracing?.end(statement, hasFailed: false)
            return value
        } catch {
            tracing?.end(statement, hasFailed: true)
            if let error = error as? PostgresError { core.writes.note(error) }
            throw error
        }
    }

    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    @discardableResult
    package func withTransaction<Value: Sendable>(
        timeout: Duration? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await withConnection(timeout: timeout) { try $0.transaction(body) }
    }

    package var configuration: PostgresConfiguration { core.configuration }

    /// Whether at least one connection is up.
    package var isHealthy: Bool {
        core.monitor.withLock { core.machine.isUp }
    }

    var writes: WriteHealth { core.writes }

    /// Whether the database accepted the latest changes; ``WriteProbe`` detects its recovery.
    package var takesChanges: Bool { !core.writes.isFailing }

    /// Breaks off connections after the server was silent for `time` and a new connection timed out too.
    package func noteSilence(of time: Duration) {
        core.noteSilence(since: MonotonicTime(nanoseconds: MonotonicTime.now.nanoseconds - time.nanoseconds))
    }

    package var statistics: PoolStatistics {
        core.monitor.withLock {
            PoolStatistics(
                connections: core.machine.live, busy: core.machine.busy, queued: core.machine.queued,
                counts: core.counts)
        }
    }
}
