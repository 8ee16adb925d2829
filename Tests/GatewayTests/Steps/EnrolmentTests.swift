import JSON
import Postgres
import Testing

extension StepTests {
    /// A signed-in user's changes of their own factors.
    @Suite("Enrolment")
    struct EnrolmentTests {
        @Test("factors are listed without their secrets")
        func list() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let answer = try await gateway.get("/v1/account/factors", bearer: person.session.accessToken)
            #expect(answer.json["second_factor"] == true && answer.json["recovery_codes_left"]?.integer == 10)
            let factor = try #require(answer.json["factors"]?.array?.first?.object)
            #expect(
                Set(factor.members.map(\.name)) == [
                    "id", "type", "name", "address", "preferred", "added_at", "last_used_at",
                ])
            #expect(factor["type"] == "totp" && factor["name"] == "Phone")
            for code in person.recoveryCodes { #expect(!answer.text.contains(code)) }
        }

        @Test(
            "an old session adds, removes and replaces nothing",
            arguments: ["totp", "recovery_codes", "passkey", "email", "sms"])
        func oldSession(type: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            try await gateway.age(person.session)
            let body: JSON = [
                "type": .string(type), "email": .string(Fresh.email()), "phone": .string(GatewayProcess.freshPhone()),
            ]
            let answer = try await gateway.post("/v1/account/factors", body, bearer: person.accessToken)
            try await gateway.expectRefusal(answer, 403, "reauth_required", action: "add_factor")
            #expect(gateway.mailedCodes(to: email) == 1)
        }

        @Test(
            "a weak session of a protected account adds and removes nothing",
            arguments: ["totp", "recovery_codes", "passkey", "email", "sms"])
        func weakSession(type: String) async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let body: JSON = [
                "type": .string(type), "email": .string(Fresh.email()), "phone": .string(GatewayProcess.freshPhone()),
            ]
            let bearer = person.session.accessToken
            try await gateway.expectRefusal(
                try await gateway.post("/v1/account/factors", body, bearer: bearer), 403, "step_up_required",
                action: "add_factor")
            try await gateway.expectRefusal(
                try await gateway.delete("/v1/account/factors/\(person.factor)", bearer: bearer), 403,
                "step_up_required",
                action: "remove_factor")
        }

        @Test("a set-up started with a fresh session can't be finished with an old one")
        func agedMeanwhile() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.signUp(Fresh.email())
            let pending = try PendingAnswer(
                try await gateway.post("/v1/account/factors", ["type": "totp"], bearer: person.accessToken))
            let secret = try #require(GatewayProcess.secret(of: pending))
            try await gateway.age(person.session)
            let answer = try await gateway.confirmFactor(
                pending.flow, ["code": .string(GatewayProcess.code(secret))], bearer: person.accessToken)
            try await gateway.expectRefusal(answer, 403, "reauth_required", action: "confirm_factor")
            #expect(
                try await gateway.count("select count(*) from factors where account_id = \(person.account)::uuid") == 0)
        }

        @Test("a set-up flow belongs to its account, and creates no session")
        func foreignFlow() async throws {
            let gateway = try GatewayProcess.current
            let (one, other) = (try await gateway.signUp(Fresh.email()), try await gateway.signUp(Fresh.email()))
            let pending = try PendingAnswer(
                try await gateway.post("/v1/account/factors", ["type": "totp"], bearer: one.accessToken))
            let code = JSON.string(GatewayProcess.code(try #require(GatewayProcess.secret(of: pending))))
            try await gateway.expectRefusal(
                try await gateway.confirmFactor(pending.flow, ["code": code], bearer: other.accessToken), 400,
                "flow_expired",
                action: "confirm_factor")
            try await gateway.expectRefusal(
                try await gateway.answer(pending.flow, ["code": code]), 400, "flow_expired", action: "continue_sign_in")
            #expect(
                try await gateway.confirmFactor(pending.flow, ["code": code], bearer: one.accessToken).status == 201)
            try await gateway.expectRefusal(
                try await gateway.confirmFactor(pending.flow, ["code": code], bearer: one.accessToken), 400,
                "flow_expired",
                action: "confirm_factor")
        }

        @Test("five tries for the proof of a factor")
        func fiveTries() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.signUp(Fresh.email())
            let pending = try PendingAnswer(
                try await gateway.post("/v1/account/factors", ["type": "totp"], bearer: person.accessToken))
            let secret = try #require(GatewayProcess.secret(of: pending))
            var codes: [String?] = []
            for _ in 0..<5 {
                codes.append(
                    try await gateway.confirmFactor(
                        pending.flow, ["code": .string(GatewayProcess.wrongCode(secret))], bearer: person.accessToken
                    ).code)
            }
            #expect(codes == ["code_wrong", "code_wrong", "code_wrong", "code_wrong", "too_many_tries"])
            let late = try await gateway.confirmFactor(
                pending.flow, ["code": .string(GatewayProcess.code(secret))], bearer: person.accessToken)
            #expect(late.code == "too_many_tries")
        }

        @Test("a mailbox that is a first factor cannot be a second one")
        func dependentMailbox() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.anyone()
            try await gateway.expectRefusal(
                try await gateway.post(
                    "/v1/account/factors", ["type": "email", "email": .string(person.email ?? "")],
                    bearer: person.accessToken),
                409, "factor_not_independent", action: "add_factor")
        }

        @Test("the same mailbox is a factor once")
        func twice() async throws {
            let gateway = try GatewayProcess.current
            let address = Fresh.email("example.net")
            let session = try await gateway.signUp(Fresh.email())
            var person = ProtectedPerson(email: session.email ?? "", account: session.account, session: session)
            try await gateway.add(&person, "email", at: address)
            let asked = try await gateway.passwordProved(person.email)
            let code = try await gateway.mailedCode(to: address, number: 2)
            let strong = try SignedInAnswer(try await gateway.answer(asked.flow, ["code": .string(code)]))
            let pending = try PendingAnswer(
                try await gateway.post(
                    "/v1/account/factors", ["type": "email", "email": .string(address)], bearer: strong.accessToken))
            let second = try await gateway.mailedCode(to: address, number: 3)
            try await gateway.expectRefusal(
                try await gateway.confirmFactor(pending.flow, ["code": .string(second)], bearer: strong.accessToken),
                409,
                "factor_exists", action: "confirm_factor")
        }

        @Test("removing the last factor also removes recovery codes, remembered devices and pending flows")
        func lastFactor() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let strong = try await gateway.signIn(person, remember: true)
            let waiting = try await gateway.passwordProved(person.email)
            let removed = try await gateway.delete("/v1/account/factors/\(person.factor)", bearer: strong.accessToken)
            #expect(removed.status == 204)
            #expect(try await gateway.audit(removed).map(\.action) == ["factor_removed"])
            let left = try await gateway.get("/v1/account/factors", bearer: strong.accessToken)
            #expect(
                left.json
                    == ["second_factor": false, "factors": [], "recovery_codes_left": 0, "removal_due_at": .null])
            #expect(try await gateway.get("/v1/account/devices", bearer: strong.accessToken).json == ["devices": []])
            #expect(try await gateway.answer(waiting.flow, ["code": "000000"]).code == "flow_expired")
            _ = try SignedInAnswer(try await gateway.passwordSignIn(person.email, GatewayProcess.password))
            #expect(
                try await gateway.delete("/v1/account/factors/\(person.factor)", bearer: strong.accessToken).status
                    == 404)
        }

        @Test("a new factor, its removal, recovery codes and a new password are each reported to the proved address")
        func notices() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let asked = try await gateway.passwordProved(person.email)
            let code: JSONObject = ["recovery_code": .string(person.recoveryCodes[0])]
            let strong = try SignedInAnswer(try await gateway.answer(asked.flow, code)).accessToken
            let codes = try await gateway.post("/v1/account/factors", ["type": "recovery_codes"], bearer: strong)
            let removed = try await gateway.delete("/v1/account/factors/\(person.factor)", bearer: strong)
            let changed = try await gateway.post(
                "/v1/password/change",
                ["current_password": .string(GatewayProcess.password), "new_password": "a newer heron under the weir"],
                bearer: strong)
            #expect([codes.status, removed.status, changed.status] == [201, 204, 204])
            for kind in [
                "factor_added", "recovery_code_used", "recovery_codes_replaced", "factor_removed", "password_changed",
            ] {
                let notice = "notice.\(kind)"
                let sent = try await gateway.count(
                    "select count(*) from outbox where kind = \(notice) and address = \(person.email)")
                #expect(sent == 1, "\(kind)")
            }
        }

        @Test("recovery codes are replaced together, by a strong session")
        func newRecoveryCodes() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let strong = try await gateway.signIn(person)
            let answer = try await gateway.post(
                "/v1/account/factors", ["type": "recovery_codes"], bearer: strong.accessToken)
            #expect(answer.status == 201)
            let codes = (answer.json["recovery_codes"]?.array ?? []).compactMap(\.string)
            #expect(codes.count == 10 && Set(codes).isDisjoint(with: person.recoveryCodes))
            #expect(try await gateway.audit(answer).map(\.action) == ["recovery_codes_replaced"])
            let asked = try await gateway.passwordProved(person.email)
            #expect(
                try await gateway.answer(asked.flow, ["recovery_code": .string(person.recoveryCodes[0])]).code
                    == "code_wrong")
            _ = try SignedInAnswer(try await gateway.answer(asked.flow, ["recovery_code": .string(codes[9])]))
            let plain = try await gateway.signUp(Fresh.email())
            try await gateway.expectRefusal(
                try await gateway.post("/v1/account/factors", ["type": "recovery_codes"], bearer: plain.accessToken),
                409,
                "no_second_factor", action: "add_factor")
        }

        @Test("another account's factor is nowhere")
        func foreignFactor() async throws {
            let gateway = try GatewayProcess.current
            let (one, other) = (try await gateway.protectedPerson(), try await gateway.protectedPerson())
            let strong = try await gateway.signIn(one)
            #expect(
                try await gateway.delete("/v1/account/factors/\(other.factor)", bearer: strong.accessToken).status
                    == 404)
            #expect(
                try await gateway.patch(
                    "/v1/account/factors/\(other.factor)", ["name": "Mine"], bearer: strong.accessToken
                ).status == 404)
            #expect(try await gateway.delete("/v1/account/factors/nothing", bearer: strong.accessToken).status == 404)
        }

        @Test(
            "an unknown factor is refused, with its member",
            arguments: [
                ["type": "wish"], ["type": "email", "email": "nobody"], ["type": "sms", "phone": "1"],
                ["type": "email"], [:],
            ] as [JSON])
        func shapes(body: JSON) async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.anyone()
            try await gateway.expectRefusal(
                try await gateway.post("/v1/account/factors", body, bearer: person.accessToken), 400, "invalid_request",
                action: "add_factor")
        }

        @Test("L: a link waits for the second factor of its account")
        func linking() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let who: JSONObject = ["subject": .string(Fresh.subject("amazon")), "email": .string(person.email)]
            let link = try PendingAnswer(try await gateway.signIn("amazon", who), "link_account")
            let asked = try PendingAnswer(
                try await gateway.passwordSignIn(person.email, GatewayProcess.password, linkFlow: link.flow),
                "confirm_sign_in_with_totp_code")
            #expect(
                try await gateway.count("select count(*) from identities where account_id = \(person.account)::uuid")
                    == 0)
            _ = try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.wrongCode(person.secret))])
            #expect(
                try await gateway.count("select count(*) from identities where account_id = \(person.account)::uuid")
                    == 0)
            let joined = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(
                try await gateway.audit(joined.answer, atLeast: 2).map(\.action) == ["identity_linked", "signed_in"])
            // The linked identity also demands the second factor.
            _ = try PendingAnswer(try await gateway.signIn("amazon", who), "confirm_sign_in_with_totp_code")
        }
    }
}
