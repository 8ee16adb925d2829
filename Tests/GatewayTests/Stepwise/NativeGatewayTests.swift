import JSON
import Testing

/// The complete path: an app, the gateway, the simulated external tenant.
@Suite(
    "Native authentication through the gateway",
    .gateway(["MICROSOFT_WEB_TENANT_ID": SimulatedTenant.id, "CLIENT_REDIRECT_URIS": "org.example.app:/back"]))
struct NativeGatewayTests {
    private func tenant() throws -> SimulatedTenant {
        try SimulatedTenant(GatewayProcess.current.deployment.simulator)
    }

    private func begin(_ name: String, _ password: String? = SimulatedTenant.password) async throws -> TestAnswer {
        var credential: JSONObject = ["username": .string(name)]
        credential["password"] = password.map(JSON.string)
        return try await documented(
            "/v1/sign-in", ["provider": "microsoft", "client_id": "app", "credential": .object(credential)])
    }

    private func answer(_ asked: TestAnswer, _ response: JSON) async throws -> TestAnswer {
        try await documented("/v1/sign-in/continue", ["flow": asked.json["flow"] ?? .null, "response": response])
    }

    /// Checks every answer against `docs/openapi.yaml`.
    private func documented(_ path: String, _ body: JSON) async throws -> TestAnswer {
        let request = TestRequest("POST", path).json(body)
        let answer = try await GatewayProcess.current.send(request)
        #expect(try OpenAPIDocument.current.get().complaints(about: answer, to: request) == [], "\(answer.text)")
        return answer
    }

    @Test("a name and a password sign in, and it is the same account the next time")
    func password() async throws {
        let name = try await tenant().user()
        let first = try SignedInAnswer(try await begin(name))
        #expect(first.isNewAccount)
        let second = try SignedInAnswer(try await begin(name))
        #expect(second.account == first.account)
        #expect(try await begin(name, "wrong").status == 401)
        #expect(try await begin(Fresh.email()).status == 401)
    }

    @Test("a code is demanded, and counts once")
    func code() async throws {
        let tenant = try tenant()
        let name = try await tenant.user(["methods": [["channel": "email", "target": "ann@example.org"]]])
        let asked = try await begin(name)
        #expect(asked.json["next_step"]?["type"] == "confirm_sign_in_with_otp")
        #expect(!asked.text.contains("continuation"), "the tenant's token stays here")
        #expect(try await answer(asked, ["code": "wrong"]).status == 400)
        let code: JSON = ["code": .string(try await tenant.code("second_factor", of: name))]
        #expect(try SignedInAnswer(try await answer(asked, code)).isNewAccount)
        #expect(try await answer(asked, code).status == 400)
    }

    @Test("a forgotten password is reset")
    func forgotten() async throws {
        let tenant = try tenant()
        let name = try await tenant.user()
        let asked = try await answer(begin(name, nil), ["forgot_password": true])
        #expect(asked.json["next_step"]?["type"] == "reset_password", "\(asked.text)")
        let code = try await tenant.code("reset_password", of: name)
        let done = try await answer(asked, ["code": .string(code), "new_password": "N3w-Horse!"])
        #expect(done.status == 200, "\(done.text)")
        #expect(try await begin(name, "N3w-Horse!").status == 200)
    }

    @Test("the calls for our own resets and sign-ups also serve the provider's, each only its own kind")
    func ownCalls() async throws {
        let tenant = try tenant()
        let name = try await tenant.user()
        let asked = try await answer(begin(name, nil), ["forgot_password": true])
        let code = try await tenant.code("reset_password", of: name)
        let flow = asked.json["flow"] ?? .null
        let wrong = try await documented(
            "/v1/password/reset", ["flow": flow, "response": ["code": "00000000", "new_password": "N3w-Horse!"]])
        #expect(wrong.code == "code_wrong", "\(wrong.text)")
        let done = try await documented(
            "/v1/password/reset", ["flow": flow, "response": ["code": .string(code), "new_password": "N3w-Horse!"]])
        _ = try SignedInAnswer(done)
        let email = Fresh.email()
        let signUp = try await GatewayProcess.current.beginSignUp(email)
        let strange = try await documented(
            "/v1/password/reset",
            ["flow": .string(signUp), "response": ["code": "000000", "new_password": "N3w-Horse!"]])
        #expect(strange.code == "flow_expired")
        #expect(try await documented("/v1/sign-up/resend", ["flow": flow]).code == "flow_expired")
    }

    @Test("after a slow password reset the user polls for the session")
    func slowReset() async throws {
        let tenant = try tenant()
        let name = try await tenant.user(["polls": 8])
        let asked = try await answer(begin(name, nil), ["forgot_password": true])
        let code = try await tenant.code("reset_password", of: name)
        let waiting = try await answer(asked, ["code": .string(code), "new_password": "N3w-Horse!"])
        #expect(waiting.json["next_step"] == ["type": "continue_password_reset", "retry_after": 1], "\(waiting.text)")
        #expect(waiting.json["expires_in"] == 120 && waiting.json["flow"] == asked.json["flow"])
        let flow: JSON = ["flow": waiting.json["flow"] ?? .null]
        #expect(try await documented("/v1/sign-in/resend", flow).code == "nothing_to_resend")
        #expect(try SignedInAnswer(try await answer(waiting, [:])).isNewAccount)
        #expect(try await answer(waiting, [:]).code == "flow_expired")
    }

    @Test("the address of a browser step leads to the tenant, with the app's parameters")
    func inBrowser() async throws {
        let gateway = try GatewayProcess.current
        let asked = try await begin(try await tenant().user(["redirects": ["oauth2/v2.0/initiate"]]))
        #expect(asked.json["next_step"]?["url"] == "http://localhost:8080/login/microsoft?client_id=app")
        let added =
            "&redirect_uri=org.example.app%3A%2Fback&state=s&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let sent = try await gateway.get("/login/microsoft?client_id=app" + added)
        let location = try #require(sent.header("Location"))
        #expect(sent.status == 303 && location.contains("/\(SimulatedTenant.id)/"), "\(sent.text)")
    }

    @Test("a step that needs a browser ends the flow", arguments: ["oauth2/v2.0/initiate", "oauth2/v2.0/token"])
    func browser(path: String) async throws {
        let name = try await tenant().user(["redirects": [.string(path)]])
        var asked = try await begin(name, nil)
        let isLater = path == "oauth2/v2.0/token"
        let first = asked
        if isLater { asked = try await answer(asked, ["password": .string(SimulatedTenant.password)]) }
        #expect(asked.json["next_step"]?["type"] == "continue_in_browser", "\(asked.text)")
        #expect(asked.json["flow"] == "" && asked.json["expires_in"] == 0)
        if isLater { #expect(try await answer(first, ["password": "x"]).status == 400) }
    }

    @Test("a disallowed sign-up is refused")
    func noSignUp() async throws {
        let name = try await tenant().user(["exists": false])
        #expect(try await begin(name).status == 401)
    }
}
