import Foundation
import Testing

@testable import JSON
@testable import Messages
@testable import Postgres

/// The effects of a report on a message.
@Suite("Reports of bounces")
struct DeliveryReportsTests {
    @Test(
        "our id, the Message-ID and the provider's id identify a message",
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
            try await test.report(id)
            #expect(try await test.state(message) == "bounced 1 their-id 550 no such user")
        }
    }

    @Test("it is stored once, with its audit row, for repeated reports")
    func once() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await test.report("their-id")
            try await test.report("their-id", "another reason")
            try await test.report(message.id.text, "another reason")
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
        "an unsent message can't bounce",
        arguments: ["unknown", "01a1fe3f-ad5b-7f2e-9b1c-0a5d8f3e6c21", "@", "<>", "a@b@c"])
    func unknown(id: String) async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await test.report(id)
            #expect(try await test.state(message) == "sent 1 their-id")
            #expect(try await test.texts("select action from audit_events") == [])
        }
    }

    @Test("a report of one medium has no effect on the other's message")
    func medium() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.outbox.deliver(message)
            try await test.report("their-id", medium: .sms)
            try await test.report(message.id.text, medium: .sms)
            #expect(try await test.state(message) == "sent 1 their-id")
        }
    }

    @Test("a report before our own record ends the message, and the record has no effect")
    func early() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.report(message.id.text)
            #expect(try await test.state(message) == "bounced 1 550 no such user")
            await test.store.settle(message.id, tries: 1, .sent(providerID: "their-id"), retry: 0)
            #expect(try await test.state(message) == "bounced 1 550 no such user")
        }
    }

    @Test("a message not tried yet was never sent")
    func untried() async throws {
        try await TestOutbox.with(.takes("their-id")) { test in
            let message = try await test.write()
            try await test.change("update outbox set tries = 0, claimed_until = null")
            try await test.report(message.id.text)
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
            try await test.report(message.id.text, told)
            #expect(try await test.texts("select refusal from outbox") == [kept])
        }
    }
}
