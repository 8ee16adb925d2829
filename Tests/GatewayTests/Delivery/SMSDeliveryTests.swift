import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Text messages through an operator's webhook, and through a service with Twilio's answers.
@Suite("Text message delivery")
struct SMSDeliveryTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    @Test("the webhook gets each message signed, and again under the same key after an error")
    func webhook() async throws {
        try await SMSReceiver.with { receiver, address in
            let changes = [
                "SMS_SENDER": "webhook", "SMS_WEBHOOK_URL": "\(address)/send", "SMS_WEBHOOK_SECRET": Self.secret,
            ]
            try await withGateway(changes) { gateway in
                receiver.answerNext((503, ""), (429, ""))
                try await Self.write("+491701234567", gateway)
                let all = try await poll(within: .seconds(60)) {
                    receiver.received.count == 3 ? receiver.received : nil
                }
                for message in all {
                    #expect(message.path == "/send")
                    try Self.expectSigned(message)
                    let content = try JSON(parsing: message.body)
                    #expect(content["to"] == "+491701234567")
                    #expect(content["text"]?.string?.hasPrefix("Your password at ") == true)
                    #expect(content["id"]?.string == message.headers["idempotency-key"])
                }
                #expect(Set(all.map { $0.headers["idempotency-key"] ?? "" }).count == 1)
                try await gateway.expectOutbox("+491701234567", "sent 3")
            }
        }
    }

    @Test("a number that the webhook refuses is not tried again")
    func refused() async throws {
        try await SMSReceiver.with { receiver, address in
            let changes = ["SMS_SENDER": "webhook", "SMS_WEBHOOK_URL": address, "SMS_WEBHOOK_SECRET": Self.secret]
            try await withGateway(changes) { gateway in
                receiver.answerNext((422, "{}"))
                try await Self.write("+491701234567", gateway)
                try await gateway.expectOutbox("+491701234567", "refused 1 rejected_422")
                #expect(receiver.received.count == 1)
            }
        }
    }

    @Test("Twilio's errors for a refused number, a busy service and our own mistake are distinguished")
    func twilio() async throws {
        try await SMSReceiver.with { receiver, address in
            let changes = [
                "SMS_SENDER": "twilio", "TWILIO_BASE_URL": address, "TWILIO_ACCOUNT_SID": "AC123",
                "TWILIO_AUTH_TOKEN": "t0ken", "TWILIO_FROM": "+15005550006",
            ]
            try await withGateway(changes) { gateway in
                receiver.answerNext((400, #"{"code": 21211}"#))
                try await Self.write("+491", gateway)
                try await gateway.expectOutbox("+491", "waiting 1 unreadable")
                try await Self.write("+491701234561", gateway)
                try await gateway.expectOutbox("+491701234561", "refused 1 rejected_21211")
                receiver.answerNext((400, #"{"code": 21606}"#))
                try await Self.write("+491701234562", gateway)
                try await gateway.expectOutbox("+491701234562", "waiting 1 misconfigured")
                try await gateway.change("update outbox set not_before = now() where address = '+491701234562'")
                try await gateway.expectOutbox("+491701234562", "sent 2")
                let last = try #require(receiver.received.last)
                #expect(last.path == "/2010-04-01/Accounts/AC123/Messages.json")
                #expect(last.headers["authorization"] == "Basic QUMxMjM6dDBrZW4=")
                #expect(last.body.hasPrefix("To=%2B491701234562&From=%2B15005550006&Body="))
                let id = try await gateway.sql {
                    try $0.queryOne("select provider_id from outbox where state = 'sent'")?.value(0, as: String.self)
                }
                #expect(id == "SM1")
                #expect(!gateway.log.contains("t0ken"))
            }
        }
    }

    /// Stores a message like a service's statement, due at once.
    private static func write(_ number: String, _ gateway: GatewayProcess) async throws {
        try await gateway.change(
            """
            insert into outbox (id, medium, address, kind, language, detail, expires_at)
            values (gen_random_uuid(), 'sms', \(number), 'notice.password_changed', 'en', '{}', now() + interval '1 day')
            """)
        try await gateway.change("notify gateway_outbox")
    }

    /// Checks the signature as docs/delivery.md describes it.
    private static func expectSigned(_ message: SMSReceiver.Received) throws {
        let signature = try #require(message.headers["gateway-signature"])
        let parts = signature.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        #expect(parts.map(\.first) == ["t", "v1"])
        let (time, code) = (parts[0][1], parts[1][1])
        let expected = HMACSHA256.code(Array("\(time).\(message.body)".utf8), key: Array(secret.utf8))
        #expect(code == Hex.encode(expected))
        let seconds = try #require(Double(time))
        #expect(abs(Date().timeIntervalSince1970 - seconds) < 120)
    }
}
