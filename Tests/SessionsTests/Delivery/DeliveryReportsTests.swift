import Accounts
import Cryptography
import Foundation
import Logging
import Postgres
import Providers
import TestSupport
import Testing

@testable import Sessions

/// What a bounce changes, and what it leaves alone. Everybody here writes to `ann@example.com`.
@Suite("Reports of bounces")
struct DeliveryReportsTests {
    private static let caller = Caller(address: "192.0.2.1", requestID: "r-1", userAgent: nil, language: nil)

    private static func report(
        _ id: String, _ reason: String? = "550 no such user", medium: Medium = .email, in test: TestOutbox
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await DeliveryReports(pool: test.database.pool, logger: logger)
            .bounced(medium, id: id, reason: reason, caller: caller)
    }

    @Test(
        "a message is known by our id, by its Message-ID and by their name for it",
        arguments: ["ours", "message", "bare", "theirs"])
    func names(kind: String) async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            let id =
                switch kind {
                case "ours": message.id.text
                case "message": "<\(message.id.text)@example.com>"
                case "bare": "\(message.id.text)@example.com"
                default: "their-id"
                }
            try await Self.report(id, in: test)
            #expect(try await test.state(message) == "bounced 1 their-id 550 no such user")
        }
    }

    @Test("it is written once, with its audit row, however often it is told")
    func once() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await Self.report("their-id", in: test)
            try await Self.report("their-id", "another reason", in: test)
            try await Self.report(message.id.text, "another reason", in: test)
            #expect(try await test.state(message) == "bounced 1 their-id 550 no such user")
            let rows = try await test.texts(
                """
                select concat_ws(' ', action, outcome, reason, client_id, address, request_id, detail->>'kind')
                  from audit_events where detail->>'message' = \(message.id.text)
                """)
            #expect(rows == ["message_bounced done email app 192.0.2.1 r-1 code.sign_in"])
        }
    }

    @Test(
        "what nobody sent can't come back",
        arguments: ["unknown", "01a1fe3f-ad5b-7f2e-9b1c-0a5d8f3e6c21", "@", "<>", "a@b@c"])
    func unknown(id: String) async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await Self.report(id, in: test)
            #expect(try await test.state(message) == "sent 1 their-id")
            #expect(try await test.texts("select action from audit_events") == [])
        }
    }

    @Test("one medium's report says nothing of the other's message")
    func medium() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await Self.report("their-id", medium: .sms, in: test)
            try await Self.report(message.id.text, medium: .sms, in: test)
            #expect(try await test.state(message) == "sent 1 their-id")
        }
    }

    @Test("a report that is faster than our own note ends the message, and the note changes nothing")
    func early() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await Self.report(message.id.text, in: test)
            #expect(try await test.state(message) == "bounced 1 550 no such user")
            await test.store.settle(message.id, tries: 1, .sent(providerID: "their-id"), retry: 0)
            #expect(try await test.state(message) == "bounced 1 550 no such user")
        }
    }

    @Test("what waits untried was never sent")
    func untried() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.change("update outbox set tries = 0, claimed_until = null")
            try await Self.report(message.id.text, in: test)
            #expect(try await test.state(message) == "waiting 0 sealed")
        }
    }

    @Test(
        "a reason is cleaned and cut",
        arguments: [
            ("a\u{0}b\r\nc\u{202E}<script>", "ab cscript"),
            (String(repeating: "x", count: 999), String(repeating: "x", count: 200)),
        ])
    func reasons(told: String, kept: String) async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await Self.report(message.id.text, told, in: test)
            #expect(try await test.texts("select refusal from outbox") == [kept])
        }
    }

    // MARK: Who sees it

    @Test("a bounce marks the address in every account, and the next message that is sent clears it")
    func marks() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let first = try await test.write()
            try await test.outbox.deliver(first)
            #expect(try await test.marked() == [])
            try await Self.report(first.id.text, in: test)
            #expect(try await test.marked() == ["Ann@example.com", "ann@example.com"])
            try await test.outbox.deliver(try await test.write())
            #expect(try await test.marked() == [])
        }
    }

    @Test("the time is that of the first word, however many messages come back after it")
    func since() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let messages = (try await test.write(), try await test.write())
            try await test.outbox.deliver(messages.0)
            try await test.outbox.deliver(messages.1)
            try await Self.report(messages.1.id.text, in: test)
            try await test.change(
                "update account_emails set undeliverable_since = '2026-01-01' where undeliverable_since is not null")
            try await Self.report(messages.0.id.text, in: test)
            #expect(
                try await test.texts(
                    "select distinct undeliverable_since::date::text from account_emails where address_key = 'ann@example.com'"
                )
                    == ["2026-01-01"])
        }
    }

    @Test("the bounce of an older message says nothing once another was sent")
    func older() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let messages = (try await test.write(), try await test.write())
            try await test.outbox.deliver(messages.0)
            try await test.outbox.deliver(messages.1)
            try await Self.report(messages.0.id.text, in: test)
            #expect(try await test.marked() == [])
            try await Self.report(messages.1.id.text, in: test)
            #expect(try await test.marked().count == 2)
        }
    }

    @Test("a refusal for good marks the address, one for now doesn't")
    func refusals() async throws {
        try await TestOutbox.with(.fails(.deferred(status: 451)), .fails(.rejected(status: 550))) { test in
            try await test.addAccounts()
            let messages = (try await test.write(), try await test.write())
            try await test.outbox.deliver(messages.0)
            #expect(try await test.marked() == [])
            await #expect(throws: Rejection.deliveryRefused) { try await test.outbox.deliver(messages.1) }
            #expect(try await test.marked().count == 2)
        }
    }

    @Test("a number is marked and cleared as an address is")
    func numbers() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let id = UUID()
            try await test.change(
                """
                insert into outbox (id, medium, address, kind, tries, state, sent_at, expires_at)
                values (\(id), 'sms', '+491701234567', 'code.sign_in', 1, 'sent', now(), now() + interval '1 day')
                """)
            try await Self.report(id.text, medium: .sms, in: test)
            #expect(
                try await test.texts("select phone_key from account_phones where undeliverable_since is not null") == [
                    "+491701234567"
                ])
            try await test.change("select note_delivery('sms', '+491701234567', true, now())")
            #expect(
                try await test.texts("select phone_key from account_phones where undeliverable_since is not null") == []
            )
        }
    }

    @Test("a mark ends no change of an address that waits for its code")
    func changes() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            try await test.change(
                """
                insert into clients (id, name) values ('app', 'App') on conflict do nothing
                """)
            try await test.change(
                """
                insert into flows (id, kind, client_id, account_id, state, expires_at)
                select gen_random_uuid(), 'address', 'app', account_id, '{}', now() + interval '1 hour' from account_emails limit 1
                """)
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await Self.report(message.id.text, in: test)
            #expect(try await test.marked().count == 2)
            #expect(try await test.texts("select kind from flows") == ["address"])
        }
    }

    @Test("the mark outlives the message")
    func outlives() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await Self.report(message.id.text, in: test)
            try await test.change("update outbox set created_at = now() - interval '31 days'")
            try await test.change("select sweep_outbox(5000)")
            #expect(try await test.state(message) == "gone")
            #expect(try await test.marked().count == 2)
        }
    }
}

extension TestOutbox {
    /// Two accounts that show the mailbox, proved and not, one that shows another, and a number.
    fileprivate func addAccounts() async throws {
        let accounts = (UUID(), UUID(), UUID())
        try await change("insert into accounts (id) values (\(accounts.0)), (\(accounts.1)), (\(accounts.2))")
        try await change(
            """
            insert into account_emails (account_id, address_key, address, source, proved_at)
            values (\(accounts.0), 'ann@example.com', 'ann@example.com', 'person', now()),
                   (\(accounts.1), 'ann@example.com', 'Ann@example.com', 'apple', null),
                   (\(accounts.2), 'bob@example.com', 'bob@example.com', 'person', now())
            """)
        try await change(
            """
            insert into account_phones (account_id, phone_key, source, proved_at)
            values (\(accounts.0), '+491701234567', 'person', now()), (\(accounts.2), '+491701234568', 'person', now())
            """)
    }

    fileprivate func marked() async throws -> [String] {
        try await texts(
            "select address from account_emails where undeliverable_since is not null order by address collate \"C\"")
    }

    fileprivate func texts(_ query: SQL) async throws -> [String] {
        try await database.pool.withConnection { try $0.query(query).map { try $0.value(0, as: String.self) } }
    }
}
