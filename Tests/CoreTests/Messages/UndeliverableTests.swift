import Foundation
import JSON
import Messages
import Outbound
import Postgres
import Testing

@testable import Vocabulary

/// The marks of undeliverable addresses and numbers.
///
/// Every mail here goes to `ann@example.com`.
@Suite("Undeliverable addresses")
struct UndeliverableTests {
    @Test("a bounce marks the address in every account, and the next sent message clears the mark")
    func marks() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let first = try await test.write()
            try await test.outbox.deliver(first)
            #expect(try await test.marked() == [])
            try await test.report(first.id.text)
            #expect(try await test.marked() == ["Ann@example.com", "ann@example.com"])
            try await test.outbox.deliver(try await test.write())
            #expect(try await test.marked() == [])
        }
    }

    @Test("the time is that of the first bounce, with any number of later ones")
    func since() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let messages = (try await test.write(), try await test.write())
            try await test.outbox.deliver(messages.0)
            try await test.outbox.deliver(messages.1)
            try await test.report(messages.1.id.text)
            try await test.change(
                "update account_emails set undeliverable_since = '2026-01-01' where undeliverable_since is not null")
            try await test.report(messages.0.id.text)
            #expect(
                try await test.texts(
                    "select distinct undeliverable_since::date::text from account_emails where address_key = 'ann@example.com'"
                )
                    == ["2026-01-01"])
        }
    }

    @Test("the bounce of an older message has no effect after a later sent one")
    func older() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let messages = (try await test.write(), try await test.write())
            try await test.outbox.deliver(messages.0)
            try await test.outbox.deliver(messages.1)
            try await test.report(messages.0.id.text)
            #expect(try await test.marked() == [])
            try await test.report(messages.1.id.text)
            #expect(try await test.marked().count == 2)
        }
    }

    @Test("a permanent refusal marks the address, a temporary one doesn't")
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

    @Test("a number is marked and cleared like an address")
    func numbers() async throws {
        try await TestOutbox.with(.takes(nil)) { test in
            try await test.addAccounts()
            let id = UUID()
            try await test.change(
                """
                insert into outbox (id, medium, address, kind, tries, state, sent_at, expires_at)
                values (\(id), 'sms', '+491701234567', 'code.sign_in', 1, 'sent', now(), now() + interval '1 day')
                """)
            try await test.report(id.text, medium: .sms)
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

    @Test("a mark ends no pending change of an address")
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
            try await test.report(message.id.text)
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
            try await test.report(message.id.text)
            try await test.change("update outbox set created_at = now() - interval '31 days'")
            try await test.change("select sweep_outbox(5000, 86400, 30 * 86400)")
            #expect(try await test.state(message) == "gone")
            #expect(try await test.marked().count == 2)
        }
    }
}
