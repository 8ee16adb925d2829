import JSON
import Postgres
import TestSupport
import Testing

@Suite("Native authentication, version 2: sign-in", .gateway())
struct NativeV2SignInTests {
    @Test("a mailed code signs in; a wrong one keeps token and link, and each step replaces the token")
    func code() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let offered = try await api.begin("sign_in", email)
        #expect(try offered.methods("singleFactor").compactMap { $0["type"]?.string } == ["password", "email"])
        let verify = try await api.choose("email", of: offered)
        let right = try await api.gateway.mailedCode(to: email, number: 2)
        let wrong = try await api.follow("verify", of: verify, ["otp": right == "000000" ? "000001" : "000000"])
        #expect(wrong.code == "invalidGrant" && wrong.innerCode == "invalidOneTimeCode", "\(wrong.json.text)")
        #expect(wrong.message.hasPrefix("AADSTS50181"))
        let finished = try await api.follow("verify", of: verify, ["otp": .string(right)])
        #expect(finished.isFinished)
        let tokens = [try offered.token, try verify.token, try finished.token]
        #expect(Set(tokens).count == 3)
        _ = try await api.tokens(finished)
        #expect(try await api.follow("verify", of: verify, ["otp": .string(right)]).isOver)
    }

    @Test("a right password signs in; a wrong one gets 50126 and keeps the token")
    func password() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let verify = try await api.choose("password", of: try await api.begin("sign_in", email))
        let wrong = try await api.follow("verify", of: verify, ["password": "another password 5"])
        #expect(wrong.code == "invalidGrant" && wrong.innerCode == "invalidUserNameOrPassword", "\(wrong.json.text)")
        #expect(wrong.message.hasPrefix("AADSTS50126"))
        let missing = try await api.follow("verify", of: verify, ["otp": "123456"])
        #expect(missing.code == "invalidRequest" && missing.message.hasPrefix("AADSTS90100"))
        let finished = try await api.follow(
            "verify", of: verify, ["password": .string(GatewayProcess.password), "unknown": true])
        let tokens = try await api.tokens(finished)
        let one = try (try await api.versionOne.passwordSignIn(email)).tokens()
        #expect(tokens.identity["oid"] == one.identity["oid"] && tokens.identity["tid"] == one.identity["tid"])
    }

    @Test("five wrong passwords end the flow")
    func guesses() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let verify = try await api.choose("password", of: try await api.begin("sign_in", email))
        for _ in 0..<5 {
            #expect(try await api.follow("verify", of: verify, ["password": "another password 5"]).status == 400)
        }
        let right = try await api.follow("verify", of: verify, ["password": .string(GatewayProcess.password)])
        #expect(right.isOver, "\(right.json.text)")
    }

    @Test("another code is sent after a while, and the earlier one ends")
    func resend() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let verify = try await api.choose("email", of: try await api.begin("sign_in", email))
        let first = try await api.gateway.mailedCode(to: email, number: 2)
        let early = try await api.follow("resend", of: verify)
        #expect(early.code == "tooManyRequests" && early.message.hasPrefix("AADSTS90033"), "\(early.json.text)")
        #expect((early.retryAfter.flatMap(Int.init) ?? 0) > 0)
        try await api.gateway.change("update flows set resend_after = now() where kind = 'sign_in'")
        let again = try await api.follow("resend", of: verify)
        try again.requireVerify("email")
        let second = try await api.gateway.mailedCode(to: email, number: 3)
        if first != second {
            #expect(
                try await api.follow("verify", of: again, ["otp": .string(first)]).innerCode == "invalidOneTimeCode")
        }
        #expect(try await api.follow("verify", of: again, ["otp": .string(second)]).isFinished)
    }

    @Test("a second factor is offered after the password, challenged and proved")
    func secondFactor() async throws {
        let api = try await NativeV2API.current
        let (email, second) = (Fresh.email(), Fresh.email())
        try await api.gateway.addMailbox(second, to: try await api.gateway.signUp(email))
        let offered = try await api.passwordSignIn(email)
        let verify = try await api.choose("email", of: offered, factor: "multiFactor")
        let right = try await api.gateway.mailedCode(to: second, number: api.gateway.mailedCodes(to: second))
        let wrong = try await api.follow("verify", of: verify, ["otp": right == "000000" ? "000001" : "000000"])
        #expect(wrong.innerCode == "invalidOneTimeCode")
        _ = try await api.tokens(try await api.follow("verify", of: verify, ["otp": .string(right)]))
    }

    @Test("a demanded second factor that the account lacks, and a reset of a protected account, need a browser")
    func fallback() async throws {
        try await withGateway { gateway in
            let api = try await NativeV2API.enabled(on: gateway)
            let (email, other, second) = (Fresh.email(), Fresh.email(), Fresh.email())
            _ = try await gateway.signUp(email)
            try await gateway.addMailbox(second, to: try await gateway.signUp(other))
            let verify = try await api.choose("email", of: try await api.begin("reset_password", other))
            let code = try await gateway.mailedCode(to: other, number: 2)
            let update = try await api.follow("verify", of: verify, ["otp": .string(code)])
            let password: JSONObject = ["newPassword": "another fine password 9"]
            #expect(try await api.follow("update", of: update, password, method: "PUT").isFallback)
            try await gateway.change("update clients set mfa = 'required' where id = 'app'")
            let answer = try await poll {
                let answer = try await api.passwordSignIn(email)
                return answer.isFinished ? nil : answer
            }
            #expect(answer.status == 400 && answer.isFallback, "\(answer.json.text)")
        }
    }

    @Test("3-D6: while the account's deletion is pending, a sign-in needs a browser")
    func leaving() async throws {
        let api = try await NativeV2API.enabled(on: try GatewayProcess.current)
        let email = Fresh.email()
        let person = try await api.gateway.signUp(email)
        #expect(try await api.gateway.delete("/v1/account", bearer: person.accessToken).status == 202)
        let refused = try await api.passwordSignIn(email)
        #expect(refused.status == 400 && refused.isFallback, "\(refused.json.text)")
    }

    @Test("the code of a journey works once, for its app, and within the scope of the start")
    func authorizationCode() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let offered = try await api.begin("sign_in", email, scope: "openid offline_access")
        let verify = try await api.choose("password", of: offered)
        let finished = try await api.follow("verify", of: verify, ["password": .string(GatewayProcess.password)])
        let code = try await api.code(finished)
        let tokens = try await api.redeem(code)
        #expect(tokens.json["scope"] == "openid offline_access", "\(tokens.json.text)")
        let again = try await api.redeem(code)
        #expect(again.error == "invalid_grant" && again.number == 70_008, "\(again.json.text)")
        #expect(try await api.redeem("nc_unknown").number == 70_008)
        #expect(try await api.redeem("nc_\(try finished.token)").number == 70_008)
        // A browser's code still needs its proof key and its redirect address.
        #expect(try await api.redeem("hc_unknown").number == 90_100)
    }

    @Test("a code of a journey is none for another door, and a browser's code is none here")
    func kinds() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let code = try await api.code(try await api.passwordSignIn(email))
        let asBrowser = try await api.gateway.send(
            TestRequest("POST", "/v1/token").form([
                ("grant_type", "authorization_code"), ("client_id", "app"), ("code", code),
                ("code_verifier", String(repeating: "v", count: 43)), ("redirect_uri", "org.example.app:/back"),
            ]))
        #expect(asBrowser.status == 400, "\(asBrowser.text)")
        #expect(try await api.redeem(code).status == 200)
    }

    @Test("a token of another step, tenant or version, and a foreign link, end the flow")
    func tokens() async throws {
        let api = try await NativeV2API.current
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let offered = try await api.begin("sign_in", email)
        let verify = try await api.choose("password", of: offered)
        let path = "/\(api.tenant)/api/v2.0"
        let (token, otp): (String, JSONObject) = (try verify.token, ["otp": "123456"])
        #expect(try await api.post("\(path)/signin/start", token, ["username": .string(email)]).isOver)
        #expect(try await api.post("\(path)/signup/attributes", token, ["attributes": [:]]).isOver)
        #expect(try await api.post("\(path)/resetpassword/password", token, otp, method: "PUT").isOver)
        #expect(try await api.post("\(path)/auth/methods/email/email_otp/verify", token, otp).isOver)
        #expect(try await api.post("\(path)/auth/methods/password/password/verify", "unknown", otp).isOver)
        // The chosen method replaced the flow's step.
        #expect(try await api.post("\(path)/auth/methods/email/email_otp/challenge", try offered.token).isOver)
        let foreign = "/fabrikam.onmicrosoft.com/api/v2.0/auth/methods/password/password/verify"
        #expect(try await api.post(foreign, token, ["password": .string(GatewayProcess.password)]).isOver)
        let resumed = try await api.form("/oauth2/v2.0/authorize-challenge", [("continuation_token", token)])
        #expect(resumed.json["error"] == "invalid_grant" && resumed.json["error_codes"] == [55_200])
        let one = try await api.versionOne.call(
            "/oauth2/v2.0/token",
            [("grant_type", "password"), ("continuation_token", token), ("password", GatewayProcess.password)])
        #expect(one.number == 55_200, "\(one.json.text)")
        let other = try await api.versionOne.initiate(email)
        #expect(try await api.post("\(path)/signin/start", other, ["username": .string(email)]).isOver)
        let finished = try await api.follow("verify", of: verify, ["password": .string(GatewayProcess.password)])
        #expect(finished.isFinished, "no refusal consumed the token")
    }
}

extension GatewayProcess {
    /// Gives an account a second factor by mail.
    func addMailbox(_ mailbox: String, to person: SignedInAnswer) async throws {
        let pending = try await post(
            "/v1/account/factors", ["type": "email", "email": .string(mailbox)], bearer: person.accessToken)
        let flow = try #require(pending.json["flow"]?.string, "\(pending.text)")
        let code = try await mailedCode(to: mailbox)
        #expect(try await confirmFactor(flow, ["code": .string(code)], bearer: person.accessToken).status == 201)
    }
}
