import Foundation
import JSON
import Testing

extension BrowserTests {
    /// An app on this machine that opens the browser and waits at a loopback address (RFC 8252 §7.3).
    @Suite struct HandOver {
        private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

        @Test(
            "The app receives its code at its own address, and redeems it with the verifier",
            arguments: [
                ("apple", "/login?"), ("google", "/login?"), ("password", "/login?"),
                ("apple", "/authorize?response_type=code&code_challenge_method=S256&scope=openid&"),
                ("password", "/authorize?response_type=code&code_challenge_method=S256&scope=openid&"),
            ])
        func redeem(_ way: String, at start: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            if way == "password" { _ = try await gateway.signUp(email) }
            // No server needs to listen there, because the browser's address shows the answer.
            let address = "http://127.0.0.1:\(try FreePort.choose())/back"
            let encoded = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let page = "\(start)client_id=app&redirect_uri=\(encoded)&state=s%26t&code_challenge=\(Self.challenge)"
            try await Browser.run(gateway) { browser in
                if way == "password" {
                    try await browser.visit(page)
                    try await browser.passwordSignIn(email)
                } else {
                    try await browser.choose(way, at: page)
                    try await browser.allow(as: email)
                }
                let landing = try await browser.arrive(at: "/back")
                let items = landing.queryItems ?? []
                #expect(landing.host == "127.0.0.1")
                #expect(items.first { $0.name == "state" }?.value == "s&t")
                #expect(items.first { $0.name == "iss" }?.value == browser.origin)
                let tokens = try await gateway.send(
                    TestRequest("POST", "/v1/token").form([
                        ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", address),
                        ("code", items.first { $0.name == "code" }?.value ?? ""), ("code_verifier", Self.verifier),
                    ]))
                #expect(tokens.status == 200, "\(tokens.text)")
                let access = try #require(tokens.json["access_token"]?.string)
                let session = try await gateway.get("/v1/session", bearer: access)
                #expect(session.json["session"]?["provider"]?.string == way)
                try await browser.visit("/login")
                #expect(try await browser.cookie("__Host-session") != nil)
            }
        }
    }
}
