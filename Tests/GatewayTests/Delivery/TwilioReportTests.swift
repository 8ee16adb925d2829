import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// Twilio's reports about text messages.
@Suite("Twilio's reports")
struct TwilioReportTests {
    private static let address = "https://login.example.org/v1/events/twilio"
    private static let number = "+491701234567"

    /// `X-Twilio-Signature` by its definition, for fields sorted by name.
    private static func signature(_ fields: [(String, String)], token: String = "t0ken") -> String {
        let text = address + fields.map { $0.0 + $0.1 }.joined()
        return Data(HMACSHA1.code(Array(text.utf8), key: Array(token.utf8))).base64EncodedString()
    }

    private static func request(_ fields: [(String, String)], signature: String?) -> TestRequest {
        let request = TestRequest("POST", "/v1/events/twilio").form(fields)
        return signature.map { request.header("X-Twilio-Signature", $0) } ?? request
    }

    private static func report(_ status: String, error: String = "30003") -> [(String, String)] {
        [
            ("AccountSid", "AC123"), ("ErrorCode", error), ("From", "+15005550006"), ("MessageSid", "SM1"),
            ("MessageStatus", status), ("To", number),
        ]
    }

    private static func withTwilio(_ body: (GatewayProcess, SMSReceiver) async throws -> Void) async throws {
        try await SMSReceiver.with { receiver, base in
            let changes = [
                "SMS_SENDER": "twilio", "TWILIO_BASE_URL": base, "TWILIO_ACCOUNT_SID": "AC123",
                "TWILIO_AUTH_TOKEN": "t0ken", "TWILIO_FROM": "+15005550006", "PUBLIC_URL": "https://login.example.org",
                "ENVIRONMENT": "development",
            ]
            try await withGateway(changes) { gateway in
                try await gateway.change(
                    """
                    insert into outbox (id, medium, address, kind, language, detail, expires_at)
                    values (gen_random_uuid(), 'sms', \(number), 'notice.password_changed', 'en', '{}', now() + interval '1 day')
                    """)
                try await gateway.change("notify gateway_outbox")
                try await gateway.expectOutbox(number, "sent 1")
                try await body(gateway, receiver)
            }
        }
    }

    @Test(
        "A-21: only a signed Twilio report of a failure is a bounce",
        arguments: ["failed", "undelivered"])
    func bounced(status: String) async throws {
        try await Self.withTwilio { gateway, receiver in
            let sent = try #require(receiver.received.last)
            #expect(sent.body.hasSuffix("&StatusCallback=https%3A%2F%2Flogin.example.org%2Fv1%2Fevents%2Ftwilio"))
            let fields = Self.report(status)
            let page = try OpenAPIDocument.current.get()
            let wrong: [(request: TestRequest, status: Int, code: String)] = [
                (Self.request(fields, signature: nil), 401, "report_not_signed"),
                (Self.request(fields, signature: ""), 401, "report_not_signed"),
                (Self.request(fields, signature: Self.signature(fields, token: "other")), 401, "report_not_signed"),
                (
                    Self.request(fields, signature: Self.signature(Self.report("delivered"))), 401,
                    "report_not_signed"
                ),
                (
                    Self.request(Array(fields.prefix(3)), signature: Self.signature(Array(fields.prefix(3)))), 400,
                    "invalid_request"
                ),
                (
                    Self.request(Array(fields.prefix(4)), signature: Self.signature(Array(fields.prefix(4)))), 400,
                    "invalid_request"
                ),
                (TestRequest("POST", "/v1/events/twilio").json([:]), 415, "unsupported_media_type"),
                (Self.request(fields + fields, signature: Self.signature(fields)), 400, "malformed_request"),
            ]
            for (request, status, code) in wrong {
                let answer = try await gateway.send(request)
                try await gateway.expectRefusal(answer, status, code, action: "report_delivery")
                #expect(page.complaints(about: answer, to: request) == [])
            }
            let options = try await gateway.send(TestRequest("OPTIONS", "/v1/events/twilio"))
            #expect(options.header("Allow") == "POST")
            for state in ["queued", "sending", "sent", "delivered", "read", "something new"] {
                // Twilio reports success by an empty value.
                let fields = Self.report(state, error: "")
                let answer = try await gateway.send(Self.request(fields, signature: Self.signature(fields)))
                #expect(answer.status == 204, "\(state): \(answer.text)")
            }
            try await gateway.expectOutbox(Self.number, "sent 1")
            for _ in 1...2 {
                let request = Self.request(fields, signature: Self.signature(fields))
                let answer = try await gateway.send(request)
                #expect(answer.status == 204)
                #expect(page.complaints(about: answer, to: request) == [])
            }
            try await gateway.expectOutbox(Self.number, "bounced 1 \(status) 30003")
            #expect(
                try await gateway.count("select count(*) from audit_events where action = 'message_bounced'") == 1)
            #expect(!gateway.log.contains("t0ken"))
        }
    }

    @Test("without https no reports are requested or accepted")
    func insecure() async throws {
        try await SMSReceiver.with { receiver, base in
            let changes = [
                "SMS_SENDER": "twilio", "TWILIO_BASE_URL": base, "TWILIO_ACCOUNT_SID": "AC123",
                "TWILIO_AUTH_TOKEN": "t0ken", "TWILIO_FROM": "+15005550006",
            ]
            try await withGateway(changes) { gateway in
                let fields = Self.report("failed")
                let answer = try await gateway.send(Self.request(fields, signature: Self.signature(fields)))
                #expect(answer.status == 404)
                #expect(receiver.received.isEmpty)
            }
        }
    }
}
