import JSON
import Postgres
import TestSupport
import Testing

extension StepTests {
    /// Only a proved factor raises a session.
    @Suite("Raising a session")
    struct StepUpTests {
        @Test("a second factor raises a session, which a new one replaces")
        func raised() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let weak = person.session
            #expect(try weak.facts.acr == "1")
            let begun = try await gateway.post("/v1/session/step-up", [:], bearer: weak.accessToken)
            let asked = try PendingAnswer(begun, "confirm_sign_in_with_totp_code")
            #expect(try await gateway.audit(begun).map(\.action) == ["step_up_started"])
            let raised = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(try raised.facts.acr == "2" && raised.facts.amr == ["pwd", "otp", "mfa"])
            #expect(raised.session != weak.session && raised.account == weak.account)
            _ = try await poll { try await gateway.checkSession(weak.accessToken).status == 401 ? () : nil }
            #expect(try await gateway.refresh(weak.refreshToken).status == 401)
        }

        @Test("a session that was raised long ago proves its second factor again")
        func raisedAgain() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let strong = try await gateway.signIn(person)
            try await gateway.age(strong.session)
            let asked = try PendingAnswer(
                try await gateway.post("/v1/session/step-up", [:], bearer: strong.accessToken),
                "confirm_sign_in_with_totp_code")
            let fresh = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
            #expect(try fresh.facts.acr == "2")
            #expect(
                try await gateway.delete("/v1/account/factors/\(person.factor)", bearer: fresh.accessToken).status
                    == 204)
        }

        @Test("D10: a raised session ends with the session that it replaces")
        func absoluteEnd() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let ends = try await gateway.end(of: person.session.session, in: "1 hour")
            var bearer = person.session
            for _ in 0..<2 {
                let asked = try PendingAnswer(
                    try await gateway.post("/v1/session/step-up", [:], bearer: bearer.accessToken),
                    "confirm_sign_in_with_totp_code")
                bearer = try SignedInAnswer(
                    try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))]))
                #expect(try await gateway.end(of: bearer.session) == ends)
                let told = try #require(bearer.answer.json["session"]?["refresh_expires_in"]?.integer)
                #expect((3_000...3_600).contains(told))
            }
            // A refresh does not extend it.
            let refreshed = try await gateway.refreshed(bearer.refreshToken)
            #expect(try await gateway.end(of: refreshed.session) == ends)
        }

        @Test("a wrong code raises nothing and ends nothing")
        func wrong() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let asked = try PendingAnswer(
                try await gateway.post("/v1/session/step-up", [:], bearer: person.session.accessToken))
            let wrong = try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.wrongCode(person.secret))])
            #expect(wrong.code == "code_wrong")
            #expect(try await gateway.checkSession(person.session.accessToken).json["session"]?["acr"] == "1")
        }

        @Test("S-08: a session signed out meanwhile can't be stepped up", arguments: ["local", "global"])
        func signedOutMeanwhile(scope: String) async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let asked = try PendingAnswer(
                try await gateway.post("/v1/session/step-up", [:], bearer: person.session.accessToken))
            #expect(try await gateway.signOut(person.session.accessToken, scope: scope).status == 204)
            let answer = try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(person))])
            // Signing out everywhere ends the step-up, too.
            let (status, code) = scope == "local" ? (401, "session_ended") : (400, "flow_expired")
            try await gateway.expectRefusal(answer, status, code, action: "continue_sign_in")
            let open = try await gateway.count(
                "select count(*) from sessions where account_id = \(person.account)::uuid and ended_at is null")
            #expect(open == 0)
            #expect(try await gateway.answer(asked.flow, ["code": "000000"]).code == "flow_expired")
        }

        @Test("a user without a second factor can't step up")
        func nothingToRaiseBy() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.anyone()
            try await gateway.expectRefusal(
                try await gateway.post("/v1/session/step-up", [:], bearer: person.accessToken), 409, "no_second_factor",
                action: "step_up")
            #expect(try await gateway.post("/v1/session/step-up").code == "access_token_missing")
        }

        @Test("a remembered device is also asked for the second factor")
        func remembered() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let device = try #require(try await gateway.signIn(person, remember: true).device)
            let weak = try SignedInAnswer(
                try await gateway.signIn(
                    "password", ["username": .string(person.email), "password": .string(GatewayProcess.password)],
                    device: device))
            let answer = try await gateway.post(
                "/v1/session/step-up", ["device": ["token": .string(device)]], bearer: weak.accessToken)
            _ = try PendingAnswer(answer, "confirm_sign_in_with_totp_code")
        }

        @Test("S-17: refreshing and linking never raise a session")
        func sidePaths() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let refreshed = try await gateway.refreshed(person.session.refreshToken)
            #expect(try TokenFacts(refreshed.accessToken).acr == "1")
            let form = try await gateway.form(
                "/v1/token",
                [("grant_type", "refresh_token"), ("refresh_token", refreshed.refreshToken), ("client_id", "app")],
                secret: nil)
            let token = try #require(form.json["access_token"]?.string, "\(form.text)")
            #expect(try TokenFacts(token).acr == "1" && TokenFacts(token).amr == ["pwd"])
            // Another first-factor proof besides the session's is one more first factor.
            let minted = try await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))])
            let linked = try await gateway.post(
                "/v1/account/identities", ["provider": "apple", "credential": .object(minted.credential())],
                bearer: token)
            #expect(linked.code == "step_up_required", "\(linked.text)")
            #expect(try await gateway.checkSession(token).json["session"]?["acr"] == "1")
            let beside = try await gateway.signIn(
                try await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))]), bearer: token)
            #expect(beside.code == "step_up_required", "\(beside.text)")
        }

        @Test("S-17: a session without the second factor can neither link nor remove identities")
        func signInMethods() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let (weak, strong) = (person.session, try await gateway.signIn(person))
            let linked = try await gateway.link(try await gateway.simulator.mint("google"), bearer: strong.accessToken)
            #expect(linked.status == 201, "\(linked.text)")
            let identity = try #require(linked.json["identity"]?["id"]?.string)
            try await gateway.expectRefusal(
                try await gateway.link(try await gateway.simulator.mint("apple"), bearer: weak.accessToken), 403,
                "step_up_required", action: "link_identity")
            try await gateway.expectRefusal(
                try await gateway.signIn(try await gateway.simulator.mint("apple"), bearer: weak.accessToken), 403,
                "step_up_required")
            try await gateway.expectRefusal(
                try await gateway.delete("/v1/account/identities/\(identity)", bearer: weak.accessToken), 403,
                "step_up_required", action: "unlink_identity")
            #expect(try await gateway.identities(strong) == ["google"])
            let old = try await gateway.aged(strong, seconds: 601)
            try await gateway.expectRefusal(
                try await gateway.delete("/v1/account/identities/\(identity)", bearer: old), 403, "reauth_required",
                action: "unlink_identity")
            let again = try await gateway.signIn(person)
            #expect(
                try await gateway.delete("/v1/account/identities/\(identity)", bearer: again.accessToken).status == 204)
        }

        @Test("S-17: a strong session stays strong after a refresh")
        func strongRefresh() async throws {
            let gateway = try GatewayProcess.current
            let strong = try await gateway.signIn(try await gateway.protectedPerson())
            let facts = try TokenFacts(try await gateway.refreshed(strong.refreshToken).accessToken)
            #expect(try facts == strong.facts)
        }

        @Test("a session's flow accepts only factors of its own account")
        func foreignFlow() async throws {
            let gateway = try GatewayProcess.current
            let (one, other) = (try await gateway.protectedPerson(), try await gateway.protectedPerson())
            let asked = try PendingAnswer(
                try await gateway.post("/v1/session/step-up", [:], bearer: one.session.accessToken))
            #expect(
                try await gateway.answer(asked.flow, ["code": .string(try await gateway.freshCode(other))]).code
                    == "code_wrong")
        }
    }
}

extension GatewayProcess {
    /// The maximum end of a session, in Unix seconds; with `interval` it is set first.
    fileprivate func end(of session: String, in interval: String? = nil) async throws -> Int {
        if let interval {
            try await change(
                "update sessions set expires_at = now() + \(interval)::interval where id = \(session)::uuid")
        }
        return try await count(
            "select floor(extract(epoch from expires_at))::int8 from sessions where id = \(session)::uuid")
    }
}
