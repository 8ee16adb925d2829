import Foundation
package import Logging
package import Postgres
import ServiceLifecycle
import Synchronization

/// Writes refusals to the audit log in batches, so that a flood of bad credentials costs the database one statement
/// for many of them and the sign-ins of others nothing.
///
/// A refusal changes nothing, so its row needs no shared transaction; what the buffer can't hold is counted as lost
/// and said in the log, never waited for.
package final class RefusalLog: Service {
    private struct Pending {
        var events: [RefusedEvent] = []
        var lost = 0
    }

    private let pending = Mutex(Pending())
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

    package init(pool: ConnectionPool, logger: Logger) {
        (self.pool, self.logger) = (pool, logger)
        (wakeUps, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func record(_ event: RefusedEvent) {
        pending.withLock { pending in
            if pending.events.count < Self.capacity { pending.events.append(event) } else { pending.lost += 1 }
        }
        wake.yield()
    }

    private var isWaiting: Bool { pending.withLock { !$0.events.isEmpty } }

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
    /// Rows that the database does not take now stay for the next time.
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
                pending.withLock { $0.events.insert(contentsOf: events, at: 0) }
                logger.warning("refusals wait for the database", metadata: ["waiting": "\(events.count)"])
                return
            }
        }
    }

    private func take() -> ([RefusedEvent], lost: Int) {
        pending.withLock { pending in
            let events = Array(pending.events.prefix(Self.batch))
            pending.events.removeFirst(events.count)
            defer { pending.lost = 0 }
            return (events, pending.lost)
        }
    }

    private static func insert(_ events: [RefusedEvent], _ connection: Connection) throws {
        try connection.execute(
            """
            insert into audit_events (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id,
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
