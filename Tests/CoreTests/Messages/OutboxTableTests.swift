import Foundation
import Messages
import Postgres
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

    @Test("a number without an older mailbox gets each notice as a text message, five times a day")
    func texted() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let account = UUID()
            func notify(_ kind: String) async throws {
                try await test.change("select notify_account(\(account), \(kind), '{\"session\": \"1\"}')")
            }
            func texted() async throws -> [String] {
                try await test.texts(
                    """
                    select kind || ' ' || detail::text from outbox
                     where medium = 'sms' and address = '+4915112345678' order by created_at
                    """)
            }
            try await test.change("insert into accounts (id) values (\(account))")
            try await test.change(
                """
                insert into account_phones (account_id, phone_key, source, proved_at, is_main)
                values (\(account), '+4915112345678', 'person', now() - interval '1 hour', true),
                       (\(account), '+4915112345679', 'person', null, false)
                """)
            for _ in 1...6 { try await notify("password_changed") }
            let expected = [String](repeating: "notice.password_changed {}", count: 5)
            #expect(try await texted() == expected)
            try await notify("factor_removed")
            #expect(try await texted() == expected + ["notice.factor_removed {}"])
            #expect(try await test.texts("select distinct medium from outbox") == ["sms"])
        }
    }

    @Test("a mailbox takes over from a number as soon as no intruder can have added it")
    func textedBesideMailbox() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let account = UUID()
            try await test.change("insert into accounts (id) values (\(account))")
            try await test.change(
                """
                insert into account_phones (account_id, phone_key, source, proved_at, is_main)
                values (\(account), '+4915112345678', 'person', now() - interval '30 days', true)
                """)
            try await test.change(
                """
                insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
                values (\(account), 'ann@example.com', 'ann@example.com', 'person', now() - interval '6 days', true)
                """)
            func texted(_ kind: String) async throws -> Bool {
                try await test.change("delete from outbox")
                try await test.change("select notify_account(\(account), \(kind), '{}')")
                return try await test.texts("select address from outbox where medium = 'sms'") == ["+4915112345678"]
            }
            #expect(try await texted("address_added"))
            try await test.change("update account_emails set proved_at = now() - interval '8 days'")
            #expect(try await !texted("address_added"))
            #expect(try await texted("factor_removal_asked"))
            #expect(try await texted("passkey_removed"))
            try await test.change("update account_emails set proved_at = now() - interval '1 day'")
            try await test.change("update account_phones set proved_at = now()")
            #expect(try await !texted("address_added"))
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

    @Test("a notice has the language of the newest session that is a week old, or else of the oldest one")
    func language() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let account = UUID()
            func signIn(_ language: String?, daysAgo: Int, actor: UUID? = nil) async throws {
                try await test.change(
                    """
                    insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                          idle_seconds, idle_expires_at, expires_at, created_at, language, actor_id)
                    values (\(UUID()), \(account), 'app', 'password', now(), '{}', \(actor == nil ? "1" : "0"), '\\x00', now(),
                            600, now(), now(), now() - make_interval(days => \(Int32(daysAgo))), \(language), \(actor))
                    """)
            }
            func language() async throws -> [String] {
                try await test.texts("select coalesce(notice_language(\(account)), 'none')")
            }
            try await signIn(nil, daysAgo: 3)
            try await signIn("ja", daysAgo: 3, actor: UUID())
            #expect(try await language() == ["none"])
            try await signIn("ru", daysAgo: 1)
            try await signIn("zh-Hans", daysAgo: 0)
            #expect(try await language() == ["ru"], "none is a week old")
            try await signIn("en", daysAgo: 20)
            try await signIn("de", daysAgo: 8)
            #expect(try await language() == ["de"])

            try await test.change("insert into accounts (id) values (\(account))")
            try await test.change(
                """
                insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
                values (\(account), 'ann@example.com', 'ann@example.com', 'person', now(), true)
                """)
            try await test.change("select notify_account(\(account), 'address_added', '{}')")
            try await test.change("select notify_account_directly(\(account), 'address_removed', '{}')")
            #expect(try await test.texts("select language from outbox order by kind") == ["de", "de"])
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
