package import Logging
import ServiceLifecycle

/// Connections to one database, each on its own thread, behind one bounded queue.
///
/// Work is a closure that runs on the connection's thread in blocking steps, and never twice. Without a connection
/// every request fails immediately; the pool's own threads reconnect.
package final class ConnectionPool: Sendable, Service {
    private let core: PoolCore

    package init(configuration: PostgresConfiguration, logger: Logger) {
        core = PoolCore(configuration: configuration, logger: logger)
    }

    deinit {
        core.beginShutdown()
    }

    /// Opens the first connection, as the first request would.
    ///
    /// Returns immediately.
    package func start() {
        core.start()
    }

    /// Keeps the pool open until the service group shuts down.
    package func run() async throws {
        start()
        try? await gracefulShutdown()
        await shutdown()
    }

    /// Accepts no more requests, finishes the queue, closes the connections, and then returns.
    package func shutdown() async {
        await core.shutdown()
    }

    /// Runs `body` with a connection.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of `body`, instead of the configured one.
    ///   - body: runs on the connection's thread; it should do nothing slow except SQL.
    /// - Throws: a ``PostgresError``, or the error of `body`.
    @discardableResult
    package func withConnection<Value: Sendable>(
        timeout: Duration? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await run(nil, timeout, body)
    }

    /// Runs one statement and decodes its first row, if any.
    ///
    /// If a connection is idle, the statement is sent before this suspends, and the connection's thread only reads the
    /// answer.
    @discardableResult
    package func queryOne<Value: Sendable>(
        _ sql: SQL, timeout: Duration? = nil, _ body: @escaping @Sendable (Row?) throws -> Value
    ) async throws -> Value {
        try await run(sql, timeout) { try body(try $0.queryOne(sql)) }
    }

    private func run<Value: Sendable>(
        _ statement: SQL?, _ timeout: Duration?, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        let core = core
        core.start()
        let now = MonotonicTime.now
        let answer = PoolAnswer<Value>()
        let job = PoolJob(
            answer, statement: statement, submitted: now, expires: now + core.configuration.acquireTimeout,
            timeout: timeout ?? core.configuration.requestTimeout, body: body)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    answer.awaited(by: continuation)
                    core.submit(job)
                }
            } onCancel: {
                core.cancel(job)
            }
        } catch let error as PostgresError {
            core.writes.note(error)
            throw error
        }
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
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

    /// Whether the database accepts changes, according to the latest answers; ``WriteProbe`` detects a recovery.
    package var takesChanges: Bool { !core.writes.isFailing }

    /// Shuts down connections older than a silence of the server, when a new connection took too long as well.
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
