import Foundation
import TestSupport
import Testing

@testable import Audit
@testable import Postgres

@Suite("Reading the audit log", .serialized)
struct AuditLogTests {
    private static let account = UUID()
    private static let filters: [(String, @Sendable (inout AuditFilter) -> Void)] = [
        ("none", { _ in }), ("account", { $0.account = account }), ("actor", { $0.actor = account }),
        ("action", { $0.action = "rare" }), ("outcome", { $0.outcome = "refused" }), ("reason", { $0.reason = "why" }),
        ("provider", { $0.provider = "google" }), ("client", { $0.client = "other" }),
        ("address", { $0.address = "198.51.100.1" }), ("request", { $0.requestID = "rare" }),
        ("session", { $0.session = account }), ("views", { $0.views = false }),
        ("views of an account", { ($0.views, $0.account) = (false, account) }),
        ("from", { $0.from = Date(timeIntervalSinceNow: -3_600) }),
        ("to", { $0.to = Date(timeIntervalSinceNow: -3_600) }),
        ("both", { ($0.action, $0.account) = ("rare", account) }),
        (
            "time",
            {
                $0.outcome = "refused"
                ($0.from, $0.to) = (Date(timeIntervalSinceNow: -86_400 / 2), Date(timeIntervalSinceNow: -3_600))
            }
        ),
    ]

    /// Rows over a day, a few of them rare in each respect, and some that an operator's view left.
    private static func filled(_ audit: AuditFixture, _ count: Int = 3_000) async throws {
        _ = try await audit.pool.withConnection { connection in
            try connection.execute(
                """
                insert into audit_inbox (at, action, outcome, reason, account_id, actor_id, session_id, client_id, provider, address, request_id)
                select now() - interval '1 day' + n * (interval '1 day' / \(count)::float8), case when n % 662 = 0 then 'account_viewed' when rare then 'rare' when n % 89 = 0 then 'audit_viewed' else 'signed_in' end,
                       case when n % 97 = 0 then 'refused' else 'done' end, case when rare then 'why' end,
                       case when rare then \(account) else gen_random_uuid() end, case when rare then \(account) end,
                       case when rare then \(account) else gen_random_uuid() end, case when rare then 'other' else 'app' end,
                       case when rare then 'google' else 'apple' end, case when rare then '198.51.100.1' else '203.0.113.7' end,
                       case when rare then 'rare' else 'r' || n end
                  from (select n, n % 331 = 0 as rare from generate_series(1, \(count)) n) s
                """)
        }
        try await audit.sealer.sealAll()
        for table in ["audit_sealed", "audit_inbox"] { try await audit.run("vacuum analyze \(table)") }
    }

    @Test("pages of a filter contain exactly the matching rows, newest first, each once", arguments: filters)
    func pages(name: String, set: @Sendable (inout AuditFilter) -> Void) async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            // Some rows are unsealed.
            try await audit.append(40, action: "rare")
            var filter = AuditFilter()
            set(&filter)
            let all = try await audit.log.events(
                "select \(unsafeSQL: AuditEvent.columns) from audit_events e order by at desc, id desc")
            let expected = all.filter(filter.matches)
            #expect(!expected.isEmpty && (name == "none" || expected.count < all.count))
            var (found, cursor): ([AuditEvent], AuditCursor?) = ([], nil)
            repeat {
                let page = try await audit.log.page(filter, before: cursor, limit: 150)
                found += page.events
                cursor = try page.next.map { try #require(AuditCursor($0.text)) }
            } while cursor != nil
            #expect(found == expected)
            var exported: [AuditEvent] = []
            for try await batch in audit.log.export(filter, batch: 7) { exported += batch }
            #expect(exported == expected.reversed())
        }
    }

    @Test("the filter and the SQL function know the same views")
    func views() async throws {
        try await withAudit { audit in
            let found: [String] = try await audit.pool.withConnection { connection in
                try connection.query("select a from unnest(\(AuditEventNames.all)) a where is_view(a)").map {
                    try $0.value(0)
                }
            }
            #expect(Set(found) == AuditEventNames.views && found.count == 4)
        }
    }

    @Test("no page of a filter scans a whole month")
    func plans() async throws {
        try await withAudit { audit in
            for _ in 0..<5 { try await Self.filled(audit, 8_000) }
            // The months with few rows, or none, are read as a whole without cost.
            let month = try await audit.pool.withConnection { connection in
                try connection.queryOne(
                    "select tableoid::regclass::text from audit_sealed group by 1 order by count(*) desc limit 1")?
                    .value(0, as: String.self)
            }
            let fullScan = "Seq Scan on \(try #require(month))"
            let cursor = AuditCursor(at: Date(timeIntervalSinceNow: -7_200), id: 1)
            for (name, set) in Self.filters {
                var filter = AuditFilter()
                set(&filter)
                for place in [nil, cursor] {
                    let end = try await Self.end(filter, place, audit)
                    let page = AuditStatements.page(
                        filter, before: place, backTo: filter.isIndexed ? nil : end, limit: 50)
                    let batch = AuditStatements.batch(filter.narrowedByIndex, after: place, limit: 50)
                    for statement in [page, batch] {
                        let plan = try await Self.plan(of: statement, audit).joined(separator: "\n")
                        #expect(!plan.contains(fullScan), "\(name): \(plan)")
                    }
                }
            }
        }
    }

    /// The end of a piece of the log.
    private static func end(
        _ filter: AuditFilter, _ place: AuditCursor?, _ audit: AuditFixture
    ) async throws -> AuditCursor? {
        try await audit.pool.withConnection { connection in
            try connection.queryOne(AuditStatements.end(filter, before: place, piece: 10_000)).map {
                AuditCursor(at: try $0.value(0), id: try $0.value(1))
            }
        }
    }

    private static func plan(of statement: SQL, _ audit: AuditFixture) async throws -> [String] {
        var explained = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        explained.appendLiteral("explain ")
        explained.statement += statement.statement
        (explained.parameters, explained.bytes) = (statement.parameters, statement.bytes)
        let sql = SQL(stringInterpolation: explained)
        return try await audit.pool.withConnection { try $0.query(sql).map { try $0.value(0) } }
    }

    @Test("rows without an index are searched in pieces: a page may be short, and the next continues")
    func pieces() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            try await audit.tamper("update audit_sealed set address = 'first' where id = 1")
            let log = AuditLog(pool: audit.pool, piece: 500)
            var filter = AuditFilter()
            filter.address = "first"
            let first = try await log.page(filter)
            #expect(first.events.isEmpty)
            let next = try #require(first.next)
            let second = try await log.page(filter, before: next)
            #expect(second.events.map(\.id) == [1] && second.next == nil)
        }
    }

    @Test(
        "a foreign cursor is refused",
        arguments: [
            "", ".", "1", "1.", "x.1", "1.1.1", "1." + String(repeating: "f", count: 40), "-8000000000000000.0",
            "-1.0", "0.-1", "7fffffffffffffff.7fffffffffffffff",
        ])
    func cursors(text: String) {
        #expect(AuditCursor(text) == nil)
    }

    @Test("a tail from a position beyond the log waits there")
    func tailFromBeyond() async throws {
        try await withAudit { audit in
            try await audit.append(1)
            try await audit.sealer.sealAll()
            var tail = audit.log.tail(after: .max).makeAsyncIterator()
            #expect(try await tail.next() == [])
        }
    }

    @Test("a tail returns each matching row once, in the chain's order, including late ones")
    func tail() async throws {
        try await withAudit { audit in
            try await audit.append(600)
            try await audit.sealer.sealAll()
            var filter = AuditFilter()
            filter.action = "x"
            var tail = audit.log.tail(filter).makeAsyncIterator()
            var whole = audit.log.tail(after: 0).makeAsyncIterator()
            #expect(try await tail.next() == [])
            var seen: [Int] = []
            while seen.count < 600 { seen += try await whole.next()?.map(\.position) ?? [] }
            #expect(seen == Array(1...600))

            let slow = try Connection(audit.database.configuration())
            try slow.executeScript("begin; insert into audit_inbox (action, outcome) values ('x', 'done')")
            try await audit.append(1, action: "y")
            try await audit.append(1, action: "x")
            try await audit.sealer.sealAll()
            #expect(try await tail.next()?.map(\.event.id) == [603])
            try slow.executeScript("commit")
            try await audit.sealer.sealAll()
            let late = try #require(await tail.next())
            #expect(late.map(\.position) == [603] && late.map(\.event.id) == [601])
        }
    }
}
