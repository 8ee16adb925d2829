import Foundation
import Postgres
import TestSupport
import Testing

/// The cost of each search among many accounts; the plan is the same for a million.
@Suite("The cost of finding accounts", .serialized)
struct AccountSearchCostTests {
    /// A search, the indexes that must serve it, and the pages that it may touch.
    struct Plan: Sendable, CustomTestStringConvertible {
        let kind: String
        let term: String
        let indexes: [String]
        /// One page per index hit, and the path to the first.
        var mostPages: Int { 40 * indexes.count }
        var testDescription: String { "\(kind) \(term)" }

        /// - Parameter after: the last hit of the previous page.
        func statement(_ after: (text: String, account: UUID)?) -> String {
            let (text, account) = after.map { ("'\($0.text)'", "'\($0.account)'") } ?? ("null", "null")
            return
                "select found, account_id from search_accounts_by_prefix('\(kind)', '\(term)', \(text), \(account), 26)"
        }
    }

    /// The last letters and numbers, because a scan from the start of an index would read nearly all of it.
    static let plans = [
        Plan(kind: "email", term: "z", indexes: ["account_emails_pkey", "search_terms_pkey"]),
        Plan(kind: "email", term: "znn", indexes: ["account_emails_pkey", "search_terms_pkey"]),
        Plan(kind: "phone", term: "+91", indexes: ["account_phones_key"]),
        Plan(
            kind: "name", term: "z",
            indexes: [
                "search_terms_pkey", "accounts_user_name_key", "account_emails_pkey",
            ]),
        Plan(
            kind: "name", term: "person9",
            indexes: [
                "search_terms_pkey", "accounts_user_name_key", "account_emails_pkey",
            ]),
    ]

    @Test("the first page and later ones use the indexes and read few of their pages")
    func prefixes() async throws {
        try await withPeople { people in
            try await people.seed(thousands: 15)
            for plan in Self.plans {
                var after: (text: String, account: UUID)?
                for page in 1...12 {
                    let statement = plan.statement(after)
                    after = try await people.lastHit(statement)
                    #expect(after != nil, "\(plan), page \(page)")
                    guard [1, 2, 12].contains(page) else { continue }
                    try await people.expect(statement, plan.indexes, within: plan.mostPages)
                }
            }
        }
    }

    @Test("ids, subjects and the newest accounts are looked up by keys")
    func ids() async throws {
        try await withPeople { people in
            try await people.seed(thousands: 15)
            let ids = try await people.texts(
                """
                (select id::text from accounts limit 1) union all (select id::text from sessions limit 1)
                union all (select id::text from identities limit 1) union all (select subject from identities limit 1)
                """)
            #expect(ids.count == 4)
            for (id, index) in zip(ids, ["accounts_pkey", "sessions_pkey", "identities_pkey", "identities_subject"]) {
                try await people.expect("select * from search_accounts_by_id('\(id)') limit 26", [index], within: 40)
            }
            for last in ["ffffffff-ffff-ffff-ffff-ffffffffffff", "80000000-0000-0000-0000-000000000000"] {
                let statement = "select '', id from accounts where id < '\(last)' order by id desc limit 26"
                try await people.expect(statement, ["accounts_pkey"], within: 40)
            }
        }
    }

    @Test("a deletion finds its accounts by their ids and scans no table")
    func deletion() async throws {
        try await withPeople { people in
            try await people.seed(thousands: 15)
            try await people.database.pool.withConnection { connection in
                _ = try connection.execute(
                    """
                    update accounts set deletion_requested_at = now(), deletion_due_at = now()
                     where id in (select id from accounts limit 3)
                    """)
            }
            let scans = try await people.scans { connection in
                let erased: Int? = try connection.queryOne("select sweep_deletions(3, 'cost', 60)")?.value(0)
                #expect(erased == 3)
            }
            #expect(scans.sequential == 0)
        }
    }

    @Test("suggestions read few pages, even where thousands share the name")
    func suggestions() async throws {
        try await withPeople { people in
            try await people.seed(thousands: 5)
            let shared = try await people.account("Maria Garcia", emails: ["maria@example.com"])
            try await people.database.pool.withConnection(timeout: .seconds(60)) { connection in
                try connection.execute("update accounts set display_name = 'Maria Garcia' where user_name_key < 'n'")
                try connection.execute("select refresh_search_terms(array(select id from accounts))")
                // Rows of before the update would be counted, if autovacuum is late.
                for table in ["accounts", "search_terms"] {
                    try connection.execute("vacuum (analyze) \(unsafeSQL: table)")
                }
            }
            let statement = "select account_suggestions('\(shared)')"
            try await people.expect(statement, ["search_terms_pkey"], within: 150)
            let found = try await people.texts("select jsonb_array_length(account_suggestions(\(shared)))::text")
            #expect(found == ["5"])
        }
    }

    @Test("the history of an account with many events reads only the newest, also with merged accounts")
    func history() async throws {
        try await withPeople { people in
            let (busy, joined) = (try await people.account("Busy"), try await people.account("Joined"))
            try await people.database.pool.withTransaction(timeout: .seconds(60)) { connection in
                try connection.execute("update accounts set merged_into = \(busy) where id = \(joined)")
                try connection.execute(
                    """
                    insert into audit_sealed (position, id, at, action, outcome, account_id)
                    select n, n, now() - interval '1 day' + n * interval '1 second', 'x', 'done', case n % 3 when 0 then \(busy)::uuid when 1 then \(joined)::uuid else gen_random_uuid() end
                      from generate_series(1, 20000) n
                    """)
                try connection.execute("analyze audit_sealed")
            }
            let (pages, texts) = try await people.database.pool.withConnection { connection in
                let pages = try connection.pages("select account_history('\(busy)', null, 50)")
                let texts = try connection.query(
                    """
                    select shown->>'id' from jsonb_array_elements(account_history(\(busy), 19000, 4)) shown
                    """)
                return (pages, try texts.map { try $0.value(0, as: String.self) })
            }
            #expect(pages < 150)
            // Numbers divisible by 3 belong to one account, those with a remainder of 1 to the other.
            #expect(texts == ["18999", "18997", "18996", "18994"])
        }
    }
}

extension People {
    /// The last hit of a page of a search.
    fileprivate func lastHit(_ statement: String) async throws -> (text: String, account: UUID)? {
        try await database.pool.withConnection { connection in
            try connection.query("\(unsafeSQL: statement)").last.map { (try $0.value(0), try $0.value(1)) }
        }
    }

    /// Requires that a statement scans no table, uses the indexes, and touches few pages, also with a generic plan.
    fileprivate func expect(_ statement: String, _ indexes: [String], within mostPages: Int) async throws {
        let scans = try await scans { connection in
            for _ in 0..<12 { _ = try connection.query("\(unsafeSQL: statement)") }
        }
        #expect(scans.sequential == 0, "\(statement)")
        for index in indexes { #expect(scans.byIndex[index, default: 0] >= 12, "\(index): \(statement)") }
        let pages = try await database.pool.withConnection { try $0.pages(statement) }
        #expect((1...mostPages).contains(pages), "\(statement)")
    }

    /// Many accounts with all searchable values, a thousand at a time, because a statement has five seconds.
    func seed(thousands: Int) async throws {
        try await database.pool.withConnection { connection in
            _ = try connection.execute("insert into clients (id, name) values ('app', 'App') on conflict do nothing")
        }
        for batch in 0..<thousands {
            try await database.pool.withTransaction(timeout: .seconds(60)) { connection in
                try connection.execute(
                    """
                    with people as materialized (
                        select gen_random_uuid() as id, n, chr(97 + n % 26) || 'nn' as name from generate_series(1, 1000) n
                    ), made as (
                        insert into accounts (id, display_name, user_name, user_name_key)
                        select id, name || ' ' || n || ' Person' || n, name || '.' || id, name || '.' || id from people
                    ), mails as (
                        insert into account_emails (account_id, address_key, address, source, proved_at)
                        select id, name || id || '@example.com', name || id || '@example.com', 'person', now() from people
                    ), told as (
                        insert into identities (id, account_id, provider, realm, subject, email, linked_by)
                        select gen_random_uuid(), id, 'apple', 'TEAM', '001999.' || id, name || id || '@example.com', 'no_match' from people
                    ), live as (
                        insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                                              idle_expires_at, expires_at)
                        select gen_random_uuid(), id, 'app', 'apple', now(), '{}', '1', decode(md5(n::text), 'hex'), now(), 60, now(), now() from people
                    )
                    insert into account_phones (account_id, phone_key, source, proved_at)
                    select id, (array['+1', '+44', '+49', '+91'])[n % 4 + 1] || (1000000000 + \(batch) * 1000 + n), 'person', now() from people
                    """)
            }
        }
        try await database.pool.withConnection(timeout: .seconds(60)) { connection in
            try connection.execute("select refresh_search_terms(array(select id from accounts))")
            for table in ["accounts", "account_emails", "account_phones", "identities", "sessions", "search_terms"] {
                try connection.execute("analyze \(unsafeSQL: table)")
            }
        }
    }

    /// The number of full scans of account tables during `body`, and the uses of each index.
    fileprivate func scans(_ body: @escaping @Sendable (Connection) throws -> Void) async throws
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
             where relname in ('accounts', 'account_emails', 'account_phones', 'identities', 'sessions')
            """)?.value(0)
        let rows = try connection.query("select indexrelname::text, idx_scan from pg_stat_user_indexes")
        return (whole ?? 0, Dictionary(uniqueKeysWithValues: try rows.map { (try $0.value(0), try $0.value(1)) }))
    }
}
