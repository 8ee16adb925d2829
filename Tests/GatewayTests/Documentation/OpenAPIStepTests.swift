import JSON
import Postgres
import Testing
import WebAuthnTestAuthenticator

/// The steps of a sign-in, and a user's changes of factors.
extension OpenAPIServerTests {
    private func answer(_ flow: String, _ response: JSONObject) async throws -> TestAnswer {
        try await post("/v1/sign-in/continue", ["flow": .string(flow), "response": .object(response)])
    }

    private func begin(_ provider: String, _ name: String?) async throws -> PendingAnswer {
        var credential: JSONObject = [:]
        credential["username"] = name.map(JSON.string)
        return try PendingAnswer(
            try await post(
                "/v1/sign-in", ["provider": .string(provider), "client_id": "app", "credential": .object(credential)]))
    }

    @Test("first factors, codes and resends")
    func firstFactors() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let selection = try await begin("password", email)
        for factor in ["password", "passkey", "email_otp"] {
            let flow = try await begin("password", email).flow
            #expect(try await answer(flow, ["factor": .string(factor)]).status == 200)
        }
        #expect(try await answer(selection.flow, ["factor": "wish"]).code == "invalid_request")
        #expect(try await post("/v1/sign-in/resend", ["flow": .string(selection.flow)]).code == "nothing_to_resend")
        let sent = try await begin("email_otp", email)
        #expect(try await post("/v1/sign-in/resend", ["flow": .string(sent.flow)]).code == "resend_too_soon")
        try await gateway.waitForResend(sent.flow)
        #expect(try await post("/v1/sign-in/resend", ["flow": .string(sent.flow)]).status == 200)
        let code = try await gateway.mailedCode(to: email, number: 4)
        #expect(
            try await answer(sent.flow, ["code": .string(code == "000000" ? "000001" : "000000")]).code == "code_wrong")
        #expect(try await answer(sent.flow, ["code": .string(code)]).status == 200)
        _ = try await begin("sms_otp", GatewayProcess.freshPhone())
        let passkey = try await begin("passkey", nil)
        #expect(try await answer(passkey.flow, ["credential": [:]]).code == "passkey_refused")
    }

    @Test("factors, second factors, step-up, remembered devices")
    func factors() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        let asked = try PendingAnswer(try await passwordSignIn(person.email))
        #expect(try await answer(asked.flow, ["factor": "recovery_code"]).status == 200)
        let strong = try SignedInAnswer(
            try await answer(asked.flow, ["recovery_code": .string(person.recoveryCodes[0]), "remember_device": true]))
        let bearer = strong.accessToken
        #expect(try await send(TestRequest("GET", "/v1/session").bearer(bearer)).status == 200)
        for body in [["type": "totp"], ["type": "passkey"], ["type": "email", "email": .string(Fresh.email())]]
            as [JSON]
        {
            #expect(try await post("/v1/account/factors", body, bearer: bearer).status == 200)
        }
        #expect(try await post("/v1/account/factors", ["type": "recovery_codes"], bearer: bearer).status == 201)
        let begun = try PendingAnswer(try await post("/v1/account/factors", ["type": "passkey"], bearer: bearer))
        let options = try #require(begun.step["passkey"])
        let key = try TestAuthenticator.making(options, origin: StepServer.origin)
        let added = try await post(
            "/v1/account/factors/confirm",
            ["flow": .string(begun.flow), "response": ["credential": try key.register(options), "name": "Key"]],
            bearer: bearer)
        #expect(added.status == 201)
        #expect(try await send(TestRequest("GET", "/v1/account/factors").bearer(bearer)).status == 200)
        let selection = try PendingAnswer(try await passwordSignIn(person.email))
        #expect(selection.type == "continue_sign_in_with_mfa_selection")
        let path = "/v1/account/factors/\(person.factor)"
        let preferred: JSON = ["preferred": true, "name": "App"]
        #expect(try await send(TestRequest("PATCH", path).json(preferred).bearer(bearer)).status == 200)
        #expect(try await post("/v1/session/step-up", [:], bearer: bearer).status == 200)
        let list = try await send(TestRequest("GET", "/v1/account/devices").bearer(bearer))
        let device = try #require(list.json["devices"]?.array?.first?["id"]?.string)
        #expect(try await send(TestRequest("DELETE", "/v1/account/devices/\(device)").bearer(bearer)).status == 204)
        #expect(try await send(TestRequest("DELETE", path).bearer(bearer)).status == 204)
        #expect(try await post("/v1/session/step-up", [:], bearer: bearer).status == 200)
    }

    @Test("a forgotten password, a changed password, and set-up during a sign-in")
    func passwordsAndSetUp() async throws {
        let gateway = try GatewayProcess.current
        let app = try await gateway.demandingClient()
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let change: JSON = [
            "current_password": .string(GatewayProcess.password), "new_password": "another heron over the weir",
        ]
        #expect(try await post("/v1/password/change", change, bearer: person.accessToken).status == 204)
        #expect(try await post("/v1/password/change", change, bearer: person.accessToken).code == "invalid_credentials")
        let asked = try PendingAnswer(
            try await post("/v1/password/forgot", ["client_id": .string(app), "username": .string(email)]))
        let code = try await gateway.mailedCode(to: email, number: 2)
        let reset: JSON = [
            "flow": .string(asked.flow),
            "response": ["code": .string(code), "new_password": .string(GatewayProcess.password)],
        ]
        let selection = try PendingAnswer(try await post("/v1/password/reset", reset))
        #expect(selection.type == "continue_sign_in_with_mfa_setup_selection")
        #expect(try await answer(selection.flow, ["factor": "email"]).status == 200)
        let other = Fresh.email("example.net")
        #expect(try await answer(selection.flow, ["email": .string(other)]).status == 200)
        let proof = try await gateway.mailedCode(to: other, number: 1)
        let signedIn = try await answer(selection.flow, ["code": .string(proof)])
        #expect(signedIn.json["recovery_codes"]?.array?.count == 10, "\(signedIn.text)")
        try await gateway.change("update accounts set password_state = 'temporary' where id = \(person.account)::uuid")
        let temporary = try PendingAnswer(try await passwordSignIn(email))
        let second = try await gateway.mailedCode(to: other, number: 2)
        let last = try PendingAnswer(try await answer(temporary.flow, ["code": .string(second)]))
        #expect(last.type == "confirm_sign_in_with_new_password")
        #expect(try await answer(last.flow, ["new_password": "grey heron over the pond"]).status == 200)
    }

    private func passwordSignIn(_ email: String) async throws -> TestAnswer {
        let credential: JSON = ["username": .string(email), "password": .string(GatewayProcess.password)]
        return try await post("/v1/sign-in", ["provider": "password", "client_id": "app", "credential": credential])
    }
}
