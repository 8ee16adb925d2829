import Foundation
import Testing

/// Pages show the address that their own browser typed, and no other one.
@Suite(.gateway(["SMS_SENDER": "file"]))
struct TypedAddressTests {
    @Test("a sign-up shows the typed address, also after a wrong code, with a way to change it")
    func signUp() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await PageBrowser.open(gateway, "/sign-up")
        try await browser.submit("/sign-up", ["email": email, "password": GatewayProcess.password])
        #expect(browser.page.text.contains("<bdi>\(email)</bdi>"), "\(browser.page.text)")
        let code = try await gateway.mailedCode(to: email)
        try await browser.submit("/sign-up/confirm", ["code": code == "000000" ? "000001" : "000000"])
        #expect(browser.page.status == 400 && browser.page.text.contains("<bdi>\(email)</bdi>"))
        let change = try #require(browser.page.links.first { $0.hasPrefix("/sign-up?") })
        let form = try #require(try await browser.visit(change).forms.first { $0.action == "/sign-up" })
        #expect(form.fields.contains { $0 == ("email", email) })
    }

    @Test("the address of a user name's code stays masked, because another browser may have typed it")
    func masked() async throws {
        let gateway = try GatewayProcess.current
        let (email, mailbox) = (Fresh.email(), Fresh.email())
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.press("/account/factors", "type", "email")
        try await browser.submit("/account/factors", ["email": mailbox])
        #expect(browser.page.text.contains("<bdi>\(mailbox)</bdi>"), "this browser typed it")
        let code = try await gateway.mailedCode(to: mailbox)
        try await browser.submit("/account/factors/confirm", ["code": code == "000000" ? "000001" : "000000"])
        #expect(browser.page.status == 400 && browser.page.text.contains("<bdi>\(mailbox)</bdi>"))
        try await browser.submit("/account/factors/confirm", ["code": code])
        let other = try await PageBrowser.open(gateway, "/login")
        try await other.passwordSignIn(email)
        #expect(other.page.text.contains("Check your mail") && !other.page.text.contains(mailbox))
        #expect(other.page.text.contains("•••"))
    }

    @Test("a code for a typed address names it, and the page for a lost password keeps the typed name")
    func signIn() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await PageBrowser.open(gateway, "/login")
        let first = try #require(browser.page.forms.first { $0.action == "/login" })
        let typed = first.fields.map { ($0.0, $0.0 == "username" ? email : $0.1) }
        try await browser.post("/login", typed + [("with", "reset")])
        let reset = try #require(browser.page.forms.first { $0.action == "/forgot" })
        #expect(reset.fields.contains { $0 == ("username", email) })
        try await browser.submit("/forgot")
        #expect(browser.page.text.contains("<bdi>\(email)</bdi>"), "\(browser.page.text)")
        try await browser.visit("/login")
        try await browser.submit("/login", ["username": email])
        for path in ["/forgot?", "/login?"] {
            let link = try #require(browser.page.links.first { $0.hasPrefix(path) })
            #expect(link.contains("login_hint="), "\(link)")
        }
    }
}
