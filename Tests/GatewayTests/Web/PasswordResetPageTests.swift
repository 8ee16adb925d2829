import TestSupport
import Testing

/// The pages of a lost password.
@Suite(.gateway())
struct PasswordResetPageTests {
    private static let next = "seven quiet barges at dusk"

    /// A browser at the page for the code of a reset.
    private static func asked(_ gateway: GatewayProcess, _ email: String) async throws -> PageBrowser {
        let browser = try await PageBrowser.open(gateway, "/forgot")
        try await browser.submit("/forgot", ["username": email])
        return browser
    }

    /// The names of the fields that the user fills in.
    private static func fields(_ browser: PageBrowser) throws -> [String] {
        let form = try #require(browser.page.forms.first { $0.action == "/login/step" }, "\(browser.page.text)")
        return form.fields.map(\.0).filter { ["code", "new_password"].contains($0) }
    }

    @Test("the code is asked for alone, so a wrong one costs no typed password; then the password is asked for")
    func codeFirst() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let sent = gateway.mailedCodes(to: email)
        let browser = try await Self.asked(gateway, email)
        #expect(try Self.fields(browser) == ["code"])
        let code = try await gateway.mailedCode(to: email, number: sent + 1)
        let wrong = try await browser.submit("/login/step", ["code": GatewayProcess.wrong(code)])
        #expect(wrong.status == 400 && wrong.text.contains("aria-invalid"), "\(wrong.text)")
        #expect(try Self.fields(browser) == ["code"])
        try await browser.submit("/login/step", ["code": code])
        #expect(try Self.fields(browser) == ["new_password"])
        #expect(browser.cookies["__Host-session"] == nil)
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).status == 200)
        let short = try await browser.submit("/login/step", ["new_password": "short"])
        #expect(short.status == 400 && !short.text.contains("short\""), "the page must not repeat a password")
        #expect(try Self.fields(browser) == ["new_password"])
        try await browser.submit("/login/step", ["new_password": Self.next])
        #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        #expect(try await gateway.passwordSignIn(email, Self.next).status == 200)
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).code == "invalid_credentials")
    }

    @Test("an unknown name gets the same page, and no code leads on")
    func unknown() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await Self.asked(gateway, Fresh.email())
        #expect(try Self.fields(browser) == ["code"])
        let wrong = try await browser.submit("/login/step", ["code": "000000"])
        #expect(wrong.status == 400)
        #expect(try Self.fields(browser) == ["code"])
    }
}
