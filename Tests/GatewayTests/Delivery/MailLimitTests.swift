import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// The budget of one network; this gateway allows four mails at once.
@Suite("Mails from one address", .gateway(["THROTTLE_MAIL_ADDRESS_PER_HOUR": "4"]))
struct MailAddressLimitTests {
    @Test("F4: the mails of a network are limited, over all mailboxes")
    func perAddress() async throws {
        let gateway = try GatewayProcess.current
        for number in 1...4 {
            // Codes, resets and sign-ups share one budget.
            let answer =
                switch number {
                case 1: try await gateway.begin("email_otp", Fresh.email())
                case 2:
                    try await gateway.post(
                        "/v1/password/forgot", ["client_id": "app", "username": .string(Fresh.email())])
                default:
                    try await gateway.post(
                        "/v1/sign-up",
                        [
                            "client_id": "app", "username": .string(Fresh.email()),
                            "password": .string(GatewayProcess.password),
                        ])
                }
            _ = try PendingAnswer(answer)
        }
        let refused = try await gateway.begin("email_otp", Fresh.email())
        try await gateway.expectRefusal(refused, 429, "throttled", provider: "email_otp")
        let wait = try #require(refused.json["retry_after"]?.integer)
        #expect((800...900).contains(wait))
        // Requests that send no mail still work.
        #expect(try await gateway.anyone().isNewAccount)
    }
}

/// The budget of one app; this gateway allows four mails at once, from all networks together.
@Suite("Mails of one app", .gateway(["THROTTLE_MAIL_CLIENT_PER_HOUR": "4"]))
struct MailClientLimitTests {
    @Test("F4: the mails of an app are limited, over all mailboxes, without affecting others")
    func perClient() async throws {
        let gateway = try GatewayProcess.current
        let other = "other-\(Fresh.text())"
        try await gateway.addClient(other, secret: nil)
        for _ in 1...4 { _ = try PendingAnswer(try await gateway.begin("email_otp", Fresh.email())) }
        let refused = try await gateway.begin("email_otp", Fresh.email())
        try await gateway.expectRefusal(refused, 429, "throttled", provider: "email_otp")
        _ = try PendingAnswer(try await gateway.begin("email_otp", Fresh.email(), app: other))
    }
}

@Suite("Mails to one mailbox", .serialized, .gateway())
struct MailboxLimitTests {
    private func written(_ kind: String, like pattern: String) async throws -> Int {
        try await GatewayProcess.current.count(
            "select count(*) from outbox where kind = \(kind) and address like \(pattern)")
    }

    @Test("F4: all addresses with a tag reach one mailbox, and share its budget")
    func tags() async throws {
        let gateway = try GatewayProcess.current
        let name = "ann\(Fresh.text())"
        for number in 1...5 {
            _ = try PendingAnswer(try await gateway.begin("email_otp", "\(name)+\(number)@example.com"))
        }
        let refused = try await gateway.begin("email_otp", "\(name)+6@example.com")
        try await gateway.expectRefusal(refused, 429, "throttled", provider: "email_otp")
        _ = try PendingAnswer(try await gateway.begin("email_otp", "b\(name)+6@example.com"))
    }

    @Test("F4: a mailbox without an account is notified once a day, for any request and spelling")
    func noAccount() async throws {
        let gateway = try GatewayProcess.current
        let name = "nobody\(Fresh.text())"
        let answers = [
            try await gateway.begin("email_otp", "\(name)@example.com"),
            try await gateway.begin("email_otp", "\(name)+1@example.com"),
            try await gateway.begin("email_otp", "\(name.uppercased())+2@example.com"),
            try await gateway.post(
                "/v1/password/forgot", ["client_id": "app", "username": .string("\(name)@example.com")]),
        ]
        for answer in answers { _ = try PendingAnswer(answer) }
        #expect(try await written("no_account", like: "\(name)%") == 1)
        #expect(gateway.mails(to: "\(name)@example.com").count == 1)
        try await gateway.changeThrottles("update throttles set arrival = arrival - interval '1 day'")
        _ = try PendingAnswer(try await gateway.begin("email_otp", "\(name)@example.com"))
        #expect(try await written("no_account", like: "\(name)%") == 2)
    }

    @Test("F4: a mailbox with an account gets each of its codes, and the answers are alike")
    func account() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        for number in 1...3 {
            let known = try await gateway.begin("email_otp", email)
            let unknown = try await gateway.begin("email_otp", Fresh.email())
            #expect(known.json["next_step"]?["type"] == unknown.json["next_step"]?["type"])
            _ = try await poll { gateway.mails(to: email).count >= number + 1 ? true : nil }
        }
        #expect(try await written("no_account", like: email) == 0)
    }
}
