import JSON
import TestSupport
import Testing

/// The steps of sign-ins, through a real server.
@Suite("Steps of a sign-in", .gateway(StepServer.configuration))
struct StepTests {}

/// The first step of a sign-in, which never reveals whether an account exists.
@Suite("First factors", .gateway(StepServer.configuration))
struct FirstFactorTests {
    private static let wrongRecoveryCode = String(repeating: "a", count: 24)

    /// Answers of a stranger without any knowledge.
    static let answers: [JSONObject] = [
        ["factor": "password"], ["factor": "email_otp"], ["factor": "totp"], ["factor": "sms"], ["factor": "email"],
        ["factor": "recovery_code"], ["factor": "sms_otp"], ["factor": "passkey "], ["code": "000000"],
        ["password": "not the password"], ["recovery_code": .string(wrongRecoveryCode)],
        ["answer": .string(wrongRecoveryCode)],
        ["credential": [:]], ["new_password": "something else entirely"], [:],
    ]

    /// The results of any two answers in a row, without keys, nonces and flows.
    private func transcript(_ name: String, provider: String) async throws -> [[String]] {
        let gateway = try GatewayProcess.current
        var lines: [[String]] = []
        for first in Self.answers {
            let begun = try await gateway.begin(provider, name)
            lines.append(begun.likeness(of: name))
            let flow = try PendingAnswer(begun).flow
            let answered = try await gateway.answer(flow, first)
            lines.append(answered.likeness(of: name))
            for second in [["password": "not the password"], ["factor": "totp"], ["recovery_code": "a"]] as [JSONObject]
            {
                lines.append(try await gateway.answer(flow, second).likeness(of: name))
            }
            lines.append(try await gateway.post("/v1/sign-in/resend", ["flow": .string(flow)]).likeness(of: name))
            // A mailbox gets five mails in a row.
            try await gateway.anHourLater()
        }
        return lines
    }

    @Test(
        "P-01: an account with a second factor and an unknown name get the same answers",
        arguments: ["password", "email_otp"])
    func decoys(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        let known = try await transcript(person.email, provider: provider)
        let unknown = try await transcript(Fresh.email(), provider: provider)
        #expect(known.count == unknown.count)
        for (one, other) in zip(known, unknown) { #expect(one == other) }
    }

    @Test("P-01: a number, too", arguments: ["password", "sms_otp"])
    func phoneDecoys(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let (known, unknown) = (GatewayProcess.freshPhone(), GatewayProcess.freshPhone())
        let person = try await gateway.protectedPerson()
        try await gateway.prove(known, of: person.account)
        for (one, other) in zip(
            try await transcript(known, provider: provider), try await transcript(unknown, provider: provider))
        { #expect(one == other) }
        // A text message costs money, so an unknown number gets none.
        #expect(gateway.texts(to: unknown).isEmpty)
    }

    @Test("the sign-in methods of a name are offered, and the code of its mailbox signs in")
    func selection() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let begun = try await gateway.begin("password", email)
        let asked = try PendingAnswer(begun, "continue_sign_in_with_first_factor_selection")
        #expect(asked.choices == ["password", "email_otp", "passkey"])
        #expect(try await gateway.audit(begun).map(\.action) == ["sign_in_started"])
        let chosen = try PendingAnswer(
            try await gateway.answer(asked.flow, ["factor": "email_otp"]), "confirm_sign_in_with_otp")
        #expect(chosen.step["delivery"]?["medium"] == "email")
        #expect(chosen.step["delivery"]?["code_length"]?.integer == 6)
        let code = try await gateway.mailedCode(to: email, number: 2)
        let answer = try await gateway.answer(chosen.flow, ["code": .string(" \(code.prefix(3)) \(code.suffix(3)) ")])
        let signedIn = try SignedInAnswer(answer)
        #expect(signedIn.account == person.account)
        #expect(try signedIn.facts.amr == ["otp"] && signedIn.facts.acr == "1")
        #expect(try await gateway.audit(answer).map(\.action) == ["signed_in"])
        // The flow has ended.
        try await gateway.expectRefusal(
            try await gateway.answer(chosen.flow, ["code": .string(code)]), 400, "flow_expired",
            action: "continue_sign_in")
    }

    @Test("a password is demanded alone")
    func passwordStep() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let asked = try PendingAnswer(try await gateway.begin("password", email))
        let chosen = try PendingAnswer(
            try await gateway.answer(asked.flow, ["factor": "password"]), "confirm_sign_in_with_password")
        try await gateway.expectRefusal(
            try await gateway.answer(chosen.flow, ["password": "not the password"]), 401, "invalid_credentials",
            action: "continue_sign_in")
        let signedIn = try SignedInAnswer(
            try await gateway.answer(chosen.flow, ["password": .string(GatewayProcess.password)]))
        #expect(try signedIn.facts.amr == ["pwd"])
    }

    @Test("a code by text message signs in")
    func textMessage() async throws {
        let gateway = try GatewayProcess.current
        let phone = GatewayProcess.freshPhone()
        let person = try await gateway.anyone()
        try await gateway.prove(phone, of: person.account)
        let sent = try PendingAnswer(try await gateway.begin("sms_otp", phone), "confirm_sign_in_with_otp")
        #expect(sent.step["delivery"]?["medium"] == "sms")
        #expect(sent.step["delivery"]?["destination"]?.string?.contains(phone.dropFirst(5).dropLast(2)) == false)
        let code = try await gateway.textedCode(to: phone)
        let signedIn = try SignedInAnswer(try await gateway.answer(sent.flow, ["code": .string(code)]))
        #expect(signedIn.account == person.account)
        #expect(try signedIn.facts.amr == ["sms"] && signedIn.facts.acr == "1" && signedIn.facts.provider == "sms_otp")
    }

    @Test(
        "an invalid name is refused, with its member",
        arguments: [
            ("email_otp", "a b"), ("email_otp", "+4915112345678"), ("sms_otp", "ann@example.com"), ("sms_otp", "1"),
            ("password", "a b"), ("password", ""),
        ])
    func names(provider: String, name: String) async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.begin(provider, name)
        try await gateway.expectRefusal(answer, 400, "invalid_request")
        #expect(answer.json["errors"]?.array?.first?["pointer"] == "/credential/username", "\(answer.text)")
    }

    @Test("a mailbox without an account is notified, and gets no code")
    func nobodysMailbox() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let answer = try await gateway.begin("email_otp", email)
        #expect(answer.status == 200)
        _ = try await poll { gateway.mails(to: email).isEmpty ? nil : () }
        #expect(gateway.mails(to: email).count == 1 && gateway.mailedCodes(to: email) == 0)
        #expect(try await gateway.audit(answer).map(\.reason) == ["no_account"])
    }
}

extension TestAnswer {
    /// The whole answer, without the user's name and unique values.
    func likeness(of name: String) -> [String] {
        likeness.map { line in
            guard var json = (try? JSON(parsing: line))?.object else { return line }
            if var step = json["next_step"]?.object {
                if var delivery = step["delivery"]?.object {
                    delivery["destination"] = "masked"
                    step["delivery"] = .object(delivery)
                }
                if var passkey = step["passkey"]?.object {
                    passkey["challenge"] = .integer(passkey["challenge"]?.string?.utf8.count ?? 0)
                    step["passkey"] = .object(passkey)
                }
                json["next_step"] = .object(step)
            }
            return JSON.object(json).text
        }
    }
}
