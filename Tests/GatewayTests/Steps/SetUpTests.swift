import JSON
import Postgres
import Testing

extension StepTests {
    /// Clients and operators that demand a second factor, and passwords from operators.
    @Suite("Set-up during a sign-in")
    struct SetUpTests {
        @Test("a client that requires two factors has them set up during the sign-in, with recovery codes")
        func totp() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let email = Fresh.email()
            let plain = try await gateway.signUp(email)
            let asked = try await gateway.passwordProved(email, app: app)
            #expect(asked.type == "continue_sign_in_with_mfa_setup_selection")
            #expect(asked.choices == ["totp", "email"], "No text message to a number that is not proved.")
            try await gateway.expectRefusal(
                try await gateway.answer(asked.flow, ["factor": "sms"]), 400, "invalid_request",
                action: "continue_sign_in")
            let begun = try PendingAnswer(
                try await gateway.answer(asked.flow, ["factor": "totp"]), "continue_sign_in_with_totp_setup")
            #expect(begun.step["totp"]?["uri"]?.string?.hasPrefix("otpauth://totp/") == true)
            let secret = try #require(GatewayProcess.secret(of: begun))
            #expect(
                try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.wrongCode(secret))]).code
                    == "code_wrong")
            let answer = try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.code(secret))])
            let signedIn = try SignedInAnswer(answer)
            #expect(signedIn.recoveryCodes.count == 10 && Set(signedIn.recoveryCodes).count == 10)
            #expect(try signedIn.facts.acr == "2")
            #expect(try await gateway.audit(answer, atLeast: 2).map(\.action) == ["factor_added", "signed_in"])
            // From now on every client demands it.
            #expect(try await gateway.passwordProved(email).type == "confirm_sign_in_with_totp_code")
            #expect(signedIn.account == plain.account)
        }

        @Test("a mailbox other than the first factor's can be set up, and is proved by its code")
        func mailbox() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let (email, other) = (Fresh.email(), Fresh.email("example.net"))
            _ = try await gateway.signUp(email)
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email, app: app))
            let code = try await gateway.mailedCode(to: email, number: 2)
            // The password is the second factor, and set-up is for users without one.
            let asked = try PendingAnswer(
                try await gateway.answer(begun.flow, ["code": .string(code)]), "confirm_sign_in_with_password")
            #expect(asked.choices.isEmpty)
            let person = try await gateway.passwordProved(email, app: app)
            _ = try PendingAnswer(
                try await gateway.answer(person.flow, ["factor": "email"]), "continue_sign_in_with_email_mfa_setup")
            try await gateway.expectRefusal(
                try await gateway.answer(person.flow, ["email": "no address"]), 400, "invalid_request",
                action: "continue_sign_in")
            _ = try PendingAnswer(
                try await gateway.answer(person.flow, ["email": .string(other)]), "confirm_sign_in_with_otp")
            let proof = try await gateway.mailedCode(to: other, number: 1)
            let signedIn = try SignedInAnswer(try await gateway.answer(person.flow, ["code": .string(proof)]))
            #expect(try signedIn.facts.amr == ["pwd", "otp", "mfa"])
        }

        @Test("a mailbox that the provider proved is no second factor")
        func sameMailbox() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let email = Fresh.email("gmail.com")
            let who: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(email)]
            let asked = try PendingAnswer(try await gateway.signIn("google", who, app: app))
            #expect(asked.answer.json["recovery_codes"] == nil)
            _ = try PendingAnswer(try await gateway.answer(asked.flow, ["factor": "email"]))
            try await gateway.expectRefusal(
                try await gateway.answer(asked.flow, ["email": .string(email)]), 409, "factor_not_independent",
                action: "continue_sign_in")
        }

        @Test("an operator's demand is like a client's, and its last factor stays")
        func operatorDemands() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let plain = try await gateway.signUp(email)
            try await gateway.change("update accounts set mfa_demanded = true where id = \(plain.account)::uuid")
            let asked = try await gateway.passwordProved(email)
            let begun = try PendingAnswer(try await gateway.answer(asked.flow, ["factor": "totp"]))
            let secret = try #require(GatewayProcess.secret(of: begun))
            let signedIn = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.code(secret))]))
            let list = try await gateway.get("/v1/account/factors", bearer: signedIn.accessToken)
            let factor = try #require(list.json["factors"]?.array?.first?["id"]?.string)
            try await gateway.expectRefusal(
                try await gateway.delete("/v1/account/factors/\(factor)", bearer: signedIn.accessToken), 409,
                "second_factor_demanded", action: "remove_factor")
        }

        @Test("a new account at a client that demands two factors has no session before the second")
        func newAccount() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let email = Fresh.email()
            let flow = try await gateway.beginSignUp(email, app: app)
            let code = try await gateway.mailedCode(to: email)
            let asked = try PendingAnswer(
                try await gateway.post(
                    "/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(code)]]),
                "continue_sign_in_with_mfa_setup_selection")
            let begun = try PendingAnswer(try await gateway.answer(asked.flow, ["factor": "totp"]))
            let secret = try #require(GatewayProcess.secret(of: begun))
            let signedIn = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.code(secret))]))
            #expect(signedIn.isNewAccount && signedIn.email == email)
        }

        @Test(
            "a temporary password only permits a new one, after the second factor if there is one",
            arguments: [true, false])
        func temporaryPassword(isProtected: Bool) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            var person = ProtectedPerson(email: email, account: "", session: try await gateway.signUp(email))
            person = ProtectedPerson(email: email, account: person.session.account, session: person.session)
            if isProtected { person = try await gateway.addingTOTP(person, bearer: person.session.accessToken) }
            try await gateway.change(
                "update accounts set password_state = 'temporary' where id = \(person.account)::uuid")
            var asked = try await gateway.passwordProved(email)
            if isProtected {
                #expect(asked.type == "confirm_sign_in_with_totp_code")
                asked = try PendingAnswer(
                    try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
            }
            #expect(asked.type == "confirm_sign_in_with_new_password")
            for (password, code) in [
                ("short", "password_too_short"), ("password", "password_common"), (email, "password_contains_address"),
            ] {
                #expect(try await gateway.answer(asked.flow, ["new_password": .string(password)]).code == code)
            }
            let answer = try await gateway.answer(asked.flow, ["new_password": "another heron over the weir"])
            let signedIn = try SignedInAnswer(answer)
            #expect(try signedIn.facts.acr == (isProtected ? "2" : "1"))
            #expect(
                try await gateway.audit(answer, atLeast: 2).contains {
                    $0.action == "password_set" && $0.reason == "temporary"
                })
            #expect(
                try await gateway.checkSession(person.session.accessToken).status == 401, "Sessions of before are over."
            )
            #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).code == "invalid_credentials")
            #expect(try await gateway.passwordSignIn(email, "another heron over the weir").status == 200)
        }

        @Test("a password that must be reset opens nothing until the reset")
        func resetRequired() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            try await gateway.change(
                "update accounts set password_state = 'reset_required' where id = \(person.account)::uuid")
            let sent = gateway.mailedCodes(to: email)
            let due = try PendingAnswer(
                try await gateway.passwordSignIn(email, GatewayProcess.password), "reset_password")
            let begun = try PendingAnswer(try await gateway.begin("password", email))
            _ = try PendingAnswer(try await gateway.answer(begun.flow, ["factor": "password"]))
            #expect(
                try await gateway.answer(begun.flow, ["password": .string(GatewayProcess.password)]).code
                    == "invalid_credentials")
            let asked = ResetRequest(
                pending: due, code: try await gateway.mailedCode(to: email, number: sent + 1))
            _ = try SignedInAnswer(try await gateway.reset(asked, to: "another heron over the weir"))
            #expect(
                try SignedInAnswer(try await gateway.passwordSignIn(email, "another heron over the weir")).account
                    == person.account)
        }
    }
}

extension GatewayProcess {
    /// The secret in a set-up step.
    static func secret(of pending: PendingAnswer) -> [UInt8]? {
        pending.step["totp"]?["secret"]?.string.flatMap(base32)
    }
}
