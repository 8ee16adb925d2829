import Foundation
import Postgres

/// The live log: once a second the newly sealed events, possibly none, so that the caller soon notices a lost listener.
///
/// It follows the chain instead of the ids, because ids are not committed in order.
package struct AuditTail: AsyncSequence, Sendable {
    let log: AuditLog
    let filter: AuditFilter
    /// The start position; nil for events from the first query on.
    package let position: Int?

    private static let interval = Duration.seconds(1)
    /// The maximum number of rows per query.
    private static let batch = 500

    package struct Iterator: AsyncIteratorProtocol {
        private let log: AuditLog
        private let filter: AuditFilter
        private var position: Int?
        private var isBehind = true

        init(log: AuditLog, filter: AuditFilter, position: Int?) {
            (self.log, self.filter, self.position) = (log, filter, position)
        }

        /// Never nil: the tail ends when the task is cancelled, with `CancellationError`.
        package mutating func next() async throws -> [SealedEvent]? {
            if !isBehind { try await Task.sleep(for: AuditTail.interval) }
            guard let position else {
                self.position = try await log.headPosition()
                isBehind = false
                return []
            }
            let (events, last, isWhole) = try await log.sealed(after: position, limit: AuditTail.batch)
            isBehind = !isWhole
            self.position = last
            return events.filter { filter.matches($0.event) }
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(log: log, filter: filter, position: position) }
}

extension AuditLog {
    func headPosition() async throws -> Int {
        try await pool.withConnection { try ChainStore.head($0)?.position ?? 0 }
    }

    /// Events in the chain's order, their last position, and whether that is the end; pruned events are not included.
    func sealed(
        after position: Int, limit: Int
    ) async throws -> (events: [SealedEvent], last: Int, isWhole: Bool) {
        try await pool.withConnection { connection in
            let links = try connection.query(
                "select position, first_at, last_at from audit_chain where position > \(position) order by position limit \(limit)"
            )
            guard let head = try links.last?.value(0, as: Int.self) else { return ([], position, true) }
            let times = try links.flatMap { [try $0.value(1, as: Date.self), try $0.value(2, as: Date.self)] }
            let last = min(head, max(position + limit, try links[0].value(0)))
            let rows = try connection.query(
                """
                select e.position, \(unsafeSQL: AuditEvent.columns) from audit_sealed e
                 where e.at between \(times.min()) and \(times.max()) and e.position > \(position) and e.position <= \(last)
                 order by e.position
                """)
            let events = try rows.map { SealedEvent(position: try $0.value(0), event: try AuditEvent($0, from: 1)) }
            return (events, last, last == head && links.count < limit)
        }
    }
}
