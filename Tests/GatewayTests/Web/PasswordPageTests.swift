import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Sign-up, sign-in and the account page, in a browser's order.
@Suite(
    .gateway(["CLIENT_REDIRECT_URIS": "https://app.example.org/back,org.example.app:/back,http://127.0.0.1/back"]))
struct PasswordPageTests {
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    private func signedUp(_ path: String = "/sign-up") async throws -> (browser: PageBrowser, email: String) {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await PageBrowser.open(gateway, path)
        try await browser.submit(
            "/sign-up", ["email": email, "password": GatewayProcess.password, "display_name": "Ann & Lee"])
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        return (browser, email)
    }

    @Test("Signing up leads to the account page, with a session cookie")
    func signUp() async throws {
        let (browser, email) = try await signedUp()
        #expect(browser.page.status == 200)
        #expect(browser.page.text.contains(email))
        #expect(browser.page.text.contains("Ann &amp; Lee"))
        let session = try #require(browser.cookies["__Host-session"])
        let answer = try await browser.send(TestRequest("GET", "/v1/session"))
        #expect(answer.json["account"]?["email"] == .string(email))
        #expect(!browser.page.text.contains(session))
    }

    @Test(
        "The mail with the code is in the language of the page",
        arguments: [("ja", "確認コード"), ("ru", "ваш код"), ("fr", "is your code")])
    func mailLanguage(locale: String, words: String) async throws {
        let (_, email) = try await signedUp("/sign-up?ui_locales=\(locale)")
        let mails = try GatewayProcess.current.mails(to: email)
        #expect(mails.count == 1)
        #expect(mails.first?.subject.contains(words) == true)
    }

    @Test("S-16 every cookie is __Host-, Secure, HttpOnly and Lax; the session's secret is in none of the pages")
    func cookieFlags() async throws {
        let (browser, _) = try await signedUp()
        #expect(
            Set(browser.setCookies.map { String($0.prefix { $0 != "=" }) }) == [
                "__Host-form", "__Host-session", "__Host-device", "__Host-method",
            ])
        for line in browser.setCookies {
            #expect(line.contains("; Path=/; Secure; HttpOnly; SameSite=Lax"))
            #expect(!line.contains("Domain"))
        }
    }

    @Test("A wrong password shows an error and keeps the input, except the password")
    func wrongPassword() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let answer = try await browser.passwordSignIn("nobody@example.org", "wrong horse")
        #expect(answer.status == 401)
        #expect(answer.text.contains("role=\"alert\""))
        #expect(answer.text.contains("nobody@example.org"))
        #expect(!answer.text.contains("wrong horse"))
        let rows = try await gateway.audit(answer)
        #expect(rows.map(\.reason) == ["invalid_credentials"])
    }

    @Test("3-D14: an expired temporary password gets a page that says so")
    func temporaryPassword() async throws {
        let gateway = try GatewayProcess.current
        let (_, email) = try await signedUp()
        try await gateway.change(
            """
            update passwords set set_at = now() - interval '8 days'
             where account_id = (select account_id from account_emails where address_key = \(email))
            """)
        try await gateway.change(
            """
            update accounts set password_state = 'temporary'
             where id = (select account_id from account_emails where address_key = \(email))
            """)
        let browser = try await PageBrowser.open(gateway, "/login")
        let answer = try await browser.passwordSignIn(email)
        #expect(answer.status == 403)
        #expect(answer.text.contains("This password has expired"), "\(answer.text)")
    }

    @Test("S-11 a session id from before the sign-in is not reused, and the replaced session ends")
    func freshSession() async throws {
        let (browser, email) = try await signedUp()
        let old = try #require(browser.cookies["__Host-session"])
        try await browser.visit("/login")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        let new = try #require(browser.cookies["__Host-session"])
        #expect(new != old)
        let replaced = try await GatewayProcess.current.send(
            TestRequest("GET", "/v1/session").header("Cookie", "__Host-session=\(old)"))
        #expect(replaced.status == 401)
    }

    @Test("An app's code arrives at the app's address, and is redeemed once with the verifier")
    func handOver() async throws {
        let gateway = try GatewayProcess.current
        let path =
            "?client_id=app&redirect_uri=org.example.app%3A%2Fback&state=s%26t&code_challenge=\(Self.challenge)"
        let (browser, email) = try await signedUp("/sign-up" + path)
        let departure = try #require(browser.departure)
        #expect(departure.hasPrefix("org.example.app:/back?code=hc_"))
        #expect(browser.departureQuery["state"] == "s&t")
        #expect(browser.departureQuery["iss"] == "http://localhost:8080")
        #expect(browser.cookies["__Host-session"] != nil)
        let fields = [
            ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", "org.example.app:/back"),
            ("code", browser.departureQuery["code"] ?? ""), ("code_verifier", Self.verifier),
        ]
        let tokens = try await gateway.send(TestRequest("POST", "/v1/token").form(fields))
        #expect(tokens.status == 200, "\(tokens.text)")
        #expect(tokens.json["token_type"] == "Bearer")
        let access = try #require(tokens.json["access_token"]?.string)
        #expect(try await gateway.get("/v1/session", bearer: access).json["account"]?["email"] == .string(email))
        let refresh = try #require(tokens.json["refresh_token"]?.string)
        let next = try await gateway.send(
            TestRequest("POST", "/v1/token").form([
                ("grant_type", "refresh_token"), ("client_id", "app"), ("refresh_token", refresh),
            ]))
        #expect(next.status == 200, "\(next.text)")
        #expect(next.json["refresh_token"]?.string != refresh)

        // RFC 6749 §4.1.2: a second use of the code revokes the first one's tokens.
        let again = try await gateway.send(TestRequest("POST", "/v1/token").form(fields))
        #expect(again.status == 400)
        #expect(again.json["error"] == "invalid_grant")
        #expect(try await gateway.get("/v1/session", bearer: access).status == 401)
    }

    @Test(
        "W-06 a code is refused without its verifier, client and address",
        arguments: [
            ("code_verifier", String(repeating: "a", count: 43)), ("redirect_uri", "http://127.0.0.1/back"),
            ("code", "hc_made-up"),
        ])
    func handOverBinding(_ field: String, _ value: String) async throws {
        let gateway = try GatewayProcess.current
        let (browser, _) = try await signedUp(
            "/sign-up?client_id=app&redirect_uri=org.example.app%3A%2Fback&code_challenge=\(Self.challenge)")
        let good = [
            "grant_type": "authorization_code", "client_id": "app", "redirect_uri": "org.example.app:/back",
            "code": browser.departureQuery["code"] ?? "", "code_verifier": Self.verifier,
        ]
        let bad = try await gateway.send(
            TestRequest("POST", "/v1/token").form(good.merging([field: value]) { $1 }.map { ($0, $1) }))
        #expect(bad.status == 400)
        #expect(bad.json["error"] == "invalid_grant")
        #expect(bad.json["access_token"] == nil)
        let then = try await gateway.send(TestRequest("POST", "/v1/token").form(good.map { ($0, $1) }))
        #expect(then.status == (field == "code" ? 200 : 400), "a code is spent by the first look at it")
    }

    @Test("A signed-in user continues without a new sign-in, at this app alone")
    func goOn() async throws {
        let gateway = try GatewayProcess.current
        let (browser, _) = try await signedUp()
        let other = "other-\(Fresh.text())"
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                insert into clients (id, name, origins, redirect_uris, providers)
                values (\(other), 'Other', '{https://other.example.org}', '{https://other.example.org/back}',
                        (select providers from clients where id = 'app'))
                """)
        }
        try await poll {
            try await gateway.get("/login?client_id=\(other)").status == 200 ? () : nil
        }
        try await browser.visit("/login?redirect_uri=https%3A%2F%2Fapp.example.org%2Fback&state=s")
        try await browser.submit("/login/continue")
        #expect(browser.departure == "https://app.example.org/back?state=s")
        let token = try #require(
            try await browser.visit("/login").forms.first?.fields.first { $0.0 == "form_token" }?.1)
        let there = [("client_id", other), ("redirect_uri", "https://other.example.org/back"), ("form_token", token)]
        let refused = try await browser.post("/login/continue", there)
        #expect(refused.status == 401)
        #expect(browser.departure == nil)
        #expect(
            try await browser.visit("/login?client_id=\(other)&redirect_uri=https%3A%2F%2Fother.example.org%2Fback")
                .text.contains("continue-as") == false)
    }

    @Test("A website's session is a cookie, and its state is returned to it")
    func website() async throws {
        let (browser, _) = try await signedUp("/sign-up?redirect_uri=https%3A%2F%2Fapp.example.org%2Fback&state=xyz")
        #expect(browser.departure == "https://app.example.org/back?state=xyz")
        #expect(browser.cookies["__Host-session"] != nil)
    }

    @Test("L-13 a form of another site, or without its token, changes nothing")
    func forgedForms() async throws {
        let gateway = try GatewayProcess.current
        let (browser, _) = try await signedUp()
        let form = try #require(browser.page.forms.first { $0.action == "/account/profile" })
        let token = try #require(form.fields.first { $0.0 == "form_token" }?.1)
        let attempts: [([(String, String)], [(String, String)])] = [
            ([("display_name", "Mallory")], []),
            ([("display_name", "Mallory"), ("form_token", "AAAAAAAAAAAAAAAAAAAAAA")], []),
            ([("display_name", "Mallory"), ("form_token", token)], [("Origin", "https://evil.example")]),
            ([("display_name", "Mallory"), ("form_token", token)], [("Sec-Fetch-Site", "cross-site")]),
            ([("display_name", "Mallory"), ("form_token", token)], [("Sec-Fetch-Site", "same-site")]),
        ]
        for (fields, headers) in attempts {
            browser.headers = headers
            let answer = try await browser.post("/account/profile", fields)
            #expect(answer.status == 403)
            #expect(try await gateway.audit(answer).map(\.reason) == ["form_not_bound"])
        }
        browser.headers = []
        #expect(try await browser.visit("/account").text.contains("Mallory") == false)
    }

    @Test("Signing out ends the session, here or everywhere", arguments: ["local", "global"])
    func signOut(_ scope: String) async throws {
        let (browser, email) = try await signedUp()
        let other = try await PageBrowser.open(try GatewayProcess.current, "/login")
        try await other.passwordSignIn(email, GatewayProcess.password)
        let cookie = try #require(browser.cookies["__Host-session"])
        let token = try #require(
            browser.page.forms.first { $0.action == "/logout" }?.fields.first { $0.0 == "form_token" }?.1)
        let answer = try await browser.post("/logout", [("form_token", token), ("scope", scope)])
        #expect(answer.status == 200)
        #expect(browser.cookies["__Host-session"] == nil)
        let ended = try await GatewayProcess.current.send(
            TestRequest("GET", "/v1/session").header("Cookie", "__Host-session=\(cookie)"))
        #expect(ended.status == 401)
        let elsewhere = try await other.send(TestRequest("GET", "/v1/session"))
        #expect(elsewhere.status == (scope == "global" ? 401 : 200))
    }

    @Test("The account page changes the name and ends other devices; without a session it leads to the login page")
    func account() async throws {
        let gateway = try GatewayProcess.current
        let (browser, email) = try await signedUp()
        try await browser.submit("/account/profile", ["display_name": "Anna"])
        #expect(browser.page.text.contains("Anna"))
        let other = try await PageBrowser.open(gateway, "/login")
        try await other.passwordSignIn(email, GatewayProcess.password)
        try await browser.visit("/account/devices")
        let end = try #require(browser.page.forms.first { $0.action.hasSuffix("/end") })
        try await browser.submit(end.action)
        #expect(try await other.visit("/account").text.contains("id=\"password-form\""))
        #expect(try await browser.visit("/account").text.contains("Anna"))
    }

    @Test(
        "A made-up or repeated cookie is no session",
        arguments: ["x", "", "AAAA", String(repeating: "A", count: 86), String(repeating: "A", count: 4_000)])
    func foreignCookies(_ value: String) async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.send(
            TestRequest("GET", "/v1/session").header("Cookie", "__Host-session=\(value)"))
        #expect(answer.status == 401)
        let (browser, _) = try await signedUp()
        let session = try #require(browser.cookies["__Host-session"])
        let doubled = try await gateway.send(
            TestRequest("GET", "/v1/session").header("Cookie", "__Host-session=\(value); __Host-session=\(session)"))
        #expect(doubled.status == 401)
    }

    @Test("A page of a registered origin may read the session by its cookie, one of another may not")
    func crossOrigin() async throws {
        let (browser, _) = try await signedUp()
        browser.headers = [("Origin", Deployment.origin)]
        let allowed = try await browser.send(TestRequest("GET", "/v1/session"))
        #expect(allowed.status == 200)
        #expect(allowed.header("Access-Control-Allow-Credentials") == "true")
        #expect(allowed.header("Access-Control-Allow-Origin") == Deployment.origin)
        browser.headers = [("Origin", "https://evil.example")]
        let refused = try await browser.send(TestRequest("GET", "/v1/session"))
        #expect(refused.status == 403)
        #expect(refused.header("Access-Control-Allow-Origin") == nil)
        #expect(refused.json["account"] == nil)
        browser.headers = [("Origin", Deployment.origin)]
        #expect(
            try await browser.send(TestRequest("GET", "/account")).header("Access-Control-Allow-Credentials") == nil)
    }

    @Test(
        "W-05 an address that isn't registered is refused at the start, and never redirected to",
        arguments: [
            "//evil", "/\\evil", "https:evil", "https://ok@evil", "https://app.example.org.evil/back", "%2f%2fevil",
            "https://app.example.org/back#x", "https://app.example.org/ba\tck", "https://app.example.org/back\n",
            "https://evil.example/back", "javascript:alert(1)",
        ])
    func redirects(_ uri: String) async throws {
        let gateway = try GatewayProcess.current
        let encoded = uri.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for page in ["/login", "/sign-up", "/forgot"] {
            let answer = try await gateway.get("\(page)?client_id=app&redirect_uri=\(encoded)")
            #expect(answer.status == 400)
            #expect(answer.header("Location") == nil)
            // Development shows the address, as text alone.
            let document = try HTMLDocument(answer.body)
            let targets = ["a", "form", "img", "link", "script"].flatMap { document.all($0) }
                .flatMap { Array($0.attributes.values) }
            #expect(targets.allSatisfy { !$0.contains("evil") })
            let rows = try await gateway.audit(answer)
            #expect(rows.map(\.reason) == ["redirect_not_allowed"])
            #expect(rows.map(\.client) == ["app"])
        }
    }

    @Test("W-12 pages can't be framed, and run no foreign or inline script")
    func headers() async throws {
        for path in ["/login", "/sign-up", "/forgot", "/login?client_id=nobody", "/login/nobody"] {
            let answer = try await GatewayProcess.current.get(path)
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("default-src 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.header("X-Frame-Options") == "DENY")
            #expect(answer.header("Cache-Control") == "no-store")
        }
    }

    @Test("A parameter that is given twice is refused")
    func doubledParameters() async throws {
        let gateway = try GatewayProcess.current
        for path in ["/login?client_id=app&client_id=app", "/login?state=a&state=b&redirect_uri=x"] {
            #expect(try await gateway.get(path).status == 400)
        }
    }
}
