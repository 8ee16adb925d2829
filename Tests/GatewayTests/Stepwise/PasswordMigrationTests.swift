import Foundation
import JSON
import Testing

/// `MIGRATE_PASSWORDS_FROM` with a tenant that allows sign-up.
@Suite(
    "Passwords migrated from Microsoft",
    .gateway(
        [
            "MIGRATE_PASSWORDS_FROM": "microsoft", "MICROSOFT_NATIVE_SIGN_UP": "true",
            "MICROSOFT_TRUST_TENANT_EMAIL": "true", "MICROSOFT_WEB_TENANT_ID": SimulatedTenant.id,
            "CLIENT_REDIRECT_URIS": "https://app.example.org/back",
        ], ownsSimulator: true))
struct PasswordMigrationTests {
    private func tenant() throws -> SimulatedTenant {
        try SimulatedTenant(GatewayProcess.current.deployment.simulator)
    }

    private func signIn(_ name: String, _ password: String = SimulatedTenant.password) async throws -> TestAnswer {
        try await GatewayProcess.current.passwordSignIn(name, password)
    }

    /// Makes the tenant refuse passwords that were right before.
    private func forget(_ name: String) async throws {
        let members: JSON = ["username": .string(name), "password": "F0rgotten-Horse!"]
        let answer = try await GatewayProcess.current.simulator.client.send(
            TestRequest("POST", "/control/microsoft/users").json(members))
        #expect(answer.status == 200)
    }

    @Test("a password that the tenant accepts is stored here")
    func kept() async throws {
        let name = try await tenant().user()
        #expect(try await signIn(name, "Wr0ng-Horse!").status == 401)
        let first = try SignedInAnswer(try await signIn(name))
        try await forget(name)
        #expect(try SignedInAnswer(try await signIn(name)).account == first.account)
        #expect(try await signIn(name, "F0rgotten-Horse!").status == 401, "nobody is asked there again")
    }

    @Test("after a second factor too")
    func secondFactor() async throws {
        let tenant = try tenant()
        let name = try await tenant.user(["methods": [["channel": "email", "target": "ann@example.org"]]])
        let asked = try await signIn(name)
        let code = try await tenant.code("second_factor", of: name)
        let done = try await GatewayProcess.current.post(
            "/v1/sign-in/continue", ["flow": asked.json["flow"] ?? .null, "response": ["code": .string(code)]])
        #expect(done.status == 200, "\(done.text)")
        try await forget(name)
        #expect(try await signIn(name).status == 200)
    }

    @Test("it permits no sign-up, and no code instead of the password")
    func signsInOnly() async throws {
        let tenant = try tenant()
        let names = [
            Fresh.email(), try await tenant.user(["exists": false]), try await tenant.user(["password": .null]),
        ]
        for name in names { #expect(try await signIn(name).code == "invalid_credentials") }
        let report = try await GatewayProcess.current.simulator.client.send(
            TestRequest("GET", "/control/requests?provider=microsoft"))
        #expect(report.text.contains("oauth2/v2.0/initiate"))
        #expect(!report.text.contains("signup/v1.0"))
    }

    @Test("the new password after a required reset is stored, even if a page waits for it")
    func reset() async throws {
        let (gateway, tenant) = (try GatewayProcess.current, try tenant())
        let name = try await tenant.user(["must_reset": true, "polls": 8])
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.passwordSignIn(name, SimulatedTenant.password)
        let code = try await tenant.code("reset_password", of: name)
        let waiting = try await browser.submit("/login/step", ["code": code, "new_password": "N3w-Horse!"])
        let address = try #require(waiting.links.first { $0.hasPrefix("/login/step?ticket=") }, "\(waiting.text)")
        #expect(waiting.text.contains(#"<meta http-equiv="refresh" content="1;url=\#(address)">"#))
        #expect(waiting.forms.isEmpty && !waiting.text.contains("fl_"), "the flow stands in no address")
        let stranger = try await PageBrowser.open(gateway, "/login")
        try await stranger.visit(address)
        #expect(stranger.page.status == 400 && stranger.cookies["__Host-session"] == nil)
        #expect(try await gateway.audit(stranger.page).map(\.reason) == ["flow_expired"])
        try await browser.visit(address)
        #expect(browser.page.status == 200 && browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        try await browser.visit(address)
        #expect(browser.page.status == 400, "it is over")
        try await forget(name)
        #expect(try await signIn(name, "N3w-Horse!").status == 200)
        #expect(try await signIn(name).status == 401, "the one that had to go is not kept")
    }

    @Test("if the tenant requires a browser, the page leads there with the request's parameters")
    func browser() async throws {
        let name = try await tenant().user(["redirects": ["oauth2/v2.0/token"]])
        let browser = try await PageBrowser.open(
            GatewayProcess.current,
            "/login?client_id=app&redirect_uri=https%3A%2F%2Fapp.example.org%2Fback&state=s%26t")
        let page = try await browser.passwordSignIn(name, SimulatedTenant.password)
        let address = try #require(page.links.first { $0.hasPrefix("http://localhost:8080/login/microsoft?") })
        let items = try #require(URLComponents(string: address)?.queryItems)
        #expect(
            items == [
                URLQueryItem(name: "client_id", value: "app"),
                URLQueryItem(name: "redirect_uri", value: "https://app.example.org/back"),
                URLQueryItem(name: "state", value: "s&t"),
            ])
        try await browser.visit(String(address.dropFirst("http://localhost:8080".count)))
        #expect(browser.departure?.contains("/\(SimulatedTenant.id)/") == true)
    }
}
