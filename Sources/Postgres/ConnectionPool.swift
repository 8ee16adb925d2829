package import Logging
import ServiceLifecycle

/// Connections to one database, each on a thread of its own, behind one bounded queue.
///
/// Work is a closure that runs on the connection's thread in plain, blocking steps, and never runs twice. When no connection
/// is up every request fails at once; the pool's own threads bring the database back.
package final class ConnectionPool: Sendable, Service {
    private let core: PoolCore

    package init(configuration: PostgresConfiguration, logger: Logger) {
        core = PoolCore(configuration: configuration, logger: logger)
    }

    deinit {
        core.beginShutdown()
    }

    /// Opens the first connection; the first request does it too.
    ///
    /// Doesn't wait.
    package func start() {
        core.start()
    }

    /// Keeps the pool open until the service group shuts down.
    package func run() async throws {
        start()
        try? await gracefulShutdown()
        await shutdown()
    }

    /// Takes no more requests, finishes those that wait, closes the connections, and returns when all that is done.
    package func shutdown() async {
        await core.shutdown()
    }

    /// Runs `body` with a connection.
    ///
    /// - Parameters:
    ///   - timeout: how long `body` may take, instead of the configured time.
    ///   - body: runs on the connection's thread; it shouldn't do slow things that aren't SQL.
    /// - Throws: a ``PostgresError``, or what `body` throws.
    @discardableResult
    package func withConnection<Value: Sendable>(
        timeout: Duration? = nil, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await run(nil, timeout, body)
    }

    /// Runs one statement and makes something of its first row, if it has one.
    ///
    /// Where a connection rests the statement is on its way when this suspends, and the connection's thread wakes for the
    /// answer alone.
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

    /// Runs `body` in a transaction: kept when it returns, undone when it throws.
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

    /// Whether changes are taken, as far as the last answers tell; ``WriteProbe`` finds out when they are again.
    package var takesChanges: Bool { !core.writes.isFailing }

    /// Breaks off the connections that are older than a silence of the server, when a new connection took too long as well.
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
