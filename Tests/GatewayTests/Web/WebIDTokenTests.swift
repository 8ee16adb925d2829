import Foundation
import JSON
import Testing

/// ID tokens of apps that sign in on the hosted pages (OpenID Connect Core §3.1).
extension WebSignInTests {
    private static let address = "org.example.app:/back"
    private static let plain =
        "client_id=app&redirect_uri=org.example.app%3A%2Fback&response_type=code&state=st"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let query = plain + "&scope=openid%20email%20profile&nonce=n-0S6_WzA2Mj"

    private static func redeem(_ browser: PageBrowser, _ gateway: GatewayProcess) async throws -> TestAnswer {
        let code = try #require(browser.departureQuery["code"], "\(browser.page.status) \(browser.page.text)")
        let answer = try await gateway.form(
            "/v1/token",
            [
                ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", address), ("code", code),
                ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            ], secret: nil)
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    @Test("A provider's sign-in carries the app's nonce, not the provider's, to the ID token")
    func provider() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await PageBrowser.open(gateway, "/health/live")
        try await browser.signIn("acme", Self.query, as: ["email": .string(email)])
        let answer = try await Self.redeem(browser, gateway)
        let claims = try await gateway.idClaims(answer.json)
        #expect(claims["nonce"] == "n-0S6_WzA2Mj" && claims["aud"] == "app" && claims["email"]?.string == email)
        #expect(answer.json["scope"] == "openid profile email")

        let token = try #require(answer.json["refresh_token"]?.string)
        let refreshed = try await gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", "app")],
            secret: nil)
        let renewed = try await gateway.idClaims(refreshed.json)
        #expect(renewed["nonce"] == nil && renewed["auth_time"] == claims["auth_time"])
    }

    @Test("The password form and a step with a code carry the nonce on")
    func steps() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        let browser = try await PageBrowser.open(gateway, "/login?\(Self.query)")
        try await browser.passwordSignIn(person.email, GatewayProcess.password)
        try await browser.submit("/login/step", ["code": try await gateway.freshCode(person)])
        let claims = try await gateway.idClaims(try await Self.redeem(browser, gateway).json)
        #expect(claims["nonce"] == "n-0S6_WzA2Mj" && claims["amr"] == ["pwd", "otp", "mfa"])
    }

    @Test("Without openid the answer has no ID token, and a malformed nonce goes to the app as an error")
    func without() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/health/live")
        try await browser.signIn("acme", Self.plain + "&scope=email&nonce=n", as: ["email": .string(Fresh.email())])
        let answer = try await Self.redeem(browser, gateway)
        #expect(answer.json["id_token"] == nil && answer.json["scope"] == nil)
        let refused = try await gateway.get("/login?\(Self.plain)&scope=openid&nonce=%C3%A9")
        #expect(refused.status == 303)
        #expect(refused.header("Location")?.hasPrefix("org.example.app:/back?error=invalid_request&") == true)
    }
}
