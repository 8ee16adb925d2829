import Foundation
package import Postgres

/// Reads the audit log: in pages, completely, and live.
package struct AuditLog: Sendable {
    package static let largestPage = 200
    /// The maximum number of pieces for a page.
    private static let piecesPerPage = 5

    let pool: ConnectionPool
    /// The rows that one statement scans if no index covers the filter.
    private let piece: Int

    package init(pool: ConnectionPool) {
        self.init(pool: pool, piece: 20_000)
    }

    init(pool: ConnectionPool, piece: Int) {
        (self.pool, self.piece) = (pool, piece)
    }

    /// A page, newest first.
    ///
    /// - Parameters:
    ///   - cursor: `next` of the page before; nil for the newest rows.
    ///   - limit: the maximum number of rows, up to ``largestPage``.
    package func page(
        _ filter: AuditFilter, before cursor: AuditCursor? = nil, limit: Int = 50
    ) async throws -> AuditPage {
        let limit = min(max(1, limit), Self.largestPage)
        return filter.isIndexed
            ? try await indexedPage(filter, before: cursor, limit)
            : try await searchedPage(filter, before: cursor, limit)
    }

    private func indexedPage(_ filter: AuditFilter, before cursor: AuditCursor?, _ limit: Int) async throws -> AuditPage
    {
        let found = try await events(AuditStatements.page(filter, before: cursor, limit: limit + 1))
        let events = Array(found.prefix(limit))
        return AuditPage(events: events, next: found.count > limit ? events.last?.cursor : nil)
    }

    private func searchedPage(
        _ filter: AuditFilter, before cursor: AuditCursor?, _ limit: Int
    ) async throws -> AuditPage {
        var (events, place): ([AuditEvent], AuditCursor?) = ([], cursor)
        for _ in 0..<Self.piecesPerPage {
            let end = try await end(AuditStatements.end(filter, before: place, piece: piece))
            let wanted = limit - events.count
            events += try await self.events(
                AuditStatements.page(filter, before: place, backTo: end, limit: wanted))
            if events.count == limit { return AuditPage(events: events, next: events.last?.cursor) }
            place = end
            guard place != nil else { break }
        }
        return AuditPage(events: events, next: place)
    }

    /// The words that occur in the log, from its counts: the reasons are those of refusals.
    package func words() async throws -> (actions: [String], reasons: [String], providers: [String]) {
        let rows = try await pool.withConnection { connection in
            try connection.query(
                "select distinct action, coalesce(reason, ''), coalesce(provider, '') from counted_events('-infinity')"
            ).map { [try $0.value(0, as: String.self), try $0.value(1), try $0.value(2)] }
        }
        func column(_ index: Int) -> [String] { Set(rows.map { $0[index] }).filter { !$0.isEmpty }.sorted() }
        return (column(0), column(1), column(2))
    }

    /// All matching rows, oldest first, in lazily read batches; later rows are not included.
    package func export(_ filter: AuditFilter, batch: Int = 1_000) -> AuditExport {
        AuditExport(log: self, filter: filter, batch: max(1, batch))
    }

    /// Matching rows as they are sealed: each once, in the chain's order, a second or two after its commit.
    ///
    /// - Parameter position: the last position seen; nil for new events only.
    package func tail(_ filter: AuditFilter = AuditFilter(), after position: Int? = nil) -> AuditTail {
        AuditTail(log: self, filter: filter, position: position)
    }

    func events(_ sql: SQL) async throws -> [AuditEvent] {
        try await pool.withConnection { try $0.query(sql).map { try AuditEvent($0) } }
    }

    private func end(_ sql: SQL) async throws -> AuditCursor? {
        try await pool.withConnection { connection in
            try connection.queryOne(sql).map { AuditCursor(at: try $0.value(0), id: try $0.value(1)) }
        }
    }
}

extension AuditEvent {
    var cursor: AuditCursor { AuditCursor(at: at, id: id) }
}
