import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// The pages of a sign-in's steps, and of factors, as forms and answers.
@Suite(.gateway(["CLIENT_REDIRECT_URIS": "http://127.0.0.1/back"]))
struct WebStepTests {
    /// A user with an authenticator app, and a browser at the page for its code.
    private func asked() async throws -> (browser: PageBrowser, email: String, secret: [UInt8]) {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let session = try await gateway.signUp(email)
        let begun = try await gateway.post("/v1/account/factors", ["type": "totp"], bearer: session.accessToken)
        let secret = try Base32Text.bytes(of: begun.json["next_step"]?["totp"]?["secret"]?.string ?? "")
        let confirmed = try await gateway.post(
            "/v1/account/factors/confirm",
            ["flow": begun.json["flow"] ?? .null, "response": ["code": .string(Self.code(secret, ahead: 0))]],
            bearer: session.accessToken)
        try #require(confirmed.status == 201, "\(confirmed.text)")
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        try #require(browser.page.forms.first?.action == "/login/step", "\(browser.page.text)")
        return (browser, email, secret)
    }

    private static func code(_ secret: [UInt8], ahead: Int) -> String {
        TOTP.code(secret: secret, step: Int(Date().timeIntervalSince1970) / TOTP.period + ahead)
    }

    /// Presses the button for another factor.
    private func choose(_ kind: String, _ browser: PageBrowser) async throws {
        let pieces = browser.page.text.components(separatedBy: "<form ").filter { $0.contains("id=\"choose-\(kind)-") }
        let number = try #require(
            browser.page.text.components(separatedBy: "<form ").dropFirst().firstIndex { $0 == pieces.first },
            "\(kind) isn't offered: \(browser.page.text)")
        try await browser.post("/login/step", browser.page.forms[number - 1].fields)
    }

    @Test("The next code of the app signs in, and the audit row names the factor")
    func signIn() async throws {
        let (browser, email, secret) = try await asked()
        try await browser.submit("/login/step", ["code": Self.code(secret, ahead: 1)])
        #expect(browser.page.text.contains(email))
        #expect(browser.cookies["__Host-session"] != nil)
        #expect(browser.cookies["__Host-device"] != nil)
        let activity = try await browser.visit("/account/activity").text
        #expect(activity.contains("Signed in</strong><small><bdi>Password · Authenticator app</bdi>"), "\(activity)")
    }

    @Test("Wrong codes are counted on the page, and too many end the sign-in with an error page")
    func tooManyTries() async throws {
        let (browser, _, secret) = try await asked()
        let near = (-3...3).map { Self.code(secret, ahead: $0) }
        let wrong = try #require(["000000", "111111", "222222"].first { !near.contains($0) })
        for left in (1...4).reversed() {
            let answer = try await browser.submit("/login/step", ["code": wrong])
            #expect(answer.status == 400)
            #expect(answer.text.contains("<bdi>\(left)</bdi>"), "\(answer.text)")
            #expect(!answer.text.contains(wrong))
        }
        let last = try await browser.submit("/login/step", ["code": wrong])
        #expect(last.text.contains("Too many attempts"))
        #expect(try await GatewayProcess.current.audit(last).map(\.reason) == ["too_many_tries"])
        #expect(browser.cookies["__Host-session"] == nil)
    }

    @Test("An answer without the form's token, or to another client's step, changes nothing")
    func binding() async throws {
        let gateway = try GatewayProcess.current
        let (browser, _, secret) = try await asked()
        let fields = browser.page.forms[0].fields.map { ($0.0, $0.0 == "code" ? Self.code(secret, ahead: 1) : $0.1) }
        let forged = try await browser.post("/login/step", fields.filter { $0.0 != "form_token" })
        #expect(forged.status == 403)
        let client = try await Person.strictClient(gateway)
        let elsewhere = try await browser.post(
            "/login/step", fields.map { ($0.0, $0.0 == "client_id" ? client : $0.1) })
        #expect(try await gateway.audit(elsewhere).map(\.reason) == ["flow_expired"])
        #expect(browser.cookies["__Host-session"] == nil)
        try await browser.post("/login/step", fields)
        #expect(browser.cookies["__Host-session"] != nil)
    }

    @Test("A made-up flow is refused", arguments: ["", "fl_AAAA", "x"])
    func madeUpFlow(flow: String) async throws {
        let browser = try await PageBrowser.open(try GatewayProcess.current, "/login")
        let token = try #require(browser.page.forms.first?.fields.first { $0.0 == "form_token" }?.1)
        for path in ["/login/step", "/login/resend"] {
            let answer = try await browser.post(path, [("form_token", token), ("flow", flow), ("code", "123456")])
            #expect(answer.text.contains("This step has expired"), "\(path)")
        }
    }

    @Test("After a mailed code, the password is the second factor; a wrong one is reported, and never shown")
    func passwordAfterCode() async throws {
        let gateway = try GatewayProcess.current
        let person = try await Person(gateway)
        let client = try await Person.strictClient(gateway)
        let browser = try await PageBrowser.open(gateway, "/login?client_id=\(client)")
        let fields = try #require(browser.page.forms.first { $0.action == "/login" }).fields
        let mails = person.mailCount
        try await browser.post(
            "/login", fields.map { ($0.0, $0.0 == "username" ? person.email : $0.1) } + [("with", "code")])
        try await browser.submit("/login/step", ["code": try await person.mailedCode(after: mails)])
        let wrong = try await browser.submit("/login/step", ["password": "not the heron"])
        #expect(wrong.status == 401)
        #expect(wrong.text.contains("Incorrect password"))
        #expect(!wrong.text.contains("not the heron"))
        try await browser.submit("/login/step", ["password": GatewayProcess.password])
        #expect(browser.page.text.contains(person.account))
    }

    @Test("A mailbox is set up as a second factor, and is then demanded")
    func mailbox() async throws {
        let gateway = try GatewayProcess.current
        let person = try await Person(gateway)
        let client = try await Person.strictClient(gateway)
        let browser = try await PageBrowser.open(gateway, "/login?client_id=\(client)")
        try await browser.passwordSignIn(person.email, GatewayProcess.password)
        try await choose("email", browser)
        let refused = try await browser.submit("/login/step", ["email": "no address <b>"])
        #expect(refused.status == 400)
        #expect(refused.text.contains("no address &lt;b&gt;"))
        let mails = person.mailCount
        try await browser.submit("/login/step", ["email": person.email])
        try await browser.submit("/login/step", ["code": try await person.mailedCode(after: mails)])
        let codes = try #require(browser.page.forms.first { $0.action == "/recovery-codes" })
        #expect(codes.fields.first { $0.0 == "codes" }?.1.split(separator: " ").count == 10)
        #expect(browser.cookies["__Host-session"] == nil)
        try await browser.submit("/login/step")
        #expect(browser.page.text.contains(person.account))
    }

    @Test("The file of recovery codes contains only the codes")
    func recoveryCodesFile() async throws {
        let browser = try await PageBrowser.open(try GatewayProcess.current, "/login")
        let token = try #require(browser.page.forms.first?.fields.first { $0.0 == "form_token" }?.1)
        let codes = (0..<10).map { "abcd-efgh-ijkl-mnop-qrst-uvw\($0)" }
        let others = " <script>alert(1)</script> =cmd|'/c'!A0 ABCDE-FGHIJ"
        let posted = codes.joined(separator: " ") + others
        let file = try await browser.post("/recovery-codes", [("form_token", token), ("codes", posted)])
        #expect(file.text == codes.map { "\($0)\r\n" }.joined())
        #expect(file.header("Content-Disposition") == "attachment; filename=\"recovery-codes.txt\"")
        #expect(file.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(try await browser.post("/recovery-codes", [("codes", "abcde-fghij")]).status == 403)
        #expect(try await browser.post("/recovery-codes", [("form_token", token)]).status == 400)
    }

    @Test("Factors are changed only by a session with a second factor")
    func stepUp() async throws {
        let (browser, email, secret) = try await asked()
        try await browser.submit("/login/step", ["code": Self.code(secret, ahead: 1), "remember_device": "true"])
        try await browser.submit("/logout")
        try await browser.visit("/login")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        let before = try #require(browser.cookies["__Host-session"])
        try await browser.submit("/account/recovery-codes")
        #expect(browser.page.forms.first?.action == "/login/step", "\(browser.page.text)")
        #expect(!browser.page.text.contains("remember_device"))
        let gateway = try GatewayProcess.current
        // The app's codes work once, so its clock advances.
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                update factors set counter = null
                 where account_id = (select account_id from account_emails where address = \(email))
                """)
        }
        try await browser.submit("/login/step", ["code": Self.code(secret, ahead: 0)])
        #expect(browser.page.text.contains(email))
        #expect(browser.cookies["__Host-session"] != before)
        try await browser.submit("/account/recovery-codes")
        #expect(browser.page.forms.first?.action == "/recovery-codes")
    }

    @Test("A new password needs the old one, and signs out other devices")
    func changePassword() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let elsewhere = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        let chosen = "seven quiet barges \(Fresh.text())"
        let wrong = try await browser.submit(
            "/account/password", ["current_password": "not the heron", "new_password": chosen])
        #expect(wrong.status == 401)
        #expect(
            wrong.text.contains(
                "name=\"current_password\" type=\"password\" autocomplete=\"current-password\" required aria-invalid"))
        let short = try await browser.submit(
            "/account/password", ["current_password": GatewayProcess.password, "new_password": "short"])
        #expect(short.status == 422 || short.status == 400)
        #expect(try await gateway.get("/v1/session", bearer: elsewhere.accessToken).status == 200)
        try await browser.submit(
            "/account/password", ["current_password": GatewayProcess.password, "new_password": chosen])
        #expect(browser.page.text.contains("Password changed."))
        #expect(try await gateway.get("/v1/session", bearer: elsewhere.accessToken).status == 401)
    }

    @Test("A factor is made the default or removed, and recovery codes are replaced")
    func factors() async throws {
        let (browser, _, secret) = try await asked()
        try await browser.submit("/login/step", ["code": Self.code(secret, ahead: 1)])
        try await browser.submit("/account/recovery-codes")
        let codes = browser.page.forms.first { $0.action == "/recovery-codes" }?.fields.first { $0.0 == "codes" }?.1
        #expect(codes?.split(separator: " ").count == 10)
        try await browser.visit("/account")
        let wrongCode = try await browser.submit("/account/factors", ["type": "totp"])
        #expect(wrongCode.status == 200)
        let again = try await browser.submit("/account/factors/confirm", ["code": "nothing"])
        #expect(again.status == 400)
        #expect(again.text.contains("id=\"qr\""))
        try await browser.visit("/account/two-step")
        let remove = try #require(browser.page.forms.first { $0.action.hasPrefix("/account/factors/") })
        try await browser.submit(remove.action)
        #expect(browser.page.text.contains("Removed."))
        #expect(
            !browser.page.forms.contains {
                $0.action.hasPrefix("/account/factors/") || $0.action == "/account/recovery-codes"
            })
    }
}
