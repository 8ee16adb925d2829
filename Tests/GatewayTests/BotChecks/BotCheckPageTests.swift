import Postgres
import TestSupport
import Testing

/// Bot checks on the hosted pages.
@Suite("Bot checks on pages")
struct BotCheckPageTests {
    private static let script = "https://challenges.cloudflare.com/turnstile/v0/api.js"
    private static let field = "cf-turnstile-response"

    /// The widgets and foreign scripts of a page.
    private func widgets(_ answer: TestAnswer) throws -> (keys: [String?], scripts: [String]) {
        let document = try HTMLDocument(Array(answer.text.utf8))
        let widgets = document.all("div").filter { $0.attributes["class"]?.contains("cf-turnstile") == true }
        let scripts = document.all("script").compactMap { $0.attributes["src"] }.filter { !$0.hasPrefix("/") }
        return (widgets.map { $0.attributes["data-sitekey"] }, scripts)
    }

    private func policy(_ answer: TestAnswer) -> String { answer.header("Content-Security-Policy") ?? "" }

    private func expectWidget(_ answer: TestAnswer) throws {
        let (keys, scripts) = try widgets(answer)
        #expect(keys == [SiteVerify.siteKey] && scripts == [Self.script], "\(answer.text)")
        #expect(policy(answer).contains("script-src 'self' https://challenges.cloudflare.com;"))
        #expect(policy(answer).contains("frame-src https://challenges.cloudflare.com;"))
        #expect(policy(answer).contains("style-src 'self';") && !policy(answer).contains("connect-src"))
        #expect(answer.text.contains("<noscript>"))
    }

    private func expectNoWidget(_ answer: TestAnswer) throws {
        let (keys, scripts) = try widgets(answer)
        #expect(keys.isEmpty && scripts.isEmpty)
        #expect(policy(answer).contains("script-src 'self';") && !policy(answer).contains("frame-src"))
    }

    /// Submits a form with the field that the widget's script adds.
    @discardableResult
    private func submit(
        _ browser: PageBrowser, _ action: String, _ typed: [String: String] = [:], token: String
    ) async throws -> TestAnswer {
        let form = try #require(browser.page.forms.first { $0.action == action }, "\(browser.page.text)")
        let fields = form.fields.map { ($0.0, typed[$0.0] ?? $0.1) }
        return try await browser.post(action, fields + [(Self.field, token)])
    }

    @Test("the widget is on the pages of an app that always asks, and its policy allows it there alone")
    func always() async throws {
        try await SiteVerify.with { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            for path in ["/sign-up", "/forgot"] {
                try expectWidget(try await gateway.get("\(path)?client_id=\(app)"))
                try expectNoWidget(try await gateway.get("\(path)?client_id=app"))
            }
            try expectNoWidget(try await gateway.get("/login?client_id=\(app)"))
        }
    }

    @Test("a sign-up beyond the budget shows the widget with the typed values, and passes with its answer")
    func signUp() async throws {
        try await SiteVerify.with(["BOT_CHECK_FREE_PER_HOUR": "1"]) { gateway, _ in
            let email = Fresh.email()
            let typed = ["email": email, "password": GatewayProcess.password, "display_name": "Ann"]
            let browser = try await PageBrowser.open(gateway, "/sign-up")
            try expectNoWidget(browser.page)
            try await browser.submit("/sign-up", typed.merging(["email": Fresh.email()]) { $1 })
            #expect(browser.page.status == 200, "the budget has one request")
            try await browser.visit("/sign-up")
            let asked = try await browser.submit("/sign-up", typed)
            #expect(asked.status == 403)
            try expectWidget(asked)
            #expect(asked.text.contains(email) && !asked.text.contains(GatewayProcess.password))
            let refused = try await submit(browser, "/sign-up", typed, token: "robot")
            #expect(refused.status == 403 && refused.text.contains("The check failed"))
            try expectWidget(refused)
            // The answer of the widget is used although the password is refused, so the page shows another one.
            let short = try await submit(
                browser, "/sign-up", typed.merging(["password": "short"]) { $1 }, token: "human 1")
            #expect(short.status == 400)
            try expectWidget(short)
            try await submit(browser, "/sign-up", typed, token: "human 2")
            try expectNoWidget(browser.page)
            try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
            #expect(browser.cookies["__Host-session"] != nil)
        }
    }

    @Test("a forgotten password beyond the budget shows the widget, and passes with its answer")
    func forgot() async throws {
        try await SiteVerify.with { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            let browser = try await PageBrowser.open(gateway, "/forgot?client_id=\(app)")
            let name = Fresh.email()
            let asked = try await browser.submit("/forgot", ["username": name])
            #expect(asked.status == 403 && asked.text.contains(name))
            try expectWidget(asked)
            let sent = try await submit(browser, "/forgot", ["username": name], token: "human")
            #expect(sent.status == 200 && sent.forms.contains { $0.action == "/login/step" }, "\(sent.text)")
            try expectNoWidget(sent)
        }
    }

    @Test("a code has a page with the check before it, which repeats the request; so has each further code")
    func code() async throws {
        try await SiteVerify.with { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            try await gateway.change("update clients set providers = '{email_otp}' where id = \(app)")
            let browser = try await PageBrowser.open(gateway, "/login?client_id=\(app)")
            let name = Fresh.email()
            let asked = try await poll {
                try await browser.visit("/login?client_id=\(app)")
                let answer = try await browser.submit("/login", ["username": name])
                return answer.status == 403 ? answer : nil
            }
            try expectWidget(asked)
            let sent = try await submit(browser, "/login", token: "human 1")
            #expect(sent.status == 200, "\(sent.text)")
            let form = try #require(sent.forms.first { $0.action == "/login/resend" }, "\(sent.text)")
            let flow = try #require(form.fields.first { $0.0 == "flow" }?.1)
            try await gateway.waitForResend(flow)
            let again = try await browser.submit("/login/resend")
            #expect(again.status == 403)
            try expectWidget(again)
            let failed = try await submit(browser, "/login/resend", token: "robot")
            #expect(failed.status == 403 && failed.text.contains("The check failed"))
            let resent = try await submit(browser, "/login/resend", token: "human 2")
            #expect(resent.status == 200 && resent.text.contains("id=\"done\""), "\(resent.text)")
        }
    }

    @Test("a further code of a sign-up has the page with the check, and then the page for the code again")
    func signUpCode() async throws {
        try await SiteVerify.with { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            let browser = try await PageBrowser.open(gateway, "/sign-up?client_id=\(app)")
            let typed = ["email": Fresh.email(), "password": GatewayProcess.password]
            let sent = try await submit(browser, "/sign-up", typed, token: "human 1")
            let form = try #require(sent.forms.first { $0.action == "/sign-up/resend" }, "\(sent.text)")
            try await gateway.waitForResend(try #require(form.fields.first { $0.0 == "flow" }?.1))
            try expectWidget(try await browser.submit("/sign-up/resend"))
            let resent = try await submit(browser, "/sign-up/resend", token: "human 2")
            #expect(resent.status == 200 && resent.text.contains("id=\"done\""), "\(resent.text)")
        }
    }

    @Test(
        "each widget has the sources that its service documents",
        arguments: [
            ("hcaptcha", "h-captcha", "style-src 'self' https://hcaptcha.com https://*.hcaptcha.com;"),
            ("recaptcha", "g-recaptcha", "connect-src https://www.google.com/recaptcha/;"),
        ])
    func others(widget: String, elementClass: String, source: String) async throws {
        try await SiteVerify.with(["BOT_CHECK_WIDGET": widget]) { gateway, _ in
            let app = try await gateway.botCheckingApp("always")
            let answer = try await gateway.get("/forgot?client_id=\(app)")
            #expect(answer.text.contains("class=\"\(elementClass) "))
            #expect(policy(answer).contains(source), "\(policy(answer))")
            let browser = try await PageBrowser.open(gateway, "/forgot?client_id=\(app)")
            let form = try #require(browser.page.forms.first { $0.action == "/forgot" })
            let typed = form.fields.map { ($0.0, $0.0 == "username" ? Fresh.email() : $0.1) }
            let sent = try await browser.post("/forgot", typed + [("\(elementClass)-response", "human")])
            #expect(sent.status == 200, "\(sent.text)")
        }
    }
}
