import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// A client without a secret that identifies itself by HTTP Basic, as OAuth libraries do (RFC 6749 §2.3.1).
extension WebSignInTests {
    private static let address = "org.example.public:/back"

    /// A public client with a redirect address.
    private static func client(of gateway: GatewayProcess) async throws -> String {
        let client = "public-\(Fresh.text())"
        try await gateway.addClient(client, secret: nil)
        try await gateway.change("update clients set redirect_uris = \([address]) where id = \(client)")
        _ = try await poll {
            try await gateway.get("/login?\(query(client))").status == 200 ? () : nil
        }
        return client
    }

    private static func query(_ client: String) -> String {
        "client_id=\(client)&redirect_uri=org.example.public%3A%2Fback"
            + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    }

    @Test("A public client with an empty secret can redeem, refresh and revoke, but not introspect")
    func emptySecret() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.client(of: gateway)
        let browser = try await PageBrowser.open(gateway, "/health/live")
        try await browser.signIn("acme", Self.query(client), as: ["email": .string(Fresh.email())])
        let code = try #require(browser.departureQuery["code"], "\(browser.page.text)")
        let redeemed = try await gateway.form(
            "/v1/token",
            [
                ("grant_type", "authorization_code"), ("redirect_uri", Self.address), ("code", code),
                ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            ], client: client, secret: "")
        #expect(redeemed.status == 200, "\(redeemed.text)")
        let first = try #require(redeemed.json["refresh_token"]?.string)
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", first)]
        let refreshed = try await gateway.form("/v1/token", refresh, client: client, secret: "")
        #expect(refreshed.status == 200, "\(refreshed.text)")
        let token = try #require(refreshed.json["refresh_token"]?.string)
        let told = try await gateway.form("/v1/token/introspect", [("token", token)], client: client, secret: "")
        try await gateway.expectRefusal(told, 401, "invalid_client", action: "introspect", isOAuth: true)
        let revoked = try await gateway.form("/v1/token/revoke", [("token", token)], client: client, secret: "")
        #expect(revoked.status == 200, "\(revoked.text)")
        #expect(try await gateway.refresh(token).status == 401)
    }

    @Test("F3: a public client's secret belongs to its back end and gives no tokens")
    func wrongSecret() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.client(of: gateway)
        let mine = try await gateway.anyone()
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", mine.refreshToken)]
        for (client, secret) in [("app", Deployment.clientSecret), (client, "something")] {
            let answer = try await gateway.form("/v1/token", refresh, client: client, secret: secret)
            try await gateway.expectRefusal(answer, 401, "invalid_client", action: "token", isOAuth: true)
            #expect(answer.json["error"] == "invalid_client")
            #expect(answer.header("WWW-Authenticate")?.hasPrefix("Basic ") == true)
        }
        #expect(try await gateway.refresh(mine.refreshToken).status == 200)
    }
}
