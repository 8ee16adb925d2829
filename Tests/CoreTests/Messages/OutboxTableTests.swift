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

    @Test("a notice names the app that asked, or else that of the newest session, but none in which an operator acts")
    func app() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let account = UUID()
            try await test.change("insert into accounts (id) values (\(account))")
            try await test.change(
                """
                insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
                values (\(account), 'ann@example.com', 'ann@example.com', 'person', now(), true)
                """)
            try await test.change(
                """
                insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                      idle_seconds, idle_expires_at, expires_at, actor_id)
                select s.id::uuid, \(account), s.client, 'password', now(), '{}', case when s.actor is null then '1' else '0' end, '\\x00', now(), 600, now(), now(), s.actor::uuid
                  from (values ('00000000-0000-7000-8000-000000000001', 'older', null),
                               ('00000000-0000-7000-8000-000000000002', 'newer', null),
                               ('00000000-0000-7000-8000-000000000003', 'console', '00000000-0000-7000-8000-000000000009'))
                       s (id, client, actor)
                """)
            try await test.change("select notify_account(\(account), 'address_added', '{}')")
            try await test.change("select notify_account(\(account), 'address_removed', '{}', 'asking')")
            let apps = try await test.database.pool.withConnection {
                try $0.queryOne("select string_agg(kind || ' ' || client_id, ', ' order by kind) from outbox")?
                    .value(0, as: String?.self)
            }
            #expect(apps == "notice.address_added newer, notice.address_removed asking")
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
