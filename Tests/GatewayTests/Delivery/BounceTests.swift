import Foundation
import JSON
import Postgres
import Testing

/// A relay reports a bounce, and the user and the app learn of it.
@Suite("Bounces", .gateway(Reports.configuration))
struct BounceTests {
    static let body = #"{"medium":"email","id":"anything","state":"bounced","reason":"550"}"#

    struct Refused: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        let code: String
        let request: @Sendable () -> TestRequest

        var testDescription: String { name }

        init(_ name: String, _ status: Int, _ code: String, _ request: @escaping @Sendable () -> TestRequest) {
            (self.name, self.status, self.code, self.request) = (name, status, code, request)
        }

        /// A report with a valid signature.
        init(_ name: String, body: String, _ code: String = "invalid_request") {
            self.init(name, 400, code) { Reports.request(body, signature: Reports.signature(of: body)) }
        }
    }

    static let refused: [Refused] = [
        Refused("no signature", 401, "report_not_signed") { Reports.request(body, signature: nil) },
        Refused("no signature in it", 401, "report_not_signed") { Reports.request(body, signature: "t=1,v1=") },
        Refused("another secret", 401, "report_not_signed") {
            Reports.request(body, signature: Reports.signature(of: body, secret: "0123456789abcdef0123456789abcdef"))
        },
        Refused("another body", 401, "report_not_signed") {
            Reports.request(body + " ", signature: Reports.signature(of: body))
        },
        Refused("too old", 401, "report_out_of_time") {
            Reports.request(body, signature: Reports.signature(of: body, age: 330))
        },
        Refused("from the future", 401, "report_out_of_time") {
            Reports.request(body, signature: Reports.signature(of: body, age: -330))
        },
        Refused("a form", 415, "unsupported_media_type") { TestRequest("POST", Reports.path).form([("id", "x")]) },
        Refused("no JSON", body: "bounced", "malformed_request"),
        Refused("no object", body: "[]", "malformed_request"),
        Refused("no medium", body: #"{"id":"x","state":"bounced"}"#),
        Refused("an unknown medium", body: #"{"medium":"fax","id":"x","state":"bounced"}"#),
        Refused("no id", body: #"{"medium":"email","state":"bounced"}"#),
        Refused("an empty id", body: #"{"medium":"email","id":"","state":"bounced"}"#),
        Refused("an id that is no text", body: #"{"medium":"email","id":7,"state":"bounced"}"#),
        Refused("another state", body: #"{"medium":"email","id":"x","state":"delivered"}"#),
        Refused("a reason that is no text", body: #"{"medium":"email","id":"x","state":"bounced","reason":{}}"#),
    ]

    @Test("A-21: a report with an invalid signature changes nothing", arguments: refused)
    func refusals(refused: Refused) async throws {
        let gateway = try GatewayProcess.current
        let request = refused.request()
        let answer = try await gateway.send(request)
        try await gateway.expectRefusal(answer, refused.status, refused.code, action: "report_delivery")
        #expect(try OpenAPIDocument.current.get().complaints(about: answer, to: request) == [])
        #expect(!answer.text.contains("anything"))
    }

    @Test("a bounce is shown to the user and operators until a message is delivered")
    func undeliverable() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let owner = try await gateway.signUp(email)
        #expect(try await since(owner) == nil)
        _ = try PendingAnswer(try await gateway.begin("email_otp", email))
        let report = try await gateway.bounceNewest(to: email)
        try await gateway.expectOutbox(email, "bounced 1 550 5.1.1 no such user")
        let row = try #require(try await gateway.audit(report).first)
        #expect(row.action == "message_bounced" && row.outcome == "done" && row.reason == "email")
        #expect(row.account == owner.account && row.detail?["kind"] == "code.sign_in")
        let told = try #require(try await since(owner))
        #expect(told.range(of: "^2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$", options: .regularExpression) != nil)
        let shown = try await gateway.deployment.run("accounts", "show", owner.account)
        #expect(shown.output.contains("\nbounced\t-\t\(email)\tnothing gets there since 2"))
        // A new flow sends again.
        _ = try PendingAnswer(try await gateway.begin("email_otp", email))
        try await gateway.expectOutbox(email, "sent 1")
        #expect(try await since(owner) == nil)
        #expect(
            try await gateway.deployment.run("accounts", "show", owner.account).output.contains("bounced") == false)
    }

    private func since(_ owner: SignedInAnswer) async throws -> String? {
        let request = TestRequest("GET", "/v1/account/addresses").bearer(owner.accessToken)
        let answer = try await GatewayProcess.current.send(request)
        #expect(try OpenAPIDocument.current.get().complaints(about: answer, to: request) == [])
        return try #require(answer.json["addresses"]?.array?.first)["undeliverable_since"]?.string
    }

    @Test("concurrent copies of one report are one bounce")
    func replayed() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let id = try await gateway.newestMessage(to: email)
        let body = #"{"medium":"email","id":"\#(id)","state":"bounced"}"#
        let request = Reports.request(body, signature: Reports.signature(of: body))
        let answers = try await inParallel(10) { _ in try await gateway.send(request) }
        #expect(answers.allSatisfy { $0.status == 204 })
        #expect(
            try await gateway.count(
                "select count(*) from audit_events where action = 'message_bounced' and detail->>'message' = \(id)")
                == 1)
    }

    @Test("an unknown message is 204, too", arguments: ["email", "sms"])
    func unknown(medium: String) async throws {
        let gateway = try GatewayProcess.current
        try await gateway.reportBounce("nobody-knows-this", medium: medium)
        let answer = try await gateway.reportBounce(UUID().uuidString, medium: medium)
        #expect(
            try await gateway.count("select count(*) from audit_events where request_id = \(answer.requestID)") == 0)
    }

    @Test("the path accepts only reports")
    func methods() async throws {
        let answer = try await GatewayProcess.current.send(TestRequest("OPTIONS", Reports.path))
        #expect(answer.header("Allow") == "POST")
    }

    @Test("without a secret, and without Twilio, the paths are like any unknown one")
    func absent() async throws {
        try await withGateway { gateway in
            let unknown = try await gateway.post("/v1/events/nothing", [:])
            for path in [Reports.path, "/v1/events/twilio"] {
                let answer = try await gateway.post(path, [:])
                #expect(answer.status == 404 && answer.code == "not_found")
                #expect(answer.likeness == unknown.likeness)
            }
        }
    }
}
