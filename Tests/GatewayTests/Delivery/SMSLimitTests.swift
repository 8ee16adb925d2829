import Foundation
import JSON
import Postgres
import Testing

/// The number of text messages, which cost money, and their countries.
@Suite(
    "Limits of text messages", .serialized,
    .gateway(["SMS_SENDER": "file", "SMS_COUNTRIES": "49,1876", "CLIENT_SIGN_UP_NAMES": "email,phone"]))
struct SMSLimitTests {
    /// A number with an account and one without.
    private func numbers(_ code: String = "49") async throws -> (known: String, unknown: String) {
        let gateway = try GatewayProcess.current
        let numbers = (1...2).map { _ in "+\(code)\(UInt64.random(in: 200_000_000...799_999_999))" }
        let owner = try await gateway.signUp(Fresh.email())
        try await gateway.prove(numbers[0], of: owner.account)
        return (numbers[0], numbers[1])
    }

    @Test("A-20: a number gets five text messages at once, with or without an account")
    func perNumber() async throws {
        let gateway = try GatewayProcess.current
        let numbers = try await numbers()
        var refusals: [[String]] = []
        for phone in [numbers.known, numbers.unknown] {
            for _ in 1...5 { _ = try PendingAnswer(try await gateway.begin("sms_otp", phone)) }
            let refused = try await gateway.begin("sms_otp", phone)
            try await gateway.expectRefusal(refused, 429, "throttled", provider: "sms_otp")
            let wait = try #require(refused.json["retry_after"]?.integer)
            #expect((500...600).contains(wait))
        }
        _ = try await gateway.textedCode(to: numbers.known, number: 5)
        #expect(gateway.texts(to: numbers.known).count == 5)
        for phone in [numbers.known, numbers.unknown] {
            var answer = try await gateway.begin("sms_otp", phone).likeness
            answer.removeAll { $0.lowercased().hasPrefix("retry-after") || $0.contains("retry_after") }
            refusals.append(answer)
        }
        #expect(refusals[0] == refusals[1])
        // Mails to the same user are not delayed.
        _ = try PendingAnswer(try await gateway.begin("email_otp", Fresh.email()))
        try await gateway.changeThrottles("update throttles set arrival = arrival - interval '10 minutes'")
        _ = try PendingAnswer(try await gateway.begin("sms_otp", numbers.known))
    }

    @Test("A-20: each further message of a sign-up is charged, with and without an account")
    func resends() async throws {
        let gateway = try GatewayProcess.current
        let numbers = try await numbers()
        for phone in [numbers.known, numbers.unknown] {
            let begun = try await gateway.post(
                "/v1/sign-up",
                ["client_id": "app", "username": .string(phone), "password": .string(GatewayProcess.password)])
            let flow = try PendingAnswer(begun).flow
            for _ in 1...4 {
                try await gateway.waitForResend(flow)
                #expect(try await gateway.resend(flow).status == 200)
            }
            try await gateway.waitForResend(flow)
            let refused = try await gateway.resend(flow)
            try await gateway.expectRefusal(refused, 429, "throttled", action: "resend_code")
            // The flow is unchanged.
            let row = try #require(GatewayProcess.row(of: flow))
            #expect(try await gateway.count("select resends from flows where id = \(row)") == 4)
            try await gateway.anHourLater()
            #expect(try await gateway.resend(flow).status == 200)
        }
        _ = try await gateway.textedCode(to: numbers.unknown, number: 6)
        #expect(gateway.texts(to: numbers.unknown).count == 6)
        #expect(gateway.texts(to: numbers.known).isEmpty)
    }

    @Test("A-20: an unserved country is refused before any charge, for known and unknown numbers")
    func countries() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.signUp(Fresh.email())
        for code in ["43", "1"] {
            let numbers = try await numbers(code)
            let paid = try await gateway.count("select count(*) from throttles")
            var answers: [[[String]]] = []
            for phone in [numbers.known, numbers.unknown] {
                let calls: [(answer: TestAnswer, action: String)] = [
                    (try await gateway.begin("sms_otp", phone), "sign_in"),
                    (
                        try await gateway.post(
                            "/v1/password/forgot", ["client_id": "app", "username": .string(phone)]), "forgot_password"
                    ),
                    (
                        try await gateway.post(
                            "/v1/sign-up",
                            [
                                "client_id": "app", "username": .string(phone),
                                "password": .string(GatewayProcess.password),
                            ]), "sign_up"
                    ),
                    (
                        try await gateway.post(
                            "/v1/account/addresses", ["address": .string(phone)], bearer: owner.accessToken),
                        "add_address"
                    ),
                    (
                        try await gateway.post(
                            "/v1/account/factors", ["type": "sms", "phone": .string(phone)], bearer: owner.accessToken),
                        "add_factor"
                    ),
                ]
                for (answer, action) in calls {
                    try await gateway.expectRefusal(answer, 422, "country_not_served", action: action)
                }
                answers.append(calls.map(\.answer.likeness))
            }
            #expect(answers[0] == answers[1])
            #expect(try await gateway.count("select count(*) from throttles") == paid)
        }
        _ = try PendingAnswer(try await gateway.begin("sms_otp", "+18761234567"))
    }

    @Test("a second factor with an unserved number leads to the choice of another")
    func secondFactor() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.person(withFactor: "sms", at: GatewayProcess.freshPhone())
        try await gateway.change(
            "update factors set address = '+43123456789', address_key = '+43123456789' where account_id = \(person.account)::uuid"
        )
        let asked = try PendingAnswer(
            try await gateway.passwordSignIn(person.email, GatewayProcess.password),
            "continue_sign_in_with_mfa_selection")
        try await gateway.expectRefusal(
            try await gateway.answer(asked.flow, ["factor": .string(person.factor)]), 422, "country_not_served",
            action: "continue_sign_in")
        let code = try #require(person.recoveryCodes.first)
        let signedIn = try SignedInAnswer(try await gateway.answer(asked.flow, ["recovery_code": .string(code)]))
        #expect(signedIn.account == person.account)
    }
}

/// The budget of one address; this gateway allows four text messages at once.
@Suite("Text messages from one address", .gateway(["SMS_SENDER": "file", "THROTTLE_SMS_ADDRESS_PER_HOUR": "4"]))
struct SMSAddressLimitTests {
    @Test("A-20: the text messages of a network address are limited, over all numbers")
    func perAddress() async throws {
        let gateway = try GatewayProcess.current
        for _ in 1...4 { _ = try PendingAnswer(try await gateway.begin("sms_otp", GatewayProcess.freshPhone())) }
        let refused = try await gateway.begin("sms_otp", GatewayProcess.freshPhone())
        try await gateway.expectRefusal(refused, 429, "throttled", provider: "sms_otp")
        let wait = try #require(refused.json["retry_after"]?.integer)
        #expect((800...900).contains(wait))
        // Mails have their own count.
        _ = try PendingAnswer(try await gateway.begin("email_otp", Fresh.email()))
    }
}

/// The budget of one app; this gateway allows four text messages at once, from all networks together.
@Suite("Text messages of one app", .gateway(["SMS_SENDER": "file", "THROTTLE_SMS_CLIENT_PER_HOUR": "4"]))
struct SMSClientLimitTests {
    @Test("A-20: the text messages of an app are limited, over all numbers, without affecting others")
    func perClient() async throws {
        let gateway = try GatewayProcess.current
        let other = "other-\(Fresh.text())"
        try await gateway.addClient(other, secret: nil)
        for _ in 1...4 { _ = try PendingAnswer(try await gateway.begin("sms_otp", GatewayProcess.freshPhone())) }
        let refused = try await gateway.begin("sms_otp", GatewayProcess.freshPhone())
        try await gateway.expectRefusal(refused, 429, "throttled", provider: "sms_otp")
        let wait = try #require(refused.json["retry_after"]?.integer)
        #expect((800...900).contains(wait))
        // Other media of this app, and text messages of another one.
        _ = try PendingAnswer(try await gateway.begin("email_otp", Fresh.email()))
        _ = try PendingAnswer(try await gateway.begin("sms_otp", GatewayProcess.freshPhone(), app: other))
    }
}
