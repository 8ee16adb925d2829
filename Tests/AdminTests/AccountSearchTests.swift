import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Admin

@Suite("Finding accounts")
struct AccountSearchTests {
    @Test("by address, number, either name, user name, and any id")
    func finds() async throws {
        try await withPeople { people in
            let ann = try await people.account(
                "Ann Miller", emails: ["ann@example.com"], phones: ["+4930123456"], identities: ["001999.bb.1200"])
            try await people.account("Bob Stone", emails: ["bob@example.com"])
            try await people.database.pool.withConnection { connection in
                try connection.execute(
                    "update accounts set user_name = 'Annie', user_name_key = 'annie' where id = \(ann)")
            }
            let session = try await people.session(ann)
            let typed = [
                "ann@", "ANN@Example.com", "+49 30 123", "+4930", "ann", "Ann Mil", "mill", "anni", "001999.bb.1200",
                ann.uuidString, session.uuidString, try await people.identity("001999.bb.1200").uuidString,
            ]
            for text in typed {
                let page = try await people.search.page(text, after: nil, limit: 10, by: People.commandLine)
                #expect(page.accounts.map { $0["id"]?.string } == [ann.uuidString.lowercased()], "\(text)")
            }
            for text in ["nobody", "x@", "+1", "ann%", "_nn", "\\", "001999.bb"] {
                let page = try await people.search.page(text, after: nil, limit: 10, by: People.commandLine)
                #expect(page.accounts.isEmpty, "\(text)")
            }
        }
    }

    @Test("pages follow each other without a gap and without anybody twice", arguments: ["", "ann", "ann-@", "+4930"])
    func pages(text: String) async throws {
        try await withPeople { people in
            var all: Set<String> = []
            for number in 0..<23 {
                let id = try await people.account(
                    "Ann \(number % 3)",
                    emails: [number % 2 == 0 ? "ann-@example\(number).com" : "ann-@e\(number).org"],
                    phones: ["+4930100\(number + 100)"])
                all.insert(id.uuidString.lowercased())
            }
            var seen: [String] = []
            var cursor: SearchCursor?
            repeat {
                let page = try await people.search.page(text, after: cursor, limit: 5, by: People.commandLine)
                seen += page.accounts.compactMap { $0["id"]?.string }
                cursor = try page.next.map { try #require(SearchCursor($0.description)) }
            } while cursor != nil
            #expect(Set(seen) == all)
            // Whoever is found by a name and an address comes once for each; by one thing alone, once.
            if text != "ann" { #expect(seen.count == all.count) }
        }
    }

    @Test(
        "no cursor but our own is taken",
        arguments: [
            "", "x", "x.y", ".", "01a1fe3a-da0a-7e8d-b31b-94d3827ee9d2", "01a1fe3a-da0a-7e8d-b31b-94d3827ee9d2.!",
        ])
    func cursors(text: String) {
        #expect(SearchCursor(text) == nil)
    }

    /// The searches of one kind each, and the index that must serve it.
    static let plans: [(kind: String, prefix: String, index: String)] = [
        ("email", "ann", "account_emails_by_prefix"), ("phone", "+49", "account_phones_by_prefix"),
        ("name", "ann", "accounts_by_name"),
    ]

    @Test("no search reads a table from end to end", arguments: plans.indices)
    func indexed(index: Int) async throws {
        let row = Self.plans[index]
        try await withPeople { people in
            try await people.seed(thousands: 15)
            let scans = try await people.scans { connection in
                for _ in 0..<12 {
                    _ = try connection.query(
                        "select * from search_accounts_by_prefix(\(row.kind), \(row.prefix), null, null, 26)")
                }
            }
            #expect(scans.sequential == 0, "\(row.kind)")
            #expect(scans.byIndex[row.index, default: 0] > 0, "\(row.kind)")
        }
    }
}

extension People {
    /// Many accounts, with names, addresses and numbers: a thousand at a time, since a statement has five seconds.
    func seed(thousands: Int) async throws {
        for batch in 0..<thousands {
            try await database.pool.withTransaction(timeout: .seconds(60)) { connection in
                try connection.execute(
                    """
                    with made as (
                        insert into accounts (id, display_name)
                        select gen_random_uuid(), chr(97 + n % 26) || 'nn ' || n || ' Person' || (n % 1000) from generate_series(1, 1000) n
                        returning id
                    ), mails as (
                        insert into account_emails (account_id, address_key, address, source, proved_at)
                        select id, 'ann' || id || '@example.com', 'ann' || id || '@example.com', 'person', now() from made
                    )
                    insert into account_phones (account_id, phone_key, source, proved_at)
                    select id, '+49' || (1000000000 + \(batch) * 1000 + row_number() over ()), 'person', now() from made
                    """)
            }
        }
        try await database.pool.withConnection(timeout: .seconds(60)) { connection in
            for table in ["accounts", "account_emails", "account_phones"] {
                try connection.execute("analyze \(unsafeSQL: table)")
            }
        }
    }

    /// How often what `body` did read a table of accounts whole, and how often each index was used.
    func scans(_ body: @escaping @Sendable (Connection) throws -> Void) async throws
        -> (sequential: Int, byIndex: [String: Int])
    {
        try await database.pool.withConnection { connection in
            let before = try Self.counts(connection)
            try body(connection)
            let after = try Self.counts(connection)
            return (after.whole - before.whole, after.indexes.merging(before.indexes) { $0 - $1 })
        }
    }

    private static func counts(_ connection: Connection) throws -> (whole: Int, indexes: [String: Int]) {
        _ = try connection.queryOne("select count(*) from pg_stat_force_next_flush()")
        _ = try connection.queryOne("select count(*) from pg_stat_clear_snapshot()")
        let whole: Int? = try connection.queryOne(
            """
            select coalesce(sum(seq_scan), 0)::bigint from pg_stat_user_tables
             where relname in ('accounts', 'account_emails', 'account_phones', 'identities')
            """)?.value(0)
        let rows = try connection.query("select indexrelname::text, idx_scan from pg_stat_user_indexes")
        return (whole ?? 0, Dictionary(uniqueKeysWithValues: try rows.map { (try $0.value(0), try $0.value(1)) }))
    }
}
