import Foundation
import Postgres

/// The rows that fit a filter, oldest first, a batch for each question: memory holds one batch.
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

        /// Ends the export now, in the database's time, or it would run after the rows of a busy server for ever.
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
