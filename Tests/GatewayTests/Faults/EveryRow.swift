import Postgres
import TestSupport

/// The rows of every table, as text.
///
/// The audit log counts as one table, because the sealer moves its events. The search terms are omitted, because the
/// sealer makes them.
struct EveryRow: Sendable {
    private let tables: [String: [String]]

    /// - Parameter mentioning: only rows that contain one of these texts; nil for all.
    init(of database: TestDatabase, mentioning words: [String]? = nil) async throws {
        tables = try await database.pool.withTransaction { connection in
            let names = try connection.query(
                """
                select relname::text from pg_class
                 where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
                   and relname not in ('audit_inbox', 'audit_sealed', 'search_terms')
                """
            ).map { try $0.value(0, as: String.self) }
            var tables: [String: [String]] = [:]
            for name in names {
                let rows = try connection.query("select t::text from \(unsafeSQL: name) t").map {
                    try $0.value(0, as: String.self)
                }
                let isOurs = { (row: String) in words?.contains { row.contains($0) } ?? true }
                tables[name] = rows.filter { isOurs($0) && !Self.isView($0, of: name) }.sorted()
            }
            return tables
        }
    }

    /// A view changes nothing, so its row stays after an undo of the following change.
    private static func isView(_ row: String, of table: String) -> Bool {
        let views = ["account_viewed", "history_viewed", "accounts_searched", "audit_viewed"]
        return table == "audit_events" && views.contains { row.contains(",\($0),") }
    }

    /// The tables with changed rows.
    func changed(since before: EveryRow) -> Set<String> {
        Set(tables.filter { $0.value != before.tables[$0.key] }.keys)
    }
}
