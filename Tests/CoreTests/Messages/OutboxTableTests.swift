import Foundation
import Messages
import Postgres
import Sessions
import TestSupport
import Testing

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

    @Test("old rows are deleted, and expired unsent messages are reported")
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
            try await test.change("select sweep_outbox(5000, 86400, 30 * 86400)")
            #expect(try await test.state(old) == "gone")
            #expect(try await test.state(over) == "expired 1")
            #expect(try await test.state(fresh) == "waiting 1 sealed")
        }
    }
}
