import Foundation
import JSON
import Postgres
import Testing

/// Sign-in through every provider's own pages, in a browser's order.
@Suite(.gateway(["CLIENT_REDIRECT_URIS": "https://app.example.org/back,org.example.app:/back"]))
struct WebSignInTests {
    static let providers = ["apple"] + SimulatedAuthorization.plain.map(\.provider)

    @Test("A sign-in with a provider creates an account the first time, and finds it the second", arguments: providers)
    func signIn(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let person: JSONObject = ["email": .string(Fresh.email())]
        var accounts: [String] = []
        for _ in 1...2 {
            let browser = try await PageBrowser.open(gateway, "/login")
            let authorization = try await browser.follow(link: provider)
            try await browser.comeBack(try await gateway.simulator.authorize(authorization, person))
            #expect(browser.page.status == 200, "\(browser.page.text)")
            let session = try await browser.send(TestRequest("GET", "/v1/session"))
            #expect(session.json["session"]?["provider"] == .string(provider))
            #expect(session.json["session"]?["amr"] == ["fed"])
            accounts.append(try #require(session.json["account"]?["id"]?.string))
            #expect(!browser.cookies.keys.contains { $0.hasPrefix("__Host-flow-") }, "the flow's cookie is gone")
        }
        #expect(accounts[0] == accounts[1])
        let rows = try await gateway.audit(account: accounts[0])
        #expect(rows.filter { $0.session != nil }.map(\.action).prefix(1) == ["account_created"])
        #expect(rows.contains { $0.action == "signed_in" && $0.reason == "known_identity" })
    }

    @Test(
        "3-R7: a prefetch of the callback, or HEAD, spends nothing, and the real request signs in",
        arguments: [
            ("GET", "Sec-Purpose", "prefetch;prerender"), ("GET", "Purpose", "prefetch"), ("GET", "X-Moz", "prefetch"),
            ("GET", "X-Purpose", "preview"), ("HEAD", "Accept", "*/*"),
        ])
    func speculation(method: String, header: String, value: String) async throws {
        let gateway = try GatewayProcess.current
        func guess(_ browser: PageBrowser, _ path: String) async throws {
            let answer = try await browser.send(TestRequest(method, path).header(header, value))
            #expect(
                answer.status == 403 && answer.headers.allSatisfy { $0.name.lowercased() != "set-cookie" }, "\(path)")
        }
        let browser = try await PageBrowser.open(gateway, "/health/live")
        try await guess(browser, "/login/google")
        let back = try await gateway.simulator.authorize(
            try await browser.start("google"), ["email": .string(Fresh.email())])
        try await guess(browser, back.path)
        try await browser.comeBack(back)
        #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        // An export leaves a row and a mail, and uses up its budget.
        let person = try await gateway.anyone()
        let export = TestRequest(method, "/v1/account/export").bearer(person.accessToken)
        #expect(try await gateway.send(export.header(header, value)).status == 403)
        #expect(
            try await gateway.count(
                "select count(*) from audit_events where action = 'account_exported' and account_id = \(person.account)::uuid"
            ) == 0)
    }

    @Test("S-16 only the flow's cookie is SameSite=None, for ten minutes and under 200 bytes", arguments: providers)
    func flowCookie(_ provider: String) async throws {
        let browser = try await PageBrowser.open(try GatewayProcess.current, "/login")
        try await browser.signIn(provider)
        let flows = browser.setCookies.filter { $0.hasPrefix("__Host-flow-") && !$0.contains("Max-Age=0") }
        #expect(flows.count == 1)
        #expect(flows[0].hasSuffix("; Path=/; Secure; HttpOnly; SameSite=None; Max-Age=600"))
        #expect(flows[0].utf8.count < 200)
        #expect(browser.setCookies.filter { !$0.hasPrefix("__Host-flow-") }.allSatisfy { $0.contains("SameSite=Lax") })
    }

    @Test("Requests to a provider's page", arguments: providers)
    func authorization(_ provider: String) async throws {
        let browser = try await PageBrowser.open(try GatewayProcess.current, "/login")
        _ = try await browser.start(provider)
        let query = browser.departureQuery
        #expect(query["redirect_uri"] == "http://localhost:8080/login/\(provider)/callback")
        #expect(query["code_challenge_method"] == "S256")
        #expect((query["state"]?.utf8.count ?? 0) >= 43)
        let withoutNonce = SimulatedAuthorization.plain.filter { $0.further["nonce"] == nil }.map(\.provider)
        #expect((query["nonce"] != nil) == !withoutNonce.contains(provider))
        #expect(query["response_mode"] == (provider == "apple" ? "form_post" : query["response_mode"]))
        #expect(browser.page.header("Referrer-Policy") == "no-referrer")
    }

    @Test(
        "An app gets its code after a provider's sign-in, and the browser keeps a session of its own",
        arguments: providers)
    func handOver(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/health/live")
        try await browser.signIn(
            provider,
            "redirect_uri=org.example.app%3A%2Fback&state=st&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            as: ["email": .string(Fresh.email())])
        #expect(browser.departure?.hasPrefix("org.example.app:/back?code=hc_") == true, "\(browser.page.text)")
        #expect(browser.departureQuery["state"] == "st")
        #expect(browser.cookies["__Host-session"] != nil)
        let tokens = try await gateway.send(
            TestRequest("POST", "/v1/token").form([
                ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", "org.example.app:/back"),
                ("code", browser.departureQuery["code"] ?? ""),
                ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            ]))
        #expect(tokens.status == 200, "\(tokens.text)")
        let access = try #require(tokens.json["access_token"]?.string)
        let session = try await gateway.get("/v1/session", bearer: access)
        #expect(session.json["session"]?["provider"] == .string(provider))
    }

    @Test("The user cancels: a page says so and links back", arguments: providers)
    func cancel(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let authorization = try await browser.start(
            provider, "redirect_uri=https%3A%2F%2Fapp.example.org%2Fback&state=a")
        let answer = try await browser.comeBack(
            try await gateway.simulator.authorize(authorization, ["decision": "cancel"]))
        #expect(answer.status == 403)
        #expect(
            answer.links.contains {
                $0.hasPrefix("/login?") && $0.contains("redirect_uri=https%3A%2F%2Fapp.example.org")
            })
        #expect(try await gateway.audit(answer).map(\.reason) == ["provider_cancelled"])
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test("A user who cancels at the provider returns to the app that waits for a code", arguments: providers)
    func cancelForApp(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let authorization = try await browser.start(
            provider,
            "client_id=app&redirect_uri=org.example.app%3A%2Fback&state=s1&response_type=code"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
        _ = try await browser.comeBack(
            try await gateway.simulator.authorize(authorization, ["decision": "cancel"]))
        #expect(browser.departure?.hasPrefix("org.example.app:/back?error=access_denied&") == true)
        #expect(browser.departureQuery["state"] == "s1" && browser.departureQuery["iss"] == "http://localhost:8080")
    }

    @Test("W-09 a provider's error: known codes are distinguished, and its text is not shown", arguments: providers)
    func fail(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let authorization = try await browser.start(provider)
        let failed = try await gateway.simulator.authorize(authorization, ["decision": "fail"])
        let answer = try await browser.comeBack(failed.with("error_description", "<script>alert(1)</script>"))
        #expect(answer.status == 502)
        #expect(!answer.text.contains("alert(1)"))
        #expect(!answer.text.contains("server_error"))
        #expect(try await gateway.audit(answer).map(\.reason) == ["provider_failed"])
    }

    @Test("Two simultaneous tabs both finish", arguments: providers)
    func twoTabs(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let person: JSONObject = ["email": .string(Fresh.email())]
        let first = try await browser.start(provider)
        let second = try await browser.start(provider)
        for authorization in [second, first] {
            let answer = try await browser.comeBack(try await gateway.simulator.authorize(authorization, person))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains("id=\"sign-out\""))
        }
    }

    @Test("Reload and the back button do no harm: the second answer changes nothing", arguments: providers)
    func doubled(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let authorization = try await browser.start(provider)
        let flows = browser.cookies
        let back = try await gateway.simulator.authorize(authorization, ["email": .string(Fresh.email())])
        try await browser.comeBack(back)
        let session = try #require(browser.cookies["__Host-session"])
        for (name, value) in flows { browser.setCookie(name, value) }
        let again = try await browser.comeBack(back)
        #expect(again.status == 400)
        #expect(try await gateway.audit(again).map(\.reason) == ["state_used"])
        #expect(browser.cookies["__Host-session"] == session)
        #expect(try await browser.send(TestRequest("GET", "/v1/session")).status == 200)
    }

    @Test("W-01 without the flow's cookie, there is no session, and a page gives advice", arguments: providers)
    func droppedCookie(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start(provider))
        for name in browser.cookies.keys where name.hasPrefix("__Host-flow-") { browser.setCookie(name, nil) }
        let answer = try await browser.comeBack(back)
        #expect(answer.status == 400)
        #expect(answer.links.contains { $0.hasPrefix("/login") })
        #expect(try await gateway.audit(answer).map(\.reason) == ["state_not_bound"])
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test("W-02 a state of another browser is refused", arguments: providers)
    func foreignBrowser(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let attacker = try await PageBrowser.open(gateway, "/login")
        let victim = try await PageBrowser.open(gateway, "/login")
        _ = try await victim.start(provider)
        let back = try await gateway.simulator.authorize(try await attacker.start(provider))
        let answer = try await victim.comeBack(back)
        #expect(answer.status == 400)
        #expect(try await gateway.audit(answer).map(\.reason) == ["state_not_bound"])
        #expect(victim.cookies["__Host-session"] == nil)
        // The attacker's own browser can still finish: the victim's refusal spent nothing.
        #expect(try await attacker.comeBack(back).status == 200)
    }

    @Test("W-08 an unrequested callback is refused", arguments: providers, [nil, "made-up", ""] as [String?])
    func unsolicited(_ provider: String, _ state: String?) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start(provider))
        let answer = try await browser.comeBack(back.with("state", state))
        #expect(answer.status == 400)
        #expect(try await gateway.audit(answer).map(\.reason) == ["state_invalid"])
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test("W-04 one provider's answer at another's address is a mix-up")
    func mixUp() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        var back = try await gateway.simulator.authorize(try await browser.start("microsoft"))
        back.path = back.path.replacingOccurrences(of: "/login/microsoft/", with: "/login/google/")
        let answer = try await browser.comeBack(back)
        #expect(answer.status == 400)
        #expect(try await gateway.audit(answer).map(\.reason) == ["mixup"])
        let toApple = try await gateway.simulator.authorize(try await browser.start("google"))
        let posted = try await browser.crossSitePost("/login/apple/callback", Array(toApple.parameters))
        #expect(posted.status == 200)
        let judged = try await browser.submit("/login/apple/complete")
        #expect(judged.status == 400)
        #expect(try await gateway.audit(judged).map(\.reason) == ["mixup"])
    }

    @Test(
        "W-04 an answer with another issuer, or without a promised one, is a mix-up",
        arguments: [
            ("acme", "https://evil.example"), ("acme", "https://id.acme.example/"), ("acme", nil),
            ("google", "https://evil.example"), ("microsoft", "https://evil.example"),
            ("apple", "https://evil.example"), ("amazon", "https://evil.example"), ("github", "https://evil.example"),
        ] as [(String, String?)])
    func issuer(_ provider: String, _ issuer: String?) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start(provider))
        let answer = try await browser.comeBack(back.with("iss", issuer))
        #expect(answer.status == 400)
        #expect(try await gateway.audit(answer).map(\.reason) == ["mixup"])
    }

    @Test(
        "W-10 only the name in Apple's user field is read, and malformed fields do no harm",
        arguments: [
            #"{"name":{"firstName":"<script>","lastName":"Lee"},"email":"victim@example.com"}"#, "{", "[]", "1",
            #"{"name":[]}"#, #"{"name":{"firstName":1}}"#, String(repeating: "[", count: 5_000), "",
        ])
    func appleUser(_ user: String) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start("apple"), ["email": .string(email)])
        try await browser.comeBack(back.with("user", user))
        let session = try await browser.send(TestRequest("GET", "/v1/session"))
        #expect(session.json["account"]?["email"] == .string(email))
        #expect(session.json["account"]?["display_name"]?.string?.contains("<") != true)
    }

    @Test("W-10 a user field of a megabyte is refused before it is read")
    func hugeUser() async throws {
        let browser = try await PageBrowser.open(try GatewayProcess.current, "/login")
        let answer = try await browser.crossSitePost(
            "/login/apple/callback", [("state", "x"), ("user", String(repeating: "a", count: 1 << 20))])
        #expect(answer.status == 413)
    }

    @Test("Code and error together, and doubled parameters, are refused")
    func ambiguous() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start("google"))
        #expect(try await browser.visit(back.with("error", "access_denied").path).status == 400)
        let other = try await gateway.simulator.authorize(try await browser.start("google"))
        #expect(try await browser.visit(other.path + "&code=second").status == 400)
        #expect(try await browser.visit(other.path + "&state=second").status == 400)
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test("Apple's answer by GET is refused")
    func wrongMethod() async throws {
        let browser = try await PageBrowser.open(try GatewayProcess.current, "/login")
        let answer = try await browser.visit("/login/apple/callback?state=x&code=y")
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == "POST")
    }

    @Test("N5: a form callback ignores the address, and its page posts to one without parameters")
    func formWithQuery() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start("apple"))
        for query in ["state=other", "x=1", "code="] {
            let refused = try await browser.crossSitePost("\(back.path)?\(query)", back.fields)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(try await gateway.audit(refused).map(\.reason) == ["malformed_request"])
        }
        #expect(try await browser.crossSitePost(back.path, back.fields).status == 200)
        let complete = "/login/apple/complete"
        let form = try #require(browser.page.forms.first { $0.action == complete })
        let refused = try await browser.post(complete + "?state=other", form.fields.map { ($0.0, $0.1) })
        #expect(refused.status == 400)
        #expect(try await gateway.audit(refused).map(\.reason) == ["malformed_request"])
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test(
        "N5: a form is refused where the provider answers by a redirect",
        arguments: providers.filter { $0 != "apple" }, ["callback", "complete"])
    func formForRedirect(_ provider: String, _ end: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start(provider))
        let answer = try await browser.crossSitePost("/login/\(provider)/\(end)", Array(back.parameters))
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == "GET")
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test(
        "F14: every page keeps to itself: no opener, no embedding, no device", arguments: ["/login", "/login/nobody"])
    func isolation(path: String) async throws {
        let gateway = try GatewayProcess.current
        let page = try await gateway.get(path)
        #expect(page.header("Content-Type")?.hasPrefix("text/html") == true)
        #expect(page.header("Cross-Origin-Opener-Policy") == "same-origin")
        #expect(page.header("Cross-Origin-Resource-Policy") == "same-origin")
        let policy = try #require(page.header("Permissions-Policy"))
        #expect(policy.contains("publickey-credentials-get=(self)") && policy.contains("camera=()"))
    }

    @Test("The self-posting page contains the answer only as form values, with one target")
    func repost() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start("apple"))
        let page = try await browser.crossSitePost(
            back.path, back.with("user", #""><script>alert(1)</script>"#).fields + [("unknown", "dropped")])
        #expect(page.status == 200)
        #expect(!page.text.contains("<script>alert"))
        #expect(!page.text.contains("dropped"))
        #expect(page.forms.map(\.action) == ["/login/apple/complete"])
        #expect(page.header("Referrer-Policy") == "no-referrer")
        #expect(page.header("Content-Security-Policy")?.contains("form-action 'self';") == true)
        #expect(!page.headers.contains { $0.name.lowercased() == "set-cookie" }, "the browser keeps its form cookie")
    }

    @Test("A refused code, a nonce of another flow: refused, and the flow ends")
    func refusedCode() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let back = try await gateway.simulator.authorize(try await browser.start("google"))
        let answer = try await browser.comeBack(back.with("code", "made-up"))
        #expect(answer.status == 401)
        #expect(try await gateway.audit(answer).map(\.reason) == ["code_invalid"])
        #expect(!browser.cookies.keys.contains { $0.hasPrefix("__Host-flow-") })
        // Another flow's code: verifier and nonce do not match.
        let one = try await gateway.simulator.authorize(try await browser.start("google"))
        let other = try await gateway.simulator.authorize(try await browser.start("google"))
        let swapped = try await browser.comeBack(one.with("code", other.parameters["code"]))
        #expect(swapped.status == 401)
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test("Header injection: values returned in a redirect are encoded")
    func injection() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.get(
            "/login/google?redirect_uri=https%3A%2F%2Fapp.example.org%2Fback&state=a%0d%0aSet-Cookie%3A%20x%3Dy")
        #expect(answer.status == 400)
        #expect(!answer.headers.contains { $0.value.contains("x=y") })
    }

    @Test(
        "Cookies that are too large for a header are refused before anything is looked at", arguments: [17_000, 40_000])
    func oversizedCookies(_ size: Int) async throws {
        let gateway = try GatewayProcess.current
        let cookie = "__Host-session=" + String(repeating: "A", count: size)
        let answer = try await gateway.send(TestRequest("GET", "/login").header("Cookie", cookie))
        #expect((400...431).contains(answer.status))
        #expect(try await gateway.get("/login").status == 200)
    }

    @Test("A request for anything but a code is refused", arguments: ["token", "id_token", "code id_token", "none"])
    func responseType(_ type: String) async throws {
        let query = type.replacingOccurrences(of: " ", with: "%20")
        #expect(try await GatewayProcess.current.get("/login?response_type=\(query)").status == 400)
        #expect(try await GatewayProcess.current.get("/login?response_type=code").status == 200)
    }

    @Test("3-R10: too many cookies are refused with 431: a page that removes abandoned ones, or a problem")
    func tooManyCookies() async throws {
        let gateway = try GatewayProcess.current
        func ask(_ bytes: Int, accepting type: String) async throws -> TestAnswer {
            let cookies = "__Host-flow-abandoned=x; a=" + String(repeating: "c", count: bytes)
            return try await gateway.send(
                TestRequest("GET", "/login").header("Accept", type).header("Cookie", cookies))
        }
        let page = try await ask(17_000, accepting: "text/html")
        #expect(page.status == 431 && page.text.contains("Too many cookies"), "\(page.text.prefix(200))")
        #expect(
            page.headers.contains {
                $0.name.lowercased() == "set-cookie" && $0.value.hasPrefix("__Host-flow-abandoned=;")
            })
        #expect(try await ask(17_000, accepting: "application/json").code == "headers_too_large")
        #expect(try await ask(15_000, accepting: "text/html").status == 200)
        // Beyond this length nothing of the request is read.
        #expect(try await ask(40_000, accepting: "text/html").status == 431)
    }

    @Test("3-R10: a start that a page fetches unseen is refused, and beyond five open flows the oldest cookie goes")
    func cookieFlood() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        browser.headers = [("Sec-Fetch-Dest", "image")]
        #expect(try await browser.visit("/login/google").status == 403)
        browser.headers = [("Sec-Fetch-Dest", "document")]
        for _ in 1...30 { _ = try await browser.start("google") }
        #expect(browser.cookies.keys.filter { $0.hasPrefix("__Host-flow-") }.count == 5)
    }

    @Test("Of twenty concurrent answers, one signs in; of twenty redemptions of its code, one gets tokens")
    func parallelAnswers() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let authorization = try await browser.start(
            "acme",
            "redirect_uri=org.example.app%3A%2Fback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        let back = try await gateway.simulator.authorize(authorization, ["email": .string(Fresh.email())])
        let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let answers = try await inParallel(1...20) { _ in
            try await gateway.send(TestRequest("GET", back.path).header("Cookie", cookies))
        }
        let codes = answers.compactMap { $0.header("Location") }.compactMap { location in
            URLComponents(string: location)?.queryItems?.first { $0.name == "code" }?.value
        }
        #expect(codes.count == 1)
        #expect(answers.filter { $0.status == 303 }.count == 1)
        let redeemed = try await inParallel(1...20) { _ in
            try await gateway.send(
                TestRequest("POST", "/v1/token").form([
                    ("grant_type", "authorization_code"), ("client_id", "app"),
                    ("redirect_uri", "org.example.app:/back"), ("code", codes.first ?? ""),
                    ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
                ]))
        }
        #expect(redeemed.filter { $0.status == 200 }.count == 1)
        #expect(redeemed.filter { $0.json["error"] == "invalid_grant" }.count == 19)
    }

    @Test("A handed-over session waits a minute, and is unusable until its code is redeemed")
    func waitingSession() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let email = Fresh.email()
        try await browser.signIn(
            "acme",
            "redirect_uri=org.example.app%3A%2Fback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            as: ["email": .string(email)])
        let code = try #require(browser.departureQuery["code"])
        let life: Double = try await gateway.sql { connection in
            try connection.queryOne(
                """
                select extract(epoch from s.idle_expires_at - s.created_at)::float8
                  from sessions s join identities i on i.id = s.identity_id where i.email = \(email) and s.browser_id is not null
                """
            ).map { try $0.value(0) } ?? 0
        }
        #expect(life == 60)
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                update sessions s set idle_expires_at = now() - interval '1 second'
                  from identities i where i.id = s.identity_id and i.email = \(email) and s.browser_id is not null
                """)
        }
        let late = try await gateway.send(
            TestRequest("POST", "/v1/token").form([
                ("grant_type", "authorization_code"), ("client_id", "app"), ("code", code),
                ("redirect_uri", "org.example.app:/back"),
                ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            ]))
        #expect(late.json["error"] == "invalid_grant")
    }
}
