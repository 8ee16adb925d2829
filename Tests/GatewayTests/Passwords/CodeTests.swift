import JSON
import Postgres
import TestSupport
import Testing

/// The codes of sign-ups.
extension PasswordTests {
    @Test("P-11: after five wrong guesses the right code is refused")
    func fiveTries() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        let code = try await gateway.mailedCode(to: email)
        for left in [4, 3, 2, 1] {
            let answer = try await gateway.confirm(flow, GatewayProcess.wrong(code, left))
            try await gateway.expectRefusal(answer, 400, "code_wrong", action: "confirm_sign_up", provider: "password")
            #expect(answer.json["detail"]?.string?.hasPrefix("\(left) ") == true)
        }
        for guess in [GatewayProcess.wrong(code, 5), code, code] {
            try await gateway.expectRefusal(
                try await gateway.confirm(flow, guess), 400, "too_many_tries", action: "confirm_sign_up")
        }
        #expect(try await gateway.count("select count(*) from account_emails where address = \(email)") == 0)
        // Another code has another five attempts.
        try await gateway.change("update flows set resend_after = now() where address_key = \(email)")
        #expect(try await gateway.resend(flow).status == 200)
        let second = try await poll { gateway.mails(to: email).compactMap(\.code).dropFirst().first }
        #expect(try SignedInAnswer(try await gateway.confirm(flow, second)).isNewAccount)
    }

    @Test("P-11: concurrent guesses get no more attempts than sequential ones")
    func parallelGuesses() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        let code = try await gateway.mailedCode(to: email)
        let answers = try await inParallel(40) { number in
            try await gateway.confirm(flow, GatewayProcess.wrong(code, number + 1))
        }
        #expect(answers.count { $0.code == "code_wrong" } == 4)
        #expect(answers.allSatisfy { ["code_wrong", "too_many_tries", "throttled"].contains($0.code) })
        #expect(try await gateway.count("select tries::int8 from flows where address_key = \(email)") == 5)
        #expect(try await gateway.confirm(flow, code).json["session"] == nil)
    }

    @Test("P-11: a mailbox has its own cap, across resends and new flows")
    func mailboxCap() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        // Twenty guesses at the codes of one mailbox; each code allows five.
        for round in 1...4 {
            let code = try await poll { gateway.mails(to: email).compactMap(\.code).dropFirst(round - 1).first }
            for guess in 1...5 {
                #expect(try await gateway.confirm(flow, GatewayProcess.wrong(code, guess)).status == 400)
            }
            try await gateway.change("update flows set resend_after = now() where address_key = \(email)")
            #expect(try await gateway.resend(flow).status == 200)
        }
        let code = try await poll { gateway.mails(to: email).compactMap(\.code).dropFirst(4).first }
        try await gateway.expectRefusal(
            try await gateway.confirm(flow, code), 429, "throttled", action: "confirm_sign_up", provider: "password")
        let again = try await gateway.beginSignUp(email)
        let fresh = try await poll { gateway.mails(to: email).compactMap(\.code).dropFirst(5).first }
        #expect(try await gateway.confirm(again, fresh).code == "throttled")
        // An hour later the owner can sign in: no lock is permanent.
        try await gateway.changeThrottles(
            """
            update throttles set arrival = arrival - interval '1 hour'
             where bucket in (select unnest((flow_guess(flows, row(5, 20, 180000, 600, 3600)::flow_limits, null, '127.0.0.1')).buckets)
                                from flows where address_key = \(email))
            """)
        #expect(try SignedInAnswer(try await gateway.confirm(again, fresh)).isNewAccount)
    }

    @Test("P-11: sign-ups with different user names share the cap of their mailbox")
    func userNames() async throws {
        let gateway = try GatewayProcess.current
        let client = try await SigningUpClient(names: ["user_name"]).add(gateway)
        let email = Fresh.email()
        func begin(_ round: Int) async throws -> (flow: String, code: String) {
            let begun = try await gateway.post(
                "/v1/sign-up",
                [
                    "client_id": .string(client), "username": .string("name-\(Fresh.text())"), "email": .string(email),
                    "password": .string(GatewayProcess.password),
                ])
            let code = try await poll { gateway.mails(to: email).compactMap(\.code).dropFirst(round).first }
            return (try PendingAnswer(begun, "confirm_sign_up").flow, code)
        }
        for round in 0..<4 {
            let (flow, code) = try await begin(round)
            for guess in 1...5 {
                #expect(try await gateway.confirm(flow, GatewayProcess.wrong(code, guess)).status == 400)
            }
        }
        let (flow, code) = try await begin(4)
        #expect(try await gateway.confirm(flow, code).code == "throttled")
    }

    @Test("a new code is sent after a pause, and ends the previous one")
    func resending() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        let first = try await gateway.mailedCode(to: email)
        try await gateway.expectRefusal(
            try await gateway.resend(flow), 429, "resend_too_soon", action: "resend_code", provider: "password")
        #expect(gateway.mails(to: email).count == 1)
        for count in 2...6 {
            try await gateway.change("update flows set resend_after = now() where address_key = \(email)")
            let answer = try await gateway.resend(flow)
            #expect(answer.status == 200)
            #expect(answer.json["next_step"]?["type"] == "confirm_sign_up")
            #expect(try await gateway.audit(answer).map(\.action) == ["code_resent"])
            _ = try await poll { gateway.mails(to: email).count == count ? () : nil }
        }
        try await gateway.change("update flows set resend_after = now() where address_key = \(email)")
        let tooMany = try await gateway.resend(flow)
        #expect(tooMany.status == 429)
        #expect(tooMany.code == "too_many_resends")
        let newest = try await gateway.mailedCode(to: email)
        if first != newest { #expect(try await gateway.confirm(flow, first).code == "code_wrong") }
        #expect(try SignedInAnswer(try await gateway.confirm(flow, newest)).isNewAccount)
    }

    @Test("a flow is valid for its step, for its lifetime, and once")
    func flows() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let asked = try await gateway.signIn(
            "amazon", ["subject": .string(Fresh.subject("amazon")), "email": .string(email)])
        #expect(asked.json["next_step"]?["type"] == "link_account", "\(asked.text)")
        let linkFlow = try #require(asked.json["flow"]?.string)

        let other = Fresh.email()
        let flow = try await gateway.beginSignUp(other)
        let code = try await gateway.mailedCode(to: other)
        for (flow, code) in [(linkFlow, code), (flow + "A", code), ("fl_", code), ("nonsense", code)] {
            try await gateway.expectRefusal(
                try await gateway.confirm(flow, code), 400, "flow_expired", action: "confirm_sign_up")
            #expect(try await gateway.resend(flow).code == "flow_expired")
        }
        let crossed = try await gateway.passwordSignIn(email, GatewayProcess.password, linkFlow: flow)
        try await gateway.expectRefusal(crossed, 400, "flow_expired")

        try await gateway.change("update flows set expires_at = now() where address_key = \(other)")
        try await gateway.expectRefusal(
            try await gateway.confirm(flow, code), 400, "flow_expired", action: "confirm_sign_up")
        #expect(try await gateway.resend(flow).code == "flow_expired")
        #expect(try await gateway.count("select count(*) from account_emails where address = \(other)") == 0)
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
    }

    @Test("concurrent uses of one code create one account")
    func oneAccount() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        let code = try await gateway.mailedCode(to: email)
        let answers = try await inParallel(12) { _ in try await gateway.confirm(flow, code) }
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.count { $0.status == 400 } == 11)
        #expect(try await gateway.count("select count(*) from account_emails where address_key = \(email)") == 1)
    }
}
