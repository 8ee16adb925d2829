import Foundation
package import Logging
package import Postgres
import ServiceLifecycle
import Synchronization

/// Writes refusals to the audit log in batches, so that a flood of bad credentials costs the database one statement
/// for many of them and the sign-ins of others nothing.
///
/// Beyond a few of a kind from one network in a minute they are counted in one row, see ``RefusalBuffer``. A refusal
/// changes nothing, so its row needs no shared transaction; what the buffer can't hold is counted as lost and said in the
/// log, never waited for.
package final class RefusalLog: Service {
    private struct Pending {
        var buffer: RefusalBuffer
        /// Whether the end of the minute is waited for.
        var waitsForMinute = false
    }

    private let pending: Mutex<Pending>
    private let minute: @Sendable () -> Int
    private let pool: ConnectionPool
    private let logger: Logger
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// Rows held in memory while the database is busy.
    private static let capacity = 20_000
    private static let batch = 500
    /// Between two tries while the database is away.
    private static let pause = Duration.seconds(1)
    /// For the last rows where the service group is cancelled.
    ///
    /// Far less than a cancelled group has, since a statement that is stopped then takes its time as well.
    private static let lastMoment = Duration.seconds(1)

    /// - Parameters:
    ///   - few: refusals of one kind from one network that get a row each in a minute.
    ///   - minute: the number of the minute that runs.
    package init(
        pool: ConnectionPool, few: Int, logger: Logger,
        minute: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970 / 60) }
    ) {
        (self.pool, self.logger, self.minute) = (pool, logger, minute)
        pending = Mutex(Pending(buffer: RefusalBuffer(few: few, capacity: Self.capacity)))
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func record(_ event: RefusedEvent) {
        let now = minute()
        let startsCount = pending.withLock { pending in
            pending.buffer.record(event, minute: now)
            guard !pending.waitsForMinute else { return false }
            pending.waitsForMinute = true
            return true
        }
        if startsCount { wakeAtMinutesEnd() }
        wake.yield()
    }

    /// Counts become rows when their minute is over, whether or not anything is refused by then.
    private func wakeAtMinutesEnd() {
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(61))
            guard let self else { return }
            pending.withLock { $0.waitsForMinute = $0.buffer.isCounting }
            if pending.withLock({ $0.waitsForMinute }) { wakeAtMinutesEnd() }
            wake.yield()
        }
    }

    private var isWaiting: Bool { pending.withLock { $0.buffer.count > 0 } }

    package func run() async throws {
        for await _ in wakeUps.cancelOnGracefulShutdown() {
            await flush()
            guard isWaiting else { continue }
            // The database took none: another try soon, whether or not something else is refused by then.
            try? await Task.sleep(for: Self.pause)
            wake.yield()
        }
        await flushAtLast()
    }

    /// Writes what is left, on a task of its own: for one that is cancelled the pool does nothing.
    private func flushAtLast() async {
        pending.withLock { $0.buffer.closeMinute() }
        let last = Task { await flush() }
        await withTaskCancellationHandler {
            await last.value
        } onCancel: {
            Task {
                try? await Task.sleep(for: Self.lastMoment)
                last.cancel()
            }
        }
    }

    /// Writes what has gathered.
    ///
    /// Rows that the database does not take now stay for the next time. Where nobody knows, they are written once more: a refusal
    /// that stands there twice is better than one that is lost.
    package func flush() async {
        while case let (events, lost) = take(), !events.isEmpty {
            if lost > 0 { logger.error("audit rows of refusals were lost", metadata: ["count": "\(lost)"]) }
            do {
                try await pool.withConnection { connection in try Self.insert(events, connection) }
            } catch let error as PostgresError where error.state != nil && !error.mayPass {
                // What the database won't take of these it never will: kept, they would hold up all that follow.
                logger.error(
                    "audit rows of refusals were refused", metadata: ["error": "\(error)", "count": "\(events.count)"])
            } catch {
                pending.withLock { $0.buffer.putBack(events) }
                logger.warning("refusals wait for the database", metadata: ["waiting": "\(events.count)"])
                return
            }
        }
    }

    private func take() -> ([RefusedEvent], lost: Int) {
        let now = minute()
        return pending.withLock { pending in
            pending.buffer.turnMinute(now)
            return (pending.buffer.take(Self.batch), pending.buffer.takeLost())
        }
    }

    private static func insert(_ events: [RefusedEvent], _ connection: Connection) throws {
        try connection.execute(
            """
            insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id,
                                      detail)
            select action, 'refused', reason, nullif(account, '')::uuid, nullif(session, '')::uuid, nullif(client, ''),
                   nullif(provider, ''), address, request, nullif(detail, '')::jsonb
              from unnest(\(events.map(\.action)), \(events.map(\.reason)), \(events.map { $0.accountID?.uuidString ?? "" }),
                          \(events.map { $0.sessionID?.uuidString ?? "" }), \(events.map { $0.clientID ?? "" }),
                          \(events.map { $0.provider ?? "" }), \(events.map(\.caller.address)), \(events.map(\.caller.requestID)),
                          \(events.map { $0.detail ?? "" }))
                   as refused (action, reason, account, session, client, provider, address, request, detail)
            """)
    }
}
