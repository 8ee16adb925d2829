import JSON
import Postgres
import Testing

extension StepTests {
    @Suite("Second factors")
    struct SecondFactorTests {
        @Test("a password and a code of an app make a session of the higher level")
        func totp() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            #expect(person.recoveryCodes.count == 10)
            let first = try await gateway.passwordSignIn(person.email, GatewayProcess.password)
            let asked = try PendingAnswer(first, "confirm_sign_in_with_totp_code")
            #expect(asked.choices == ["recovery_code"])
            #expect(try await gateway.audit(first).map(\.action) == ["first_factor_proved"])
            let wrong = try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.wrongCode(person.secret))])
            try await gateway.expectRefusal(wrong, 400, "code_wrong", action: "continue_sign_in")
            let signedIn = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
            let facts = try signedIn.facts
            #expect(facts.amr == ["pwd", "otp", "mfa"] && facts.acr == "2" && facts.provider == "password")
            let rows = try await gateway.audit(signedIn.answer)
            #expect(rows.map(\.action) == ["signed_in"] && rows.first?.reason == "steps_done")
            #expect(try await gateway.checkSession(signedIn.accessToken).json["session"]?["acr"] == "2")
        }

        @Test("an app's code works once, also across flows")
        func totpReplay() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let code = try await gateway.freshCode(person)
            let flows = (
                try await gateway.passwordProved(person.email).flow, try await gateway.passwordProved(person.email).flow
            )
            _ = try SignedInAnswer(try await gateway.answer(flows.0, ["code": .string(code)]))
            try await gateway.expectRefusal(
                try await gateway.answer(flows.1, ["code": .string(code)]), 400, "code_wrong",
                action: "continue_sign_in")
        }

        @Test("of twenty concurrent uses of one code, in twenty flows, one signs in")
        func totpParallelReplay() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let flows = try await inParallel(20) { _ in try await gateway.passwordProved(person.email).flow }
            let code = try await gateway.freshCode(person)
            let answers = try await inParallel(flows) { try await gateway.answer($0, ["code": .string(code)]) }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.allSatisfy { $0.status == 200 || ["code_wrong", "throttled"].contains($0.code) })
        }

        @Test("a recovery code replaces any factor, once")
        func recoveryCode() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let code = try #require(person.recoveryCodes.first)
            let asked = try await gateway.passwordProved(person.email)
            let chosen = try PendingAnswer(
                try await gateway.answer(asked.flow, ["factor": "recovery_code"]),
                "confirm_sign_in_with_custom_challenge")
            #expect(chosen.step["challenge"]?["question"] == "recovery_code")
            let signedIn = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["answer": .string(code.uppercased().replacing("-", with: " "))]))
            #expect(try signedIn.facts.amr == ["pwd", "otp", "mfa"] && signedIn.facts.acr == "2")
            let again = try await gateway.passwordProved(person.email)
            try await gateway.expectRefusal(
                try await gateway.answer(again.flow, ["recovery_code": .string(code)]), 400, "code_wrong",
                action: "continue_sign_in")
            let list = try await gateway.get("/v1/account/factors", bearer: signedIn.accessToken)
            #expect(list.json["recovery_codes_left"]?.integer == 9)
        }

        @Test("of twenty concurrent uses of one recovery code one signs in")
        func recoveryCodeInParallel() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let code = try #require(person.recoveryCodes.last)
            let flows = try await inParallel(20) { _ in try await gateway.passwordProved(person.email).flow }
            let answers = try await inParallel(flows) { try await gateway.answer($0, ["recovery_code": .string(code)]) }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.allSatisfy { $0.status == 200 || ["code_wrong", "throttled"].contains($0.code) })
            #expect(
                try await gateway.count(
                    "select count(*) from recovery_codes where account_id = \(person.account)::uuid and used_at is null"
                ) == 9)
        }

        @Test("another account's recovery code opens nothing")
        func foreignRecoveryCode() async throws {
            let gateway = try GatewayProcess.current
            let (one, other) = (try await gateway.protectedPerson(), try await gateway.protectedPerson())
            let asked = try await gateway.passwordProved(one.email)
            let answer = try await gateway.answer(asked.flow, ["recovery_code": .string(other.recoveryCodes[0])])
            #expect(answer.code == "code_wrong")
        }

        @Test(
            "a code by text message, and by mail to another mailbox, are second factors", arguments: ["sms", "email"])
        func sentCodes(type: String) async throws {
            let gateway = try GatewayProcess.current
            let address = type == "sms" ? GatewayProcess.freshPhone() : Fresh.email("example.net")
            let person = try await gateway.person(withFactor: type, at: address)
            let asked = try await gateway.passwordProved(person.email)
            #expect(asked.type == (type == "sms" ? "confirm_sign_in_with_sms_mfa_code" : "confirm_sign_in_with_otp"))
            #expect(asked.step["delivery"]?["medium"]?.string == type)
            #expect(!asked.answer.text.contains(address))
            let code =
                type == "sms"
                ? try await gateway.textedCode(to: address, number: 2)
                : try await gateway.mailedCode(to: address, number: 2)
            #expect(
                try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.wrong(code))]).code == "code_wrong"
            )
            let signedIn = try SignedInAnswer(try await gateway.answer(asked.flow, ["code": .string(code)]))
            #expect(try signedIn.facts.amr == ["pwd", type == "sms" ? "sms" : "otp", "mfa"])
            #expect(try signedIn.facts.acr == "2")
        }

        @Test("the mailbox of the first factor cannot be the second one, so the password is demanded")
        func sameMailbox() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let session = try await gateway.signUp(email)
            var person = ProtectedPerson(email: email, account: session.account, session: session)
            try await gateway.add(&person, "email", at: email)
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
            let code = try await gateway.mailedCode(to: email, number: 3)
            let asked = try PendingAnswer(
                try await gateway.answer(begun.flow, ["code": .string(code)]), "confirm_sign_in_with_password")
            #expect(asked.choices == ["recovery_code"])
            let refused = try await gateway.answer(asked.flow, ["factor": .string(person.factor)])
            #expect(refused.json["session"] == nil && refused.status == 400)
            let signedIn = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["password": .string(GatewayProcess.password)]))
            #expect(try signedIn.facts.amr == ["otp", "pwd", "mfa"])
        }

        @Test("a missing second factor is reported only after the mailbox is proved")
        func deadEnd() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let session = try await gateway.signUp(email)
            var person = ProtectedPerson(email: email, account: session.account, session: session)
            try await gateway.add(&person, "email", at: email)
            try await gateway.change("delete from passwords where account_id = \(person.account)::uuid")
            try await gateway.change("delete from recovery_codes where account_id = \(person.account)::uuid")
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
            let code = try await gateway.mailedCode(to: email, number: 3)
            let wrong = try await gateway.answer(begun.flow, ["code": .string(GatewayProcess.wrong(code))])
            try await gateway.expectRefusal(wrong, 400, "code_wrong", action: "continue_sign_in")
            let right = try await gateway.answer(begun.flow, ["code": .string(code)])
            try await gateway.expectRefusal(right, 403, "no_second_factor_left", action: "continue_sign_in")
            #expect(try await gateway.answer(begun.flow, ["code": .string(code)]).code == "flow_expired")
            // It has no sign-in method any more, as the invariants require.
            try await gateway.change("update accounts set status = 'closed' where id = \(person.account)::uuid")
            try await gateway.change(
                "update sessions set ended_at = now() where account_id = \(person.account)::uuid and ended_at is null")
        }

        @Test("the preferred factor is demanded first, and any other can be chosen")
        func preference() async throws {
            let gateway = try GatewayProcess.current
            var person = try await gateway.protectedPerson()
            let totp = person.factor
            let bearer = try await gateway.signIn(person).accessToken
            let phone = GatewayProcess.freshPhone()
            try await gateway.add(&person, "sms", at: phone, bearer: bearer)
            let sms = person.factor
            let selection = try await gateway.passwordProved(person.email)
            #expect(selection.type == "continue_sign_in_with_mfa_selection")
            #expect(selection.choices == ["totp", "sms", "recovery_code"])
            #expect(gateway.texts(to: phone).count == 1, "No message leaves before somebody asks for it.")
            for response in [["factor": "passkey"], ["factor": "nothing"], [:], ["code": "000000"]] as [JSONObject] {
                try await gateway.expectRefusal(
                    try await gateway.answer(selection.flow, response), 400, "invalid_request",
                    action: "continue_sign_in")
            }
            _ = try PendingAnswer(
                try await gateway.answer(selection.flow, ["factor": .string(sms)]), "confirm_sign_in_with_sms_mfa_code")
            _ = try PendingAnswer(
                try await gateway.answer(selection.flow, ["factor": .string(totp)]), "confirm_sign_in_with_totp_code")
            _ = try SignedInAnswer(
                try await gateway.answer(selection.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(
                try await gateway.patch("/v1/account/factors/\(totp)", ["preferred": true], bearer: bearer).status
                    == 200)
            #expect(try await gateway.passwordProved(person.email).type == "confirm_sign_in_with_totp_code")
        }

        @Test("provider sign-ins of protected accounts ask for the second factor", arguments: ["apple", "google"])
        func providers(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let who: JSONObject = [
                "subject": .string(Fresh.subject(provider)), "email": .string(Fresh.email("gmail.com")),
            ]
            let first = try await gateway.session(provider, who)
            #expect(try first.facts.amr == ["fed"] && first.facts.acr == "1")
            let person = try await gateway.addingTOTP(
                ProtectedPerson(email: first.email ?? "", account: first.account, session: first),
                bearer: first.accessToken)
            let asked = try PendingAnswer(try await gateway.signIn(provider, who), "confirm_sign_in_with_totp_code")
            let signedIn = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(try signedIn.facts.amr == ["fed", "otp", "mfa"] && signedIn.facts.provider == provider)
            #expect(signedIn.identity == first.identity && !signedIn.isNewAccount)
            #expect(signedIn.answer.json["identity"]?["subject"] == who["subject"])
        }
    }
}
