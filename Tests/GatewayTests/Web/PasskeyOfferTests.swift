import JSON
import Postgres
import Testing
import WebAuthnTestAuthenticator

/// The offer of a passkey after a sign-in with a password.
@Suite(
    .gateway(StepServer.configuration.merging(["CLIENT_REDIRECT_URIS": "org.example.app:/back"]) { $1 }))
struct PasskeyOfferTests {
    private static let offer = "/login/passkey"

    /// Signs in with the password, on a device that can hold a passkey or not.
    private func signIn(
        _ browser: PageBrowser, _ email: String, at page: String = "/login", isPossible: Bool = true
    ) async throws {
        try await browser.visit(page)
        try await browser.submit("/login", ["username": email])
        let form = try #require(browser.page.forms.first { $0.fields.contains { $0.0 == "password" } })
        let typed = form.fields.map { ($0.0, $0.0 == "password" ? GatewayProcess.password : $0.1) }
        try await browser.post("/login", typed + (isPossible ? [("passkey_possible", "true")] : []))
    }

    private func isOffered(_ browser: PageBrowser) -> Bool {
        browser.page.forms.contains { $0.action == Self.offer }
    }

    private func passkeys(_ email: String) async throws -> Int {
        try await GatewayProcess.current.count(
            "select count(*) from passkeys join account_emails using (account_id) where address = \(email)")
    }

    @Test("a device that can hold a passkey is offered one; taking it adds it and goes on, and it is the last offer")
    func taken() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await signIn(browser, email)
        #expect(isOffered(browser) && browser.cookies["__Host-session"] != nil)
        let document = try HTMLDocument(Array(browser.page.text.utf8))
        let options = try JSON(
            parsing: try #require(document.element(id: "passkey-form")?.attributes["data-options"]))
        let key = try TestAuthenticator.making(options, origin: StepServer.origin)
        let refused = try await browser.submit(Self.offer, ["credential": "{}"])
        #expect(refused.status == 401 && isOffered(browser), "\(refused.text)")
        try await browser.submit(Self.offer, ["credential": try key.register(options).text])
        #expect(browser.page.status == 200 && browser.page.forms.contains { $0.action == "/logout" })
        #expect(browser.page.text.contains("Passkey added. Use it for your next sign-in."), "\(browser.page.text)")
        #expect(try await passkeys(email) == 1)
        #expect(browser.page.forms.contains { $0.action.hasPrefix("/account/factors/") })
        let another = try await PageBrowser.open(gateway, "/login")
        try await signIn(another, email)
        #expect(!isOffered(another) && another.cookies["__Host-passkey-offer"] == nil)
    }

    @Test("not now goes on to the app with its code, and this browser is not asked again")
    func declined() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, "/login")
        let app =
            "/login?redirect_uri=org.example.app%3A%2Fback&state=s"
            + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        try await signIn(browser, email, at: app)
        #expect(isOffered(browser))
        try await browser.submit("/login/continue")
        #expect(browser.departure?.hasPrefix("org.example.app:/back") == true, "\(browser.page.text)")
        #expect(browser.departureQuery["code"]?.hasPrefix("hc_") == true && browser.departureQuery["state"] == "s")
        #expect(try await passkeys(email) == 0)
        try await browser.visit("/account")
        try await browser.submit("/logout")
        try await signIn(browser, email)
        #expect(!isOffered(browser) && browser.cookies["__Host-session"] != nil)
    }

    @Test("a device that can't hold a passkey goes on at once")
    func impossible() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await signIn(browser, email, isPossible: false)
        #expect(!isOffered(browser) && browser.page.status == 200)
        #expect(browser.cookies["__Host-session"] != nil && browser.cookies["__Host-passkey-offer"] == nil)
    }
}
