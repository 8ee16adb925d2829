import Foundation
import Postgres

/// The rows that match a filter, oldest first, in batches: memory holds one batch.
package struct AuditExport: AsyncSequence, Sendable {
    let log: AuditLog
    let filter: AuditFilter
    let batch: Int

    package struct Iterator: AsyncIteratorProtocol {
        private let log: AuditLog
        private var filter: AuditFilter
        private let batch: Int
        private var place: AuditCursor?
        private var isBegun = false
        private var isOver = false

        init(log: AuditLog, filter: AuditFilter, batch: Int) {
            (self.log, self.filter, self.batch) = (log, filter, batch)
        }

        package mutating func next() async throws -> [AuditEvent]? {
            try await begin()
            while !isOver {
                let statement = AuditStatements.batch(filter.narrowedByIndex, after: place, limit: batch)
                let events = try await log.events(statement)
                isOver = events.count < batch
                place = events.last?.cursor
                let fitting = events.filter(filter.matches)
                if !fitting.isEmpty { return fitting }
            }
            return nil
        }

        /// Ends at the current database time; otherwise an export would follow the new rows of a busy server forever.
        private mutating func begin() async throws {
            guard !isBegun else { return }
            let now = try await log.pool.withConnection { connection in
                try connection.queryOne("select clock_timestamp()")?.value(0, as: Date.self)
            }
            filter.to = [filter.to, now].compactMap(\.self).min()
            isBegun = true
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(log: log, filter: filter, batch: batch) }
}
