import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Native authentication, version 1", .gateway(["CLIENT_ATTRIBUTES": "given_name,tier!"]))
struct NativeAuthTests {
    private static let attributes: JSON = [
        "givenName": "Ann", "displayName": "Ann Example", "extension_0123456789abcdef_tier": "gold", "shoe": "41",
    ]

    @Test("a sign-up with password and attributes signs in by its continuation token, once")
    func signUp() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        let proved = try await api.signUp(email, attributes: Self.attributes)
        let grant = [
            ("grant_type", "continuation_token"), ("continuation_token", proved), ("username", email),
            ("client_info", "true"), NativeAuthAPI.scope,
        ]
        let tokens = try (try await api.call("/oauth2/v2.0/token", grant)).tokens()
        #expect(tokens.identity["preferred_username"] == .string(email) && tokens.identity["name"] == "Ann Example")
        #expect(tokens.identity["given_name"] == "Ann" && tokens.identity["tier"] == "gold")
        let again = try await api.call("/oauth2/v2.0/token", grant)
        #expect(again.error == "expired_token")
        let issuer = try await api.gateway.get("/\(NativeAuthAPI.tenantName)/v2.0/.well-known/openid-configuration")
            .json
        #expect(issuer["issuer"] == tokens.identity["iss"])
        #expect(issuer["token_endpoint"]?.string?.hasSuffix("/\(NativeAuthAPI.tenantName)/oauth2/v2.0/token") == true)
    }

    @Test("a right password gives tokens, a wrong one 50126 and another try with the same token")
    func password() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        _ = try await api.signUp(email, attributes: Self.attributes)
        _ = try (try await api.passwordSignIn(email)).tokens()
        let first = try await api.initiate(email)
        let challenge = try await api.call(
            "/oauth2/v2.0/challenge", [("continuation_token", first), NativeAuthAPI.challengeTypes])
        #expect(challenge.token != first)
        let token = try #require(challenge.token)
        func answer(_ password: String) async throws -> NativeAuthAnswer {
            try await api.call(
                "/oauth2/v2.0/token",
                [
                    ("grant_type", "password"), ("continuation_token", token), ("password", password),
                    NativeAuthAPI.scope,
                ])
        }
        let wrong = try await answer("another password 5")
        #expect(wrong.error == "invalid_grant" && wrong.number == 50_126 && wrong.suberror == nil)
        _ = try (try await answer(GatewayProcess.password)).tokens()
    }

    @Test("a code signs in; a wrong one keeps the token")
    func code() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        _ = try await api.signUp(email, attributes: Self.attributes)
        let first = try await api.token(
            "/oauth2/v2.0/initiate", [("username", email), ("challenge_type", "oob redirect")])
        let challenge = try await api.call(
            "/oauth2/v2.0/challenge", [("continuation_token", first), ("challenge_type", "oob redirect")])
        try challenge.requireCode()
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        func answer(_ code: String) async throws -> NativeAuthAnswer {
            try await api.call(
                "/oauth2/v2.0/token",
                [
                    ("grant_type", "oob"), ("continuation_token", try #require(challenge.token)), ("oob", code),
                    NativeAuthAPI.scope,
                ])
        }
        let wrong = try await answer(code == "000000" ? "000001" : "000000")
        #expect(wrong.error == "invalid_grant" && wrong.suberror == "invalid_oob_value")
        _ = try (try await answer(code)).tokens()
        #expect(try await answer(code).error == "expired_token")
    }

    @Test("another challenge sends another code, not before its interval")
    func resend() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        let first = try await api.token(
            "/signup/v1.0/start",
            [
                ("username", email), ("password", GatewayProcess.password), ("attributes", Self.attributes.text),
                NativeAuthAPI.challengeTypes,
            ])
        let challenge = try await api.call(
            "/signup/v1.0/challenge", [("continuation_token", first), ("challenge_type", "oob redirect")])
        let token = try #require(challenge.token)
        let early = try await api.call(
            "/signup/v1.0/challenge", [("continuation_token", token), ("challenge_type", "oob redirect")])
        #expect(early.error == "invalid_request", "\(early.json.text)")
        try await api.gateway.change("update flows set resend_after = now() where kind = 'sign_up'")
        let again = try await api.call(
            "/signup/v1.0/challenge", [("continuation_token", token), ("challenge_type", "oob redirect")])
        try again.requireCode()
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        _ = try await api.token(
            "/signup/v1.0/continue",
            [("continuation_token", try #require(again.token)), ("grant_type", "oob"), ("oob", code)])
    }

    @Test("a reset proves the code, then takes the password, polls once and signs in")
    func reset() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        _ = try await api.signUp(email, attributes: Self.attributes)
        let next = "a quiet otter below the mill 7"
        let first = try await api.token(
            "/resetpassword/v1.0/start", [("username", email), ("challenge_type", "oob redirect")])
        let challenge = try await api.call(
            "/resetpassword/v1.0/challenge", [("continuation_token", first), ("challenge_type", "oob redirect")])
        try challenge.requireCode()
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        func prove(_ code: String) async throws -> NativeAuthAnswer {
            try await api.call(
                "/resetpassword/v1.0/continue",
                [("continuation_token", try #require(challenge.token)), ("grant_type", "oob"), ("oob", code)])
        }
        #expect(try await prove(code == "000000" ? "000001" : "000000").suberror == "invalid_oob_value")
        let proved = try await prove(code)
        #expect(proved.json["expires_in"]?.integer ?? 0 > 0, "\(proved.json.text)")
        let token = try #require(proved.token)
        func submit(_ password: String) async throws -> NativeAuthAnswer {
            try await api.call(
                "/resetpassword/v1.0/submit", [("continuation_token", token), ("new_password", password)])
        }
        #expect(try await submit("short").suberror == "password_too_short")
        let submitted = try await submit(next)
        #expect(submitted.json["poll_interval"]?.integer != nil, "\(submitted.json.text)")
        let polled = try await api.call(
            "/resetpassword/v1.0/poll_completion", [("continuation_token", try #require(submitted.token))])
        #expect(polled.json["status"] == "succeeded")
        _ = try
            (try await api.call(
                "/oauth2/v2.0/token",
                [
                    ("grant_type", "continuation_token"), ("continuation_token", try #require(polled.token)),
                    ("username", email), NativeAuthAPI.scope,
                ])).tokens()
        _ = try (try await api.passwordSignIn(email, next)).tokens()
        #expect(try await api.passwordSignIn(email).number == 50_126)
    }

    @Test("a code is guessed five times at most, however many answers come at once")
    func guesses() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        _ = try await api.signUp(email, attributes: Self.attributes)
        let first = try await api.token(
            "/resetpassword/v1.0/start", [("username", email), ("challenge_type", "oob redirect")])
        let challenge = try await api.call(
            "/resetpassword/v1.0/challenge", [("continuation_token", first), ("challenge_type", "oob redirect")])
        let code = try await api.gateway.mailedCode(to: email, number: 2)
        let token = try #require(challenge.token)
        let none = try await api.call(
            "/resetpassword/v1.0/continue", [("continuation_token", token), ("grant_type", "oob"), ("oob", "12-34")])
        #expect(none.json["suberror"] == "invalid_oob_value")
        let wrong = (0..<12).map { String(format: "%06d", $0) }.filter { $0 != code }
        _ = try await inParallel(wrong) { guess in
            try await api.call(
                "/resetpassword/v1.0/continue",
                [("continuation_token", token), ("grant_type", "oob"), ("oob", guess)])
        }
        let right = try await api.call(
            "/resetpassword/v1.0/continue", [("continuation_token", token), ("grant_type", "oob"), ("oob", code)])
        #expect(right.status == 400, "\(right.json.text)")
    }

    @Test("a refresh gives new tokens; one of this dialect works nowhere else")
    func refresh() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        _ = try await api.signUp(email, attributes: Self.attributes)
        let tokens = try (try await api.passwordSignIn(email)).tokens()
        let refreshed = try
            (try await api.call(
                "/oauth2/v2.0/token",
                [
                    ("grant_type", "refresh_token"), ("refresh_token", tokens.refreshToken), ("client_info", "1"),
                    NativeAuthAPI.scope,
                ])).tokens()
        #expect(refreshed.identity["oid"] == tokens.identity["oid"])
        #expect(try await api.gateway.refresh(refreshed.refreshToken).status == 401)
        #expect(try await api.gateway.checkSession(refreshed.accessToken).status == 401)
        let own = try SignedInAnswer(try await api.gateway.passwordSignIn(email, GatewayProcess.password))
        #expect(try await api.gateway.signOut(own.accessToken, scope: "global").status == 204)
        let ended = try await api.call(
            "/oauth2/v2.0/token",
            [("grant_type", "refresh_token"), ("refresh_token", refreshed.refreshToken), NativeAuthAPI.scope])
        #expect(ended.error == "invalid_grant")
    }

    @Test("3-N3: a revoked access token of native authentication ends its session")
    func revoke() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        _ = try await api.signUp(email, attributes: Self.attributes)
        let tokens = try (try await api.passwordSignIn(email)).tokens()
        #expect(try await api.gateway.revoke(tokens.accessToken).status == 200)
        let ended = try await api.call(
            "/oauth2/v2.0/token",
            [("grant_type", "refresh_token"), ("refresh_token", tokens.refreshToken), NativeAuthAPI.scope])
        #expect(ended.error == "invalid_grant", "\(ended.json.text)")
    }

    @Test("an unknown user gets the same answers as a known one")
    func unknown() async throws {
        let api = try await NativeAuthAPI.current
        let name = Fresh.email()
        #expect(try await api.passwordSignIn(name).number == 50_126)
        let first = try await api.token(
            "/resetpassword/v1.0/start", [("username", name), ("challenge_type", "oob redirect")])
        let challenge = try await api.call(
            "/resetpassword/v1.0/challenge", [("continuation_token", first), ("challenge_type", "oob redirect")])
        try challenge.requireCode()
        let guess = try await api.call(
            "/resetpassword/v1.0/continue",
            [("continuation_token", try #require(challenge.token)), ("grant_type", "oob"), ("oob", "123456")])
        #expect(guess.suberror == "invalid_oob_value")
    }

    @Test("wrong requests have the errors that MSAL knows, and status 400")
    func form() async throws {
        let api = try await NativeAuthAPI.current
        let start = "/oauth2/v2.0/initiate"
        let empty = try await api.call(start, [NativeAuthAPI.challengeTypes])
        #expect(empty.error == "invalid_request" && empty.number == 90_100)
        #expect(empty.json["error_description"]?.string?.contains("username parameter is empty or not valid") == true)
        let list = try await api.call(start, [("username", "a@b.example"), ("challenge_type", "oob password")])
        #expect(list.error == "unsupported_challenge_type" && list.number == 901_007)
        let odd = try await api.call(start, [("username", "a@b.example"), ("challenge_type", "magic redirect")])
        #expect(odd.json["error_description"]?.string?.contains("contains an unsupported challenge type") == true)
        let token = try await api.call(
            "/oauth2/v2.0/challenge", [("continuation_token", "x"), NativeAuthAPI.challengeTypes])
        #expect(token.error == "invalid_request" && token.number == 55_200)
        let foreign = try await api.token(
            "/resetpassword/v1.0/start", [("username", "a@b.example"), ("challenge_type", "oob redirect")])
        let series = try await api.call(
            "/signup/v1.0/challenge", [("continuation_token", foreign), ("challenge_type", "oob redirect")])
        #expect(series.number == 55_200)
        var other = api
        other.tenant = "fabrikam.onmicrosoft.com"
        #expect(try await other.call(start, [("username", "a@b.example")]).error == "unauthorized_client")
        other.tenant = NativeAuthAPI.tenantID
        #expect(try await other.call(start, [("username", "a@b.example"), NativeAuthAPI.challengeTypes]).status == 200)
    }

    @Test("a browser of a registered origin may call, with the headers of MSAL")
    func crossOrigin() async throws {
        let api = try await NativeAuthAPI.current
        let asked =
            "client-request-id,x-client-cpu,x-client-current-telemetry,x-client-last-telemetry,x-client-os,x-client-sku,x-client-ver"
        let answer = try await api.gateway.send(
            TestRequest("OPTIONS", "/\(api.tenant)/oauth2/v2.0/initiate").header("Origin", Deployment.origin)
                .header("Access-Control-Request-Method", "POST").header("Access-Control-Request-Headers", asked))
        #expect(answer.status == 204 && answer.header("Access-Control-Allow-Headers") == asked)
    }
}

@Suite("Native authentication: second factors", .gateway())
struct NativeAuthFactorTests {
    private static let all = "mfa_required registration_required"

    @Test("a second factor is asked for, listed, challenged and proved; without the capability a browser is")
    func secondFactor() async throws {
        let api = try await NativeAuthAPI.current
        let (email, second) = (Fresh.email(), Fresh.email())
        let person = try await api.gateway.signUp(email)
        let pending = try await api.gateway.post(
            "/v1/account/factors", ["type": "email", "email": .string(second)], bearer: person.accessToken)
        let flow = try #require(pending.json["flow"]?.string, "\(pending.text)")
        let code = try await api.gateway.mailedCode(to: second)
        #expect(
            try await api.gateway.confirmFactor(flow, ["code": .string(code)], bearer: person.accessToken).status == 201
        )

        #expect(try await api.passwordSignIn(email).isRedirect)
        let asked = try await api.passwordSignIn(email, capabilities: Self.all)
        #expect(asked.error == "invalid_grant" && asked.suberror == "mfa_required", "\(asked.json.text)")
        let methods = try await api.call("/oauth2/v2.0/introspect", [("continuation_token", try #require(asked.token))])
        let method = try #require(methods.json["methods"]?.array?.first, "\(methods.json.text)")
        #expect(
            method["challenge_type"] == "oob" && method["challenge_channel"] == "email"
                && method["login_hint"]?.string != nil)
        let challenge = try await api.call(
            "/oauth2/v2.0/challenge",
            [("continuation_token", try #require(methods.token)), ("id", try #require(method["id"]?.string))])
        try challenge.requireCode()
        let codes = api.gateway.mailedCodes(to: second)
        let mailed = try await api.gateway.mailedCode(to: second, number: codes)
        func answer(_ code: String) async throws -> NativeAuthAnswer {
            try await api.call(
                "/oauth2/v2.0/token",
                [
                    ("grant_type", "mfa_oob"), ("continuation_token", try #require(challenge.token)), ("oob", code),
                    NativeAuthAPI.scope,
                ])
        }
        #expect(try await answer(mailed == "000000" ? "000001" : "000000").suberror == "invalid_oob_value")
        _ = try (try await answer(mailed)).tokens()
    }

    @Test("3-D6: while the account's deletion is pending, a sign-in leads to the page that cancels it")
    func leaving() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        let person = try await api.gateway.signUp(email)
        #expect(try await api.gateway.delete("/v1/account", bearer: person.accessToken).status == 202)
        let refused = try await api.passwordSignIn(email)
        #expect(refused.isRedirect, "\(refused.json.text)")
        #expect(refused.json["redirect_reason"]?.string?.hasSuffix("/account") == true, "\(refused.json.text)")
    }

    @Test("3-D15: a demanded second factor is registered during the sign-in, at the corrected mailbox")
    func registration() async throws {
        try await withGateway { gateway in
            let api = try await NativeAuthAPI.enabled(on: gateway)
            let (email, second) = (Fresh.email(), Fresh.email())
            _ = try await gateway.signUp(email)
            try await gateway.change("update clients set mfa = 'required' where id = 'app'")
            let asked = try await poll {
                let answer = try await api.passwordSignIn(email, capabilities: Self.all)
                return answer.suberror == "registration_required" ? answer : nil
            }
            let methods = try await api.call(
                "/register/v1.0/introspect", [("continuation_token", try #require(asked.token))])
            #expect(methods.json["methods"]?.array?.first?["id"] == "email", "\(methods.json.text)")
            func ask(_ mailbox: String, after answer: NativeAuthAnswer) async throws -> NativeAuthAnswer {
                try await api.call(
                    "/register/v1.0/challenge",
                    [
                        ("continuation_token", try #require(answer.token)), ("challenge_type", "oob"),
                        ("challenge_target", mailbox), ("challenge_channel", "email"),
                    ])
            }
            let mistyped = try await ask(Fresh.email(), after: methods)
            let challenge = try await ask(second, after: mistyped)
            #expect(
                challenge.json["challenge_target"] == .string(second) && challenge.json["code_length"]?.integer == 6)
            let code = try await gateway.mailedCode(to: second)
            let proved = try await api.token(
                "/register/v1.0/continue",
                [("continuation_token", try #require(challenge.token)), ("grant_type", "oob"), ("oob", code)])
            _ = try
                (try await api.call(
                    "/oauth2/v2.0/token",
                    [("grant_type", "continuation_token"), ("continuation_token", proved), NativeAuthAPI.scope]))
                .tokens()
        }
    }
}

@Suite(
    "Native authentication: sign-up in parts",
    .gateway(["CLIENT_ATTRIBUTES": "given_name,tier!", "CLIENT_PROVIDERS": "password"]))
struct NativeAuthSignUpTests {
    @Test("a sign-up asks after its code for the password, then for attributes")
    func signUpData() async throws {
        let api = try await NativeAuthAPI.current
        let email = Fresh.email()
        let asked = try await api.token("/signup/v1.0/start", [("username", email), NativeAuthAPI.challengeTypes])
        let challenge = try await api.call(
            "/signup/v1.0/challenge", [("continuation_token", asked), ("challenge_type", "oob redirect")])
        try challenge.requireCode()
        func goOn(_ token: String?, _ grant: String, _ field: (String, String)) async throws -> NativeAuthAnswer {
            try await api.call(
                "/signup/v1.0/continue",
                [("continuation_token", try #require(token)), ("grant_type", grant), field])
        }
        let proved = try await goOn(challenge.token, "oob", ("oob", try await api.gateway.mailedCode(to: email)))
        #expect(proved.error == "credential_required" && proved.number == 55_103, "\(proved.json.text)")
        let password = try await api.call(
            "/signup/v1.0/challenge",
            [("continuation_token", try #require(proved.token)), NativeAuthAPI.challengeTypes])
        #expect(password.json["challenge_type"] == "password", "\(password.json.text)")
        let weak = try await goOn(password.token, "password", ("password", "bob"))
        #expect(weak.suberror == "password_too_short", "\(weak.json.text)")
        let lacking = try await goOn(password.token, "password", ("password", GatewayProcess.password))
        #expect(lacking.error == "attributes_required" && lacking.number == 55_106, "\(lacking.json.text)")
        #expect(
            lacking.json["required_attributes"] == [["name": "tier", "type": "string", "required": true]],
            "\(lacking.json.text)")
        #expect(try await api.passwordSignIn(email).number == 50_126, "no account before its data")
        let empty = try await goOn(lacking.token, "attributes", ("attributes", "{}"))
        #expect(empty.error == "attributes_required")
        let done = try await goOn(lacking.token, "attributes", ("attributes", "{\"tier\": \"gold\"}"))
        let grant = [("grant_type", "continuation_token"), ("continuation_token", try #require(done.token))]
        let tokens = try (try await api.call("/oauth2/v2.0/token", grant + [NativeAuthAPI.scope])).tokens()
        #expect(tokens.identity["tier"] == "gold")
        _ = try (try await api.passwordSignIn(email)).tokens()
    }
}
