import Foundation
import JSON
import Postgres
import Testing

/// P-11: the limits of guessing, sending and using codes.
@Suite("Limits of codes", .serialized, .gateway(StepServer.configuration))
struct CodeLimitTests {
    @Test("P-11: five attempts per code, with and without an account", arguments: [true, false])
    func fiveTries(isKnown: Bool) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        if isKnown { _ = try await gateway.signUp(email) }
        let flow = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
        let code = isKnown ? try await gateway.mailedCode(to: email, number: 2) : "000000"
        for left in [4, 3, 2, 1] {
            let answer = try await gateway.answer(flow, ["code": .string(GatewayProcess.wrong(code, left))])
            try await gateway.expectRefusal(answer, 400, "code_wrong", action: "continue_sign_in")
            #expect(answer.json["detail"]?.string?.hasPrefix("\(left) ") == true)
        }
        for guess in [GatewayProcess.wrong(code, 5), code, code] {
            try await gateway.expectRefusal(
                try await gateway.answer(flow, ["code": .string(guess)]), 400, "too_many_tries",
                action: "continue_sign_in")
        }
    }

    @Test("P-11: a hundred concurrent guesses get no more than five attempts")
    func parallelGuesses() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let flow = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
        let code = try await gateway.mailedCode(to: email, number: 2)
        let answers = try await inParallel(100) { number in
            try await gateway.answer(flow, ["code": .string(GatewayProcess.wrong(code, number + 1))])
        }
        #expect(answers.count { $0.code == "code_wrong" } == 4)
        #expect(answers.allSatisfy { ["code_wrong", "too_many_tries", "throttled"].contains($0.code) })
        #expect(try await gateway.answer(flow, ["code": .string(code)]).json["session"] == nil)
    }

    @Test("P-11: guesses across flows and resends are limited to twenty per hour, and the user can sign in afterwards")
    func capByName() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        var wrong = 0
        for round in 1...4 {
            let flow = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
            let code = try await gateway.mailedCode(to: email, number: round + 1)
            for guess in 1...5 {
                wrong +=
                    try await gateway.answer(flow, ["code": .string(GatewayProcess.wrong(code, guess))]).status == 400
                    ? 1 : 0
            }
        }
        // The answer to the sign-up's own code was the first of the twenty.
        #expect(wrong == 19)
        try await forgetMails()
        let flow = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
        let code = try await gateway.mailedCode(to: email, number: 6)
        try await gateway.expectRefusal(
            try await gateway.answer(flow, ["code": .string(code)]), 429, "throttled", action: "continue_sign_in")
        try await gateway.waitForResend(flow)
        try await forgetMails()
        let resent = try await gateway.post("/v1/sign-in/resend", ["flow": .string(flow)])
        #expect(resent.status == 200, "\(resent.text)")
        let second = try await gateway.mailedCode(to: email, number: 7)
        #expect(try await gateway.answer(flow, ["code": .string(second)]).code == "throttled")
        try await gateway.anHourLater()
        _ = try SignedInAnswer(try await gateway.answer(flow, ["code": .string(second)]))
    }

    @Test("P-11: guesses at an account's second factor are limited to twenty per hour, across its names")
    func capByAccount() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        let (phone, name) = (GatewayProcess.freshPhone(), "name-\(Fresh.text())")
        try await gateway.prove(phone, of: person.account)
        try await gateway.change(
            "update accounts set user_name = \(name), user_name_key = \(name) where id = \(person.account)::uuid")
        var codes: [String?] = []
        for round in 0..<6 {
            let flow = try await pastPassword([person.email, phone, name][round % 3], direct: round == 0)
            for _ in 0..<4 {
                let response: JSONObject =
                    round == 1
                    ? ["recovery_code": .string(String(repeating: "a", count: 24))]
                    : ["code": .string(GatewayProcess.wrongCode(person.secret))]
                codes.append(try await gateway.answer(flow, response).code)
            }
        }
        #expect(codes.count { $0 == "code_wrong" } == 20, "\(codes)")
        #expect(codes.count { $0 == "throttled" } == 4)
        let flow = try await pastPassword(person.email, direct: true)
        #expect(
            try await gateway.answer(flow, ["code": .string(try await gateway.freshCode(person))]).code == "throttled")
        // An hour later the limit has no effect.
        try await gateway.anHourLater()
        _ = try SignedInAnswer(try await gateway.answer(flow, ["code": .string(try await gateway.freshCode(person))]))
    }

    /// A flow that waits for the second factor, with the password given at the start or chosen.
    private func pastPassword(_ name: String, direct: Bool) async throws -> String {
        let gateway = try GatewayProcess.current
        if direct { return try await gateway.passwordProved(name).flow }
        let begun = try PendingAnswer(try await gateway.begin("password", name))
        _ = try PendingAnswer(try await gateway.answer(begun.flow, ["factor": "password"]))
        return try PendingAnswer(
            try await gateway.answer(begun.flow, ["password": .string(GatewayProcess.password)]),
            "confirm_sign_in_with_totp_code"
        ).flow
    }

    @Test("of fifty concurrent right answers, one gets a session")
    func parallelRightAnswers() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let flow = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
        let code = try await gateway.mailedCode(to: email, number: 2)
        let answers = try await inParallel(50) { _ in try await gateway.answer(flow, ["code": .string(code)]) }
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.allSatisfy { $0.status == 200 || $0.code == "flow_expired" })
        #expect(
            try await gateway.count("select count(*) from sessions where account_id = \(person.account)::uuid") == 2)
    }

    @Test("another code is sent after half a minute, five times, and ends the previous one")
    func resending() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
        let first = try await gateway.mailedCode(to: email, number: 2)
        #expect(begun.step["resend_after"]?.integer == 30)
        let early = try await gateway.post("/v1/sign-in/resend", ["flow": .string(begun.flow)])
        try await gateway.expectRefusal(early, 429, "resend_too_soon", action: "resend_code")
        for count in 1...5 {
            try await gateway.waitForResend(begun.flow)
            try await forgetMails()
            let resent = try await gateway.post("/v1/sign-in/resend", ["flow": .string(begun.flow)])
            #expect(try PendingAnswer(resent).step == begun.step)
            #expect(try await gateway.audit(resent).map(\.action) == ["code_resent"])
            _ = try await gateway.mailedCode(to: email, number: 2 + count)
        }
        try await gateway.waitForResend(begun.flow)
        let tooMany = try await gateway.post("/v1/sign-in/resend", ["flow": .string(begun.flow)])
        try await gateway.expectRefusal(tooMany, 429, "too_many_resends", action: "resend_code")
        let newest = try await gateway.mailedCode(to: email, number: 7)
        if first != newest {
            #expect(try await gateway.answer(begun.flow, ["code": .string(first)]).code == "code_wrong")
        }
        _ = try SignedInAnswer(try await gateway.answer(begun.flow, ["code": .string(newest)]))
    }

    @Test("a step without a code has nothing to send again")
    func nothingToResend() async throws {
        let gateway = try GatewayProcess.current
        let begun = try PendingAnswer(try await gateway.begin("password", Fresh.email()))
        let answer = try await gateway.post("/v1/sign-in/resend", ["flow": .string(begun.flow)])
        try await gateway.expectRefusal(answer, 409, "nothing_to_resend", action: "resend_code")
    }

    @Test("a code is valid for ten minutes, for its own flow and client")
    func bound() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let (one, other) = (
            try PendingAnswer(try await gateway.begin("email_otp", email)),
            try PendingAnswer(try await gateway.begin("email_otp", email))
        )
        let codes = (
            try await gateway.mailedCode(to: email, number: 2), try await gateway.mailedCode(to: email, number: 3)
        )
        if codes.0 != codes.1 {
            #expect(try await gateway.answer(other.flow, ["code": .string(codes.0)]).code == "code_wrong")
            #expect(try await gateway.answer(one.flow, ["code": .string(codes.1)]).code == "code_wrong")
        }
        let row = try #require(GatewayProcess.row(of: one.flow))
        try await gateway.change("update flows set expires_at = now() where id = \(row)")
        try await gateway.expectRefusal(
            try await gateway.answer(one.flow, ["code": .string(codes.0)]), 400, "flow_expired",
            action: "continue_sign_in")
        _ = try SignedInAnswer(try await gateway.answer(other.flow, ["code": .string(codes.1)]))
    }

    /// Lets every mailbox get five more mails; guesses stay counted.
    private func forgetMails() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.changeThrottles(
            """
            update throttles set arrival = arrival - interval '1 hour'
             where bucket not in (
                 select unnest((flow_guess(flows, row(5, 20, 180000, 600, 3600)::flow_limits, null, '127.0.0.1')).buckets)
                   from flows)
            """)
    }
}
