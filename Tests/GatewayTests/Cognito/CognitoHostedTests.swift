import Foundation
import JSON
import OperatorAccess
import Postgres
import Testing

@Suite(
    "Cognito's API: hosted sign-in",
    .gateway(["CLIENT_REDIRECT_URIS": "org.example.app:/back,https://app.example.org/back"]))
struct CognitoHostedTests {
    private static let address = "org.example.app:/back"
    private static let query =
        "response_type=code&client_id=4example&redirect_uri=org.example.app%3A%2Fback&state=st"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

    private func token(_ api: CognitoAPI, _ fields: String, basic: String? = nil) async throws -> TestAnswer {
        // Amplify's body is not percent-encoded.
        var request = TestRequest("POST", "/oauth2/token").bytes(Array(fields.utf8))
            .header("Content-Type", "application/x-www-form-urlencoded")
        if let basic { request = request.header("Authorization", "Basic \(Data(basic.utf8).base64EncodedString())") }
        return try await api.gateway.send(request)
    }

    private func code(_ api: CognitoAPI, scope: String, _ email: String) async throws -> String {
        let browser = try await PageBrowser.open(
            api.gateway, "/oauth2/authorize?\(Self.query)&scope=\(scope)&identity_provider=COGNITO")
        try await browser.passwordSignIn(email)
        let answer = browser.departureQuery
        #expect(answer["state"] == "st")
        return try #require(answer["code"], "\(browser.page.text)")
    }

    private func redeemed(_ api: CognitoAPI, scope: String, _ email: String) async throws -> TestAnswer {
        try await redeemed(api, code: try await code(api, scope: scope, email))
    }

    private func redeemed(_ api: CognitoAPI, code: String) async throws -> TestAnswer {
        try await token(
            api,
            "grant_type=authorization_code&client_id=4example&code=\(code)&redirect_uri=\(Self.address)"
                + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test("a code gives three tokens with the scopes asked for; the API goes on with them")
    func code() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let answer = try await redeemed(api, scope: "openid%20email%20aws.cognito.signin.user.admin", email)
        #expect(answer.status == 200, "\(answer.text)")
        let access = try #require(answer.json["access_token"]?.string)
        let claims = try #require(Tokens.object(access, part: 1))
        #expect(claims["scope"] == "openid email aws.cognito.signin.user.admin")
        #expect(answer.json["id_token"]?.string != nil && answer.json["token_type"] == "Bearer")
        let user = try await api.call("GetUser", ["AccessToken": .string(access)])
        #expect(user["Username"] == claims["sub"], "\(user.text)")
        let refresh = try #require(answer.json["refresh_token"]?.string)
        _ = try CognitoTokensAnswer(try await api.call("GetTokensFromRefreshToken", ["RefreshToken": .string(refresh)]))
        let info = try await api.gateway.get("/oauth2/userInfo", bearer: access)
        #expect(info.json["email"] == .string(email) && info.json["sub"] == claims["sub"], "\(info.text)")
        let revoked = try await api.gateway.send(
            TestRequest("POST", "/oauth2/revoke").form([("token", refresh), ("client_id", "4example")]))
        #expect(revoked.status == 200)
        #expect(
            try await api.call("GetUser", ["AccessToken": .string(access)])["message"]
                == "Access Token has been revoked")
    }

    @Test("3-D6: a code is redeemed for nothing while the account's deletion is pending")
    func leaving() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let code = try await code(api, scope: "openid", email)
        try await api.gateway.change(
            """
            update accounts
               set deletion_requested_at = now(), deletion_due_at = now() + interval '14 days', deletion_by = 'person'
             where id = (select account_id from account_emails where address_key = \(email))
            """)
        let answer = try await redeemed(api, code: code)
        #expect(answer.status == 400 && answer.json["error"] == "invalid_grant", "\(answer.text)")
        #expect(answer.json["error_description"]?.string?.hasSuffix("/account") == true, "\(answer.text)")
    }

    @Test("3-D6: a sign-in during a pending deletion shows where the user cancels it, and gives the app no code")
    func leavingPage() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(try await api.call("DeleteUser", ["AccessToken": .string(tokens.accessToken)]) == [:])
        let browser = try await PageBrowser.open(api.gateway, "/oauth2/authorize?\(Self.query)&scope=openid")
        try await browser.passwordSignIn(email)
        #expect(browser.page.status == 409 && browser.departure == nil, "\(browser.page.text)")
        let link = try HTMLDocument(browser.page.body).element(id: "action-to_account")
        #expect(link?.attributes["href"] == "/account")
        let live = try await api.gateway.count(
            """
            select count(*) from sessions s join account_emails e using (account_id)
             where e.address_key = \(email) and s.ended_at is null and s.browser_id is not null
            """)
        #expect(live == 0)
        try await browser.visit("/account")
        try await browser.submit("/account/deletion/cancel")
        _ = try await code(api, scope: "openid", email)
    }

    @Test("3-C7: ID tokens live for an hour, whatever the lifetime of access tokens")
    func lives() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let hosted = try await redeemed(api, scope: "openid%20email", email).json
        let direct = try CognitoTokensAnswer(try await api.passwordAuth(email))
        #expect(direct.expiresIn == 600 && hosted["expires_in"] == 600)
        for token in [try #require(hosted["id_token"]?.string), direct.idToken] {
            let claims = try #require(Tokens.object(token, part: 1))
            let (from, until) = (try #require(claims["iat"]?.integer), try #require(claims["exp"]?.integer))
            #expect(until - from == 3_600)
        }
    }

    @Test(
        "3-B13: the scopes of a token select what userInfo and the ID token tell",
        arguments: [
            ("openid", ["name", "email", "email_verified"], []),
            ("openid%20email", ["email", "email_verified"], ["name"]),
            ("openid%20phone", [], ["name", "email", "email_verified"]),
            ("openid%20profile", ["name"], []),
        ] as [(String, [String], [String])])
    func claims(scope: String, told: [String], untold: [String]) async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let named = try await api.call(
            "UpdateUserAttributes",
            [
                "AccessToken": .string(tokens.accessToken),
                "UserAttributes": [["Name": "name", "Value": "Ann Example"]],
            ])
        try #require(named["error"] == nil, "\(named.text)")
        let answer = try await redeemed(api, scope: scope, email)
        let identity = try #require(Tokens.object(answer.json["id_token"]?.string ?? "", part: 1), "\(answer.text)")
        let access = try #require(answer.json["access_token"]?.string)
        let info = try await api.gateway.get("/oauth2/userInfo", bearer: access).json
        #expect(identity["sub"] != nil && info["sub"] == identity["sub"])
        for name in told { #expect(identity[name] != nil && info[name] != nil, "\(name)") }
        for name in untold { #expect(identity[name] == nil && info[name] == nil, "\(name)") }
    }

    @Test("without the scope of the API its operations refuse the token")
    func scopes() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let answer = try await redeemed(api, scope: "openid%20email", email)
        let access = try #require(answer.json["access_token"]?.string, "\(answer.text)")
        let user = try await api.call("GetUser", ["AccessToken": .string(access)])
        #expect(user["error"] == "NotAuthorizedException")
        #expect(user["message"] == "Access Token does not have required scopes")
        #expect(answer.json["refresh_token"]?.string != nil)
    }

    @Test("a named provider is entered at once; an unknown one gets the page")
    func providers() async throws {
        let api = try await CognitoAPI.current
        for (name, path) in [
            ("SignInWithApple", "/login/apple?"), ("LoginWithAmazon", "/login/amazon?"), ("COGNITO", "/login?"),
            ("Nobody", "/login?"),
        ] {
            let answer = try await api.gateway.get(
                "/oauth2/authorize?\(Self.query)&scope=openid&identity_provider=\(name)")
            #expect(answer.status == 302 && answer.header("Location")?.hasPrefix(path) == true, "\(name)")
        }
        let browser = try await PageBrowser.open(api.gateway, "/oauth2/authorize?client_id=nobody")
        #expect(browser.page.status == 400)
    }

    @Test("a wrong code, address or verifier is OAuth's error, with its text under both names")
    func refused() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let code = try await code(api, scope: "openid", email)
        let answer = try await token(
            api,
            "grant_type=authorization_code&client_id=4example&code=\(code)&redirect_uri=https://evil.example/"
                + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(answer.status == 400 && answer.json["error"] == "invalid_grant", "\(answer.text)")
        #expect(answer.json["error_message"] == answer.json["error_description"])
        #expect(answer.json["error_message"]?.string?.isEmpty == false)
        let grant = try await token(api, "grant_type=client_credentials&client_id=4example")
        #expect(grant.json["error"] == "unsupported_grant_type")
        let client = try await token(api, "grant_type=refresh_token&refresh_token=x", basic: "nobody:secret")
        #expect(client.json["error"] == "invalid_client")
    }

    @Test("3-D12: /logout ends no session of an app outside the pool without a click, and HEAD ends none")
    func foreignLogout() async throws {
        let api = try await CognitoAPI.current
        let owner = try await ConsoleOperator.browser(api.gateway, .owner)
        let leave = "/logout?client_id=4example&logout_uri=https%3A%2F%2Fapp.example.org%2Fback"
        for address in [leave, "/logout?client_id=4example&redirect_uri=https%3A%2F%2Fapp.example.org%2Fback"] {
            try await owner.visit(address)
            #expect(owner.page.status == 200 && owner.page.forms.contains { $0.action == "/logout" })
            #expect(try await owner.visit("/admin").status == 200)
            #expect(owner.cookies["__Host-session"] != nil)
        }
        try await owner.visit(leave)
        try await owner.submit("/logout")
        #expect(owner.departure == "https://app.example.org/back")
        #expect(try await owner.send(TestRequest("GET", "/v1/session")).status == 401)

        let email = Fresh.email()
        try await api.signUp(email)
        let browser = try await PageBrowser.open(api.gateway, "/login")
        try await browser.passwordSignIn(email)
        let unregistered = try await browser.send(
            TestRequest("GET", "/logout?client_id=4example&redirect_uri=https%3A%2F%2Fevil.example%2F"))
        #expect(unregistered.status == 400)
        let head = try await browser.send(TestRequest("HEAD", leave))
        #expect(head.status == 403 && head.headers.allSatisfy { $0.name.lowercased() != "set-cookie" })
        #expect(try await browser.send(TestRequest("GET", "/v1/session")).status == 200)
    }

    @Test("/logout ends the browser's session, and leads to a registered address only")
    func logout() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        try await api.signUp(email)
        let browser = try await PageBrowser.open(api.gateway, "/login")
        try await browser.passwordSignIn(email)
        #expect(browser.cookies["__Host-session"] != nil)
        let evil = try await browser.send(
            TestRequest("GET", "/logout?client_id=4example&logout_uri=https%3A%2F%2Fevil.example%2F"))
        #expect(evil.status == 400)
        #expect(try await browser.send(TestRequest("GET", "/v1/session")).status == 200)
        let answer = try await browser.send(
            TestRequest("GET", "/logout?client_id=4example&logout_uri=https%3A%2F%2Fapp.example.org%2Fback"))
        #expect(answer.status == 302 && answer.header("Location") == "https://app.example.org/back")
        #expect(try await browser.send(TestRequest("GET", "/v1/session")).status == 401)
    }
}
