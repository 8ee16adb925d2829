import JSON
import Postgres
import TestSupport
import Testing

extension StepTests {
    /// Forgotten and changed passwords.
    @Suite("Another password")
    struct PasswordResetTests {
        private static let next = "another heron over the weir"

        @Test("a reset code sets a new password: every session ends, and a new one starts")
        func reset() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            let asked = try await gateway.forgot(email)
            #expect(asked.pending.step["delivery"]?["medium"] == "email")
            let wrong = try await gateway.reset(asked, to: Self.next, code: GatewayProcess.wrong(asked.code))
            try await gateway.expectRefusal(wrong, 400, "code_wrong", action: "reset_password", provider: "password")
            #expect(try await gateway.checkSession(person.accessToken).status == 200)
            let answer = try await gateway.reset(asked, to: Self.next)
            let signedIn = try SignedInAnswer(answer)
            #expect(try signedIn.facts.amr == ["otp"] && signedIn.facts.acr == "1")
            #expect(
                try await gateway.audit(answer, atLeast: 2).contains {
                    $0.action == "password_set" && $0.reason == "reset"
                })
            _ = try await poll { try await gateway.checkSession(person.accessToken).status == 401 ? () : nil }
            #expect(try await gateway.refresh(person.refreshToken).status == 401)
            #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).code == "invalid_credentials")
            #expect(try await gateway.passwordSignIn(email, Self.next).status == 200)
            #expect(try await gateway.reset(asked, to: Self.next).code == "flow_expired")
        }

        @Test("a flow of another kind can't reset a password, and stays valid")
        func otherFlow() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
            let code = try await gateway.mailedCode(to: email, number: 2)
            let answer = try await gateway.post(
                "/v1/password/reset",
                ["flow": .string(begun.flow), "response": ["code": .string(code), "new_password": .string(Self.next)]])
            try await gateway.expectRefusal(
                answer, 400, "flow_expired", action: "reset_password", provider: "password")
            _ = try SignedInAnswer(try await gateway.answer(begun.flow, ["code": .string(code)]))
            #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).status == 200)
        }

        @Test("a refused new password leaves the code valid")
        func policy() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let asked = try await gateway.forgot(email)
            for (password, code) in [
                ("short", "password_too_short"), ("password", "password_common"), (email, "password_contains_address"),
            ] {
                let answer = try await gateway.reset(asked, to: password)
                try await gateway.expectRefusal(answer, 400, code, action: "reset_password")
            }
            _ = try SignedInAnswer(try await gateway.reset(asked, to: Self.next))
        }

        @Test("P-11: the refusal of a password is the same for a right and a wrong code, and costs no attempt")
        func complaintTellsNothing() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let asked = try await gateway.forgot(email)
            for password in ["short", email, String(repeating: "a", count: 1_025)] {
                let right = try await gateway.reset(asked, to: password)
                let wrong = try await gateway.reset(asked, to: password, code: GatewayProcess.wrong(asked.code))
                #expect(right.likeness == wrong.likeness)
                #expect(right.code?.hasPrefix("password_") == true, "\(right.text)")
            }
            let row = try #require(GatewayProcess.row(of: asked.pending.flow))
            #expect(try await gateway.count("select tries::int8 from flows where id = \(row)") == 0)
        }

        @Test("P-01: a forgotten password gets the same answer for a known and an unknown name")
        func decoys() async throws {
            let gateway = try GatewayProcess.current
            let (known, unknown) = (Fresh.email(), Fresh.email())
            _ = try await gateway.protectedPerson()
            _ = try await gateway.signUp(known)
            var transcripts: [[[String]]] = []
            for name in [known, unknown] {
                let asked = try await gateway.post(
                    "/v1/password/forgot", ["client_id": "app", "username": .string(name)])
                var lines = [asked.likeness(of: name)]
                let flow = try PendingAnswer(asked, "reset_password").flow
                for password in ["short", Self.next, name] {
                    lines.append(
                        try await gateway.post(
                            "/v1/password/reset",
                            ["flow": .string(flow), "response": ["code": "000000", "new_password": .string(password)]]
                        ).likeness(of: name))
                }
                lines.append(try await gateway.answer(flow, ["factor": "totp"]).likeness(of: name))
                transcripts.append(lines)
            }
            #expect(transcripts[0] == transcripts[1])
        }

        @Test("P-01: a user name's mailbox is not revealed, nor by an error about a password")
        func userNames() async throws {
            let gateway = try GatewayProcess.current
            let (known, unknown) = ("known-\(Fresh.text())", "nobody-\(Fresh.text())")
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            try await gateway.change(
                "update accounts set user_name = \(known), user_name_key = \(known) where id = \(person.account)::uuid")
            let guess = String(email.prefix { $0 != "@" }) + " is the password"
            var answers: [[String]] = []
            for name in [known, unknown] {
                let asked = try await gateway.post(
                    "/v1/password/forgot", ["client_id": "app", "username": .string(name)])
                let flow = try PendingAnswer(asked).flow
                answers.append(asked.likeness(of: name))
                answers.append(
                    try await gateway.post(
                        "/v1/password/reset",
                        ["flow": .string(flow), "response": ["code": "000000", "new_password": .string(guess)]]
                    ).likeness(of: name))
                let again = try await gateway.post(
                    "/v1/password/forgot", ["client_id": "app", "username": .string(name)])
                #expect(again.json["next_step"] == asked.json["next_step"], "The same name is shown the same mailbox.")
            }
            let madeUp = try await gateway.count(
                "select count(*) from outbox o where o.kind = 'no_account' and o.address ~ '^[a-z]{2}@[a-z][.]com$'")
            #expect(madeUp == 0, "The mailbox of nobody's name may be a stranger's.")
            #expect(answers[0] == answers[2] && answers[1] == answers[3])
        }

        @Test(
            "P-01: a user name without a proved mailbox gets no code, and the same answers as an unknown name",
            arguments: ["proved_at = null", "is_relay = true"])
        func withoutMailbox(loss: String) async throws {
            let gateway = try GatewayProcess.current
            let (known, unknown) = ("known-\(Fresh.text())", "nobody-\(Fresh.text())")
            let person = try await gateway.signUp(Fresh.email())
            try await gateway.change(
                "update accounts set user_name = \(known), user_name_key = \(known) where id = \(person.account)::uuid")
            try await gateway.change(
                "update account_emails set \(unsafeSQL: loss) where account_id = \(person.account)::uuid")
            var answers: [[String]] = []
            for name in [known, unknown] {
                let asked = try await gateway.post(
                    "/v1/password/forgot", ["client_id": "app", "username": .string(name)])
                let flow = try PendingAnswer(asked, "reset_password").flow
                try await gateway.waitForResend(flow)
                let again = try await gateway.post("/v1/sign-in/resend", ["flow": .string(flow)])
                answers += [asked.likeness(of: name), again.likeness(of: name)]
                let row = try #require(GatewayProcess.row(of: flow))
                let open = try await gateway.count(
                    "select count(*) from flows where id = \(row) and (account_id is not null or code_digest is not null)"
                )
                #expect(open == 0)
            }
            #expect(answers[0] == answers[2] && answers[1] == answers[3])
            let codes = try await gateway.count(
                "select count(*) from outbox where kind = 'code.reset' and account_id = \(person.account)::uuid")
            #expect(codes == 0, "A made-up mailbox may be a stranger's.")
        }

        @Test("a reset required by an operator is shown only after the right password")
        func demandedByOperator() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            #expect(
                try await gateway.deployment.run("accounts", "require-reset", person.account, "--yes").exitCode == 0)
            let wrong = try await gateway.passwordSignIn(email, "not the password")
            let nobody = try await gateway.passwordSignIn(Fresh.email(), "not the password")
            #expect(wrong.likeness(of: email) == nobody.likeness(of: email))
            #expect(wrong.code == "invalid_credentials" && gateway.mailedCodes(to: email) == 1)
            let asked = try PendingAnswer(
                try await gateway.passwordSignIn(email, GatewayProcess.password), "reset_password")
            let code = try await gateway.mailedCode(to: email, number: 2)
            _ = try SignedInAnswer(
                try await gateway.reset(ResetRequest(pending: asked, code: code), to: Self.next))
        }

        @Test("a password set through a mailbox is no second factor with that mailbox")
        func sameMailbox() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            try await gateway.change("update accounts set mfa_demanded = true where id = \(person.account)::uuid")
            func afterMailbox(number: Int) async throws -> PendingAnswer {
                let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
                let code = try await gateway.mailedCode(to: email, number: number)
                return try PendingAnswer(try await gateway.answer(begun.flow, ["code": .string(code)]))
            }
            #expect(try await afterMailbox(number: 2).type == "confirm_sign_in_with_password")
            try await gateway.change(
                "update passwords set set_through = \("mailbox \(email)") where account_id = \(person.account)::uuid")
            #expect(try await afterMailbox(number: 3).type == "continue_sign_in_with_mfa_setup_selection")
        }

        @Test("D6: a reset records the mailbox of the password, and a change by one factor keeps the record")
        func origin() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            func origins(_ origin: String?) async throws -> Int {
                try await gateway.count(
                    """
                    select count(*) from passwords where account_id = \(person.account)::uuid and set_through is not distinct from \(origin)
                    """)
            }
            #expect(try await origins(nil) == 1)
            let signedIn = try SignedInAnswer(
                try await gateway.reset(try await gateway.forgot(email), to: Self.next))
            #expect(try await origins("mailbox \(email)") == 1)
            let changed = try await gateway.post(
                "/v1/password/change",
                ["current_password": .string(Self.next), "new_password": .string(GatewayProcess.password)],
                bearer: signedIn.accessToken)
            #expect(changed.status == 204)
            #expect(try await origins("mailbox \(email)") == 1)
            // With that mailbox, the password is no second factor, and the mailbox none with the password.
            try await gateway.change("update accounts set mfa_demanded = true where id = \(person.account)::uuid")
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email))
            let code = try await gateway.mailedCode(to: email, number: 3)
            _ = try PendingAnswer(
                try await gateway.answer(begun.flow, ["code": .string(code)]),
                "continue_sign_in_with_mfa_setup_selection")
            try await gateway.expectRefusal(
                try await gateway.post(
                    "/v1/account/factors", ["type": "email", "email": .string(email)], bearer: signedIn.accessToken),
                409, "factor_not_independent", action: "add_factor")
        }

        @Test("D6: a change by two factors makes a password independent of its mailbox")
        func independent() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            try await gateway.change(
                "update passwords set set_through = \("mailbox \(person.email)") where account_id = \(person.account)::uuid"
            )
            let strong = try await gateway.signIn(person)
            let changed = try await gateway.post(
                "/v1/password/change",
                ["current_password": .string(GatewayProcess.password), "new_password": .string(Self.next)],
                bearer: strong.accessToken)
            #expect(changed.status == 204)
            #expect(
                try await gateway.count(
                    "select count(*) from passwords where account_id = \(person.account)::uuid and set_through is null")
                    == 1)
        }

        @Test("D6: a first password depends on the factor of its session")
        func firstHangsOnSession() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.anyone()
            let email = try #require(person.email)
            let set = try await gateway.post(
                "/v1/password/change", ["new_password": .string(Self.next)], bearer: person.accessToken)
            #expect(set.status == 204)
            #expect(
                try await gateway.text("select set_through from passwords where account_id = \(person.account)::uuid")
                    == "mailbox \(email)")
        }

        @Test("P-17: a reset of a protected account demands the second factor before it sets a password")
        func protected() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let asked = try await gateway.forgot(person.email)
            let second = try PendingAnswer(
                try await gateway.reset(asked, to: Self.next), "confirm_sign_in_with_totp_code")
            // Neither the old nor the new password, because it is being chosen.
            #expect(second.choices == ["recovery_code"])
            #expect(try await gateway.passwordSignIn(person.email, Self.next).code == "invalid_credentials")
            #expect(try await gateway.checkSession(person.session.accessToken).status == 200)
            let signedIn = try SignedInAnswer(
                try await gateway.answer(second.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(try signedIn.facts.acr == "2")
            #expect(try await gateway.passwordProved(person.email, Self.next).type == "confirm_sign_in_with_totp_code")
        }

        @Test("P-17: a mailbox that is also the second factor alone resets nothing")
        func mailboxAlone() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let session = try await gateway.signUp(email)
            var person = ProtectedPerson(email: email, account: session.account, session: session)
            try await gateway.add(&person, "email", at: email)
            let asked = try await gateway.forgot(email)
            let second = try PendingAnswer(try await gateway.reset(asked, to: Self.next))
            #expect(second.type == "confirm_sign_in_with_custom_challenge", "Only a recovery code is left.")
            #expect(try await gateway.answer(second.flow, ["password": .string(Self.next)]).json["session"] == nil)
            #expect(try await gateway.answer(second.flow, ["factor": .string(person.factor)]).json["session"] == nil)
            _ = try SignedInAnswer(
                try await gateway.answer(second.flow, ["recovery_code": .string(person.recoveryCodes[0])]))
        }

        @Test("a password change demands the old password, and ends every other session")
        func change() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let (one, other) = (
                try await gateway.signUp(email),
                try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
            )
            func change(_ current: String?, _ new: String) async throws -> TestAnswer {
                var body: JSONObject = ["new_password": .string(new)]
                body["current_password"] = current.map(JSON.string)
                return try await gateway.post("/v1/password/change", .object(body), bearer: one.accessToken)
            }
            try await gateway.expectRefusal(
                try await change("wrong wrong", Self.next), 401, "invalid_credentials", action: "change_password")
            try await gateway.expectRefusal(
                try await change(nil, Self.next), 400, "invalid_request", action: "change_password")
            try await gateway.expectRefusal(
                try await change(GatewayProcess.password, "short"), 400, "password_too_short", action: "change_password"
            )
            let done = try await change(GatewayProcess.password, Self.next)
            #expect(done.status == 204)
            #expect(try await gateway.audit(done).contains { $0.action == "password_set" && $0.reason == "changed" })
            #expect(try await gateway.checkSession(one.accessToken).status == 200)
            _ = try await poll { try await gateway.checkSession(other.accessToken).status == 401 ? () : nil }
            #expect(try await gateway.passwordSignIn(email, Self.next).status == 200)
        }

        @Test("a weak session of a protected account does not change the password")
        func weakSession() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let answer = try await gateway.post(
                "/v1/password/change",
                ["current_password": .string(GatewayProcess.password), "new_password": .string(Self.next)],
                bearer: person.session.accessToken)
            try await gateway.expectRefusal(answer, 403, "step_up_required", action: "change_password")
        }

        @Test("S-17: an old session of a protected account needs the second factor for another password, too")
        func oldWeakSession() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let strong = try await gateway.signIn(person)
            for session in [person.session, strong] { try await gateway.age(session.session) }
            func change(_ session: SignedInAnswer) async throws -> TestAnswer {
                try await gateway.post(
                    "/v1/password/change",
                    ["current_password": .string(GatewayProcess.password), "new_password": .string(Self.next)],
                    bearer: session.accessToken)
            }
            try await gateway.expectRefusal(
                try await change(person.session), 403, "step_up_required", action: "change_password")
            // The password was typed, which is the freshest proof.
            #expect(try await change(strong).status == 204)
        }

        @Test("a user without a password can set one in a fresh session")
        func firstPassword() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.anyone()
            try await gateway.age(person.session)
            func set() async throws -> TestAnswer {
                try await gateway.post(
                    "/v1/password/change", ["new_password": .string(Self.next)], bearer: person.accessToken)
            }
            try await gateway.expectRefusal(try await set(), 403, "reauth_required", action: "change_password")
            try await gateway.change("update sessions set auth_time = now() where id = \(person.session)::uuid")
            #expect(try await set().status == 204)
            #expect(
                try SignedInAnswer(try await gateway.passwordSignIn(person.email ?? "", Self.next)).account
                    == person.account)
        }
    }
}

/// A pending password reset.
struct ResetRequest: Sendable {
    let pending: PendingAnswer
    let code: String
}

extension GatewayProcess {
    /// Requests a code to reset a password, and reads it.
    func forgot(_ email: String, app: String = "app") async throws -> ResetRequest {
        let sent = mailedCodes(to: email)
        let pending = try PendingAnswer(
            try await post("/v1/password/forgot", ["client_id": .string(app), "username": .string(email)]),
            "reset_password")
        return ResetRequest(pending: pending, code: try await mailedCode(to: email, number: sent + 1))
    }

    func reset(_ asked: ResetRequest, to password: String, code: String? = nil) async throws -> TestAnswer {
        try await post(
            "/v1/password/reset",
            [
                "flow": .string(asked.pending.flow),
                "response": ["code": .string(code ?? asked.code), "new_password": .string(password)],
            ])
    }
}
