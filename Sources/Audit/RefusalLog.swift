import Foundation
package import Logging
package import Postgres
import ServiceLifecycle
import Synchronization
import Vocabulary

/// Writes refusals to the audit log in batches, so that a flood of bad credentials costs one statement for many rows
/// and doesn't affect other sign-ins.
///
/// Beyond a few of a kind per network and minute they are counted in one row, see ``RefusalBuffer``. A refusal changes
/// nothing, so its row needs no shared transaction. Rows beyond the buffer are counted as lost and logged, never waited
/// for.
package final class RefusalLog: Service {
    private struct Pending {
        var buffer: RefusalBuffer
        /// Whether a task waits for the end of the minute.
        var waitsForMinute = false
    }

    private let pending: Mutex<Pending>
    private let pool: ConnectionPool
    private let logger: Logger
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// The number of the current minute.
    private static var minute: Int { Int(Date().timeIntervalSince1970 / 60) }
    /// Rows in memory while the database is busy.
    private static let capacity = 20_000
    private static let batch = 500
    /// The pause between attempts while the database is down.
    private static let pause = Duration.seconds(1)
    /// The time limit for the last rows when the service group is cancelled.
    ///
    /// Far less than the limit of a cancelled group, because an interrupted statement also takes time.
    private static let lastMoment = Duration.seconds(1)

    /// - Parameter few: refusals of one kind per network and minute with a separate row.
    package init(pool: ConnectionPool, few: Int, logger: Logger) {
        (self.pool, self.logger) = (pool, logger)
        pending = Mutex(Pending(buffer: RefusalBuffer(few: few, capacity: Self.capacity)))
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func record(_ event: RefusedEvent) {
        let now = Self.minute
        let startsCount = pending.withLock { pending in
            pending.buffer.record(event, minute: now)
            guard !pending.waitsForMinute else { return false }
            pending.waitsForMinute = true
            return true
        }
        if startsCount { wakeAtMinutesEnd() }
        wake.yield()
    }

    /// Counts become rows at the end of their minute, even without new refusals.
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
            // The database accepted none: retry soon, even without new refusals.
            try? await Task.sleep(for: Self.pause)
            wake.yield()
        }
        await flushAtLast()
    }

    /// Writes the rest in a separate task, because the pool refuses cancelled ones.
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

    /// Writes the queued rows.
    ///
    /// Rows that the database refuses now stay for the next attempt. With an unknown outcome they are written again: a
    /// duplicate is better than a loss.
    package func flush() async {
        while case let (events, lost) = take(), !events.isEmpty {
            if lost > 0 { logger.error("audit rows of refusals were lost", metadata: ["count": "\(lost)"]) }
            do {
                try await pool.withConnection { connection in try Self.insert(events, connection) }
            } catch let error as PostgresError where error.state != nil && !error.mayPass {
                // The database will never accept these; keeping them would block all later ones.
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
        let now = Self.minute
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
