import JSON
package import Postgres

/// The imports in PostgreSQL.
package struct ImportStore: Sendable {
    private let pool: ConnectionPool
    private static let patience: Duration = .seconds(120)

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// The position of a run; a new one starts at zero.
    func open(_ run: String) async throws -> ImportPosition {
        try await pool.withConnection { connection in
            let start = ImportPosition.start
            try connection.execute(
                "insert into import_runs (name, digest) values (\(run), \(start.digest)) on conflict do nothing")
            return try connection.queryOne("select lines, digest from import_runs where name = \(run)").map {
                ImportPosition(lines: try $0.value(0), digest: try $0.value(1))
            } ?? start
        }
    }

    /// Creates the accounts of a batch and advances the run, in one transaction; returns the refused lines.
    ///
    /// Without a run the transaction is rolled back.
    func write(
        _ batch: ImportBatch, run: String?, source: String, digest: [UInt8], client: String?, requestID: String
    ) async throws -> [ImportRefused] {
        let lines = JSONText(JSON.array(batch.accounts).text)
        let unread = JSONText(batch.unreadJSON.text)
        let statement: SQL = """
            select line, reason from import_accounts(\(run), \(source), \(batch.after), \(batch.upto), \(digest), \(lines),
                                                     \(unread), \(client), \(requestID))
            """
        return try await pool.withConnection(timeout: Self.patience) { connection in
            do {
                return try connection.transaction { connection in
                    let refused = try connection.query(statement).map(Self.refused)
                    guard run != nil else { throw Rehearsal(refused: refused) }
                    return refused
                }
            } catch let rehearsal as Rehearsal {
                return rehearsal.refused
            }
        }
    }

    /// Thrown to roll back a batch.
    private struct Rehearsal: Error {
        let refused: [ImportRefused]
    }

    private static func refused(_ row: Row) throws -> ImportRefused {
        ImportRefused(line: try row.value(0), reason: try refusal(row.value(1)))
    }

    private static func refusal(_ text: String) throws(PostgresError) -> ImportRefusal {
        guard let refusal = ImportRefusal(rawValue: text) else { throw .decoding(column: "reason") }
        return refusal
    }

    /// The accounts and refusals of a run so far, in all its parts.
    func summary(_ run: String) async throws -> ImportSummary {
        try await pool.withConnection(timeout: Self.patience) { connection in
            let accounts = try connection.queryOne("select accounts from import_runs where name = \(run)")?
                .value(0, as: Int.self)
            var summary = ImportSummary(accounts: accounts ?? 0)
            let rows = try connection.query(
                "select reason, count(*) from import_refusals where run = \(run) group by reason")
            for row in rows {
                let count: Int = try row.value(1)
                summary.refused[try Self.refusal(row.value(0)), default: 0] += count
            }
            return summary
        }
    }

    /// The refused lines of a run, in order, some thousands per query.
    package func refusals(_ run: String, after line: Int) async throws -> [ImportRefused] {
        try await pool.withConnection(timeout: Self.patience) { connection in
            try connection.query(
                "select line, reason from import_refusals where run = \(run) and line > \(line) order by line limit 5000"
            ).map(Self.refused)
        }
    }
}
