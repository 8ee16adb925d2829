import JSON
import Postgres
import Testing

/// The answer to a resend after a bounce of the previous message.
@Suite("Resending after a bounce", .serialized, .gateway(Reports.configuration))
struct BouncedResendTests {
    @Test("A-22: the next resend reports a bounced mailbox, with or without an account")
    func signIn() async throws {
        let gateway = try GatewayProcess.current
        let (known, unknown) = (Fresh.email(), Fresh.email())
        _ = try await gateway.signUp(known)
        var answers: [TestAnswer] = []
        for email in [known, unknown] {
            let flow = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
            try await gateway.bounceNewest(to: email)
            try await gateway.waitForResend(flow)
            let answer = try await gateway.post("/v1/sign-in/resend", ["flow": .string(flow)])
            try await gateway.expectRefusal(answer, 422, "delivery_refused", action: "resend_code")
            answers.append(answer)
            // In a new sign-in, the mailbox may work again.
            let anew = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
            try await gateway.waitForResend(anew)
            #expect(try await gateway.post("/v1/sign-in/resend", ["flow": .string(anew)]).status == 200)
        }
        #expect(answers[0].likeness == answers[1].likeness)
    }

    @Test("A-22: a sign-up's, too")
    func signUp() async throws {
        let gateway = try GatewayProcess.current
        let (known, unknown) = (Fresh.email(), Fresh.email())
        _ = try await gateway.signUp(known)
        var answers: [TestAnswer] = []
        for email in [known, unknown] {
            let flow = try await gateway.beginSignUp(email)
            try await gateway.bounceNewest(to: email)
            try await gateway.waitForResend(flow)
            let answer = try await gateway.resend(flow)
            try await gateway.expectRefusal(answer, 422, "delivery_refused", action: "resend_code")
            answers.append(answer)
            let anew = try await gateway.beginSignUp(email)
            try await gateway.waitForResend(anew)
            #expect(try await gateway.resend(anew).status == 200)
        }
        #expect(answers[0].likeness == answers[1].likeness)
    }

    @Test("A-22: a bounced number is not revealed before a proof")
    func numbers() async throws {
        let gateway = try GatewayProcess.current
        let (known, unknown) = (GatewayProcess.freshPhone(), GatewayProcess.freshPhone())
        let owner = try await gateway.signUp(Fresh.email())
        try await gateway.prove(known, of: owner.account)
        var answers: [[String]] = []
        for phone in [known, unknown] {
            let flow = try PendingAnswer(try await gateway.begin("sms_otp", phone)).flow
            if phone == known { try await gateway.bounceNewest(to: phone, medium: "sms") }
            try await gateway.waitForResend(flow)
            answers.append(
                try await gateway.post("/v1/sign-in/resend", ["flow": .string(flow)]).likeness(of: phone))
        }
        #expect(answers[0] == answers[1])
        #expect(answers[0].contains { $0.contains("\"next_step\"") })
    }

    @Test("A-22: the bounced mailbox of a user name is not revealed before a proof")
    func userNames() async throws {
        let gateway = try GatewayProcess.current
        let (email, name) = (Fresh.email(), "name-\(Fresh.text())")
        let owner = try await gateway.signUp(email)
        try await gateway.change(
            "update accounts set user_name = \(name), user_name_key = \(name) where id = \(owner.account)::uuid")
        let begun = try await gateway.post(
            "/v1/password/forgot", ["client_id": "app", "username": .string(name)])
        let flow = try PendingAnswer(begun).flow
        try await gateway.bounceNewest(to: email)
        try await gateway.waitForResend(flow)
        #expect(try await gateway.post("/v1/sign-in/resend", ["flow": .string(flow)]).status == 200)
    }

    @Test(
        "after the first factor, a bounced mailbox or number of the second one is revealed",
        arguments: ["email", "sms"])
    func secondFactor(type: String) async throws {
        let gateway = try GatewayProcess.current
        let address = type == "sms" ? GatewayProcess.freshPhone() : Fresh.email()
        let person = try await gateway.person(withFactor: type, at: address)
        let flow = try await gateway.passwordProved(person.email).flow
        try await gateway.bounceNewest(to: address, medium: type)
        try await gateway.waitForResend(flow)
        try await gateway.expectRefusal(
            try await gateway.post("/v1/sign-in/resend", ["flow": .string(flow)]), 422, "delivery_refused",
            action: "resend_code")
        // Another factor is still available.
        let recovered = try await gateway.answer(
            flow, ["recovery_code": .string(try #require(person.recoveryCodes.first))])
        _ = try SignedInAnswer(recovered)
    }
}
