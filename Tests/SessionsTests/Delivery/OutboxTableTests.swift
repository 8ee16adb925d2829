import Accounts
import Foundation
import Postgres
import Providers
import TestSupport
import Testing

@testable import Sessions

@Suite("The outbox's table")
struct OutboxTableTests {
    @Test("a notice goes to the proved addresses of its account, in the transaction of its change")
    func notices() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let account = UUID()
            try await test.change("insert into accounts (id) values (\(account))")
            try await test.change(
                """
                insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
                values (\(account), 'ann@example.com', 'Ann@example.com', 'person', now(), true),
                       (\(account), 'bob@example.com', 'bob@example.com', 'person', null, false)
                """)
            try await test.change(
                "select notify_account(\(account), 'identity_linked', '{\"provider\": \"apple\"}')")
            try await test.working { try await TestOutbox.until { test.courier.carried.count == 1 } }
            let row = try await test.database.pool.withConnection {
                try $0.queryOne("select address || ' ' || kind || ' ' || coalesce(language, 'none') from outbox")?
                    .value(0, as: String.self)
            }
            #expect(row == "Ann@example.com notice.identity_linked none")
        }
    }

    @Test("notices that waited before the outbox are moved to it")
    func moved() async throws {
        let migrations = try Migrator.bundled()
        let outbox = try #require(migrations.first { $0.file.hasSuffix("_outbox.sql") })
        let database = try await TestDatabase.make(migrated: false)
        let before = try Migrator(migrations: migrations.filter { $0.number < outbox.number })
        let account = UUID()
        let moved = try await database.pool.withConnection { connection in
            _ = try before.migrate(on: connection)
            try connection.execute(
                "insert into notices (account_id, address, kind, tries) values (\(account), 'ann@example.com', 'refresh_reuse', 3)"
            )
            _ = try Migrator.ofThisProgram().migrate(on: connection)
            return try connection.query("select kind, address, tries, state from outbox").map {
                "\(try $0.value(0, as: String.self)) \(try $0.value(1, as: String.self)) \(try $0.value(2, as: Int.self))"
            }
        }
        await database.drop()
        #expect(moved == ["notice.refresh_reuse ann@example.com 3"])
    }

    @Test("old rows go, and what ran out unsent is told as such")
    func swept() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let (old, over, fresh) = (
                try await test.write(), try await test.write(),
                try await test.write()
            )
            try await test.change("update outbox set claimed_until = null")
            try await test.change(
                "update outbox set created_at = now() - interval '31 days', state = 'sent' where id = \(old.id)")
            try await test.change(
                "update outbox set expires_at = now() - interval '1 second' where id = \(over.id)")
            try await test.change("select sweep_outbox(5000)")
            #expect(try await test.state(old) == "gone")
            #expect(try await test.state(over) == "expired 1")
            #expect(try await test.state(fresh) == "waiting 1 sealed")
        }
    }
}
