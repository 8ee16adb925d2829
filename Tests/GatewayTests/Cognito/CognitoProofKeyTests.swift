import Cryptography
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Cognito's API: codes with and without proof keys", .gateway())
struct CognitoProofKeyTests {
    private static let address = "https://app.example.org/back"

    /// A confidential app of the pool.
    private struct App {
        let gateway: GatewayProcess
        let client: String
        let secret: String

        init(strict: Bool = false) async throws {
            gateway = try GatewayProcess.current
            client = "4\(Fresh.text())".filter { $0.isLetter || $0.isNumber }
            let dialects: JSON = [
                "cognito": [
                    "pool_id": .string(CognitoAPI.pool), "client_id": .string(client), "strict_pkce": .bool(strict),
                ]
            ]
            let made = try await gateway.deployment.run(
                "clients", "create", "shop-\(Fresh.text())", "--confidential", "--provider", "password",
                "--redirect-uri",
                CognitoProofKeyTests.address, "--dialects", dialects.text, "--json")
            try #require(made.exitCode == 0, "\(made.errors)")
            secret = try made.secret()
            let (gateway, client) = (gateway, client)
            try await poll {
                let keys = try await gateway.get("/\(CognitoAPI.pool)/.well-known/jwks.json").json["keys"]?.array ?? []
                let page = try await gateway.get("/login?client_id=\(client)")
                return page.status == 303 && !keys.isEmpty ? () : nil
            }
        }

        func open(_ challenge: String?) async throws -> PageBrowser {
            let more = challenge.map { "&code_challenge=\($0)&code_challenge_method=S256" } ?? ""
            let uri = CognitoProofKeyTests.address.replacing(":", with: "%3A").replacing("/", with: "%2F")
            return try await PageBrowser.open(
                gateway,
                "/oauth2/authorize?response_type=code&client_id=\(client)&redirect_uri=\(uri)&scope=openid\(more)")
        }

        func code(_ challenge: String?) async throws -> String {
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let browser = try await open(challenge)
            try await browser.passwordSignIn(email)
            return try #require(browser.departureQuery["code"], "\(browser.page.text)")
        }

        func redeem(_ code: String, _ verifier: String?, secret: String?) async throws -> TestAnswer {
            let more = (verifier.map { [("code_verifier", $0)] } ?? []) + (secret.map { [("client_secret", $0)] } ?? [])
            return try await gateway.send(
                TestRequest("POST", "/oauth2/token").form(
                    [
                        ("grant_type", "authorization_code"), ("client_id", client), ("code", code),
                        ("redirect_uri", CognitoProofKeyTests.address),
                    ] + more))
        }
    }

    @Test("3-C4: an app with a secret needs no proof key, and one that was sent can't be left out or added later")
    func optional() async throws {
        let app = try await App()
        let redeemed = try await app.redeem(try await app.code(nil), nil, secret: app.secret)
        #expect(redeemed.status == 200 && redeemed.json["id_token"]?.string != nil, "\(redeemed.text)")
        let withoutSecret = try await app.redeem(try await app.code(nil), nil, secret: nil)
        #expect(withoutSecret.json["error"] == "invalid_client", "\(withoutSecret.text)")
        let verifier = PKCE.verifier()
        let added = try await app.redeem(try await app.code(nil), verifier, secret: app.secret)
        #expect(added.json["error"] == "invalid_grant", "\(added.text)")
        let leftOut = try await app.redeem(try await app.code(PKCE.challenge(verifier)), nil, secret: app.secret)
        #expect(leftOut.json["error"] == "invalid_grant", "\(leftOut.text)")
        let metadata = try await app.gateway.get("/\(CognitoAPI.pool)/.well-known/openid-configuration").json
        #expect(metadata["code_challenge_methods_supported"] == ["S256"])
    }

    @Test("3-C4: a public app, and one that is strict, need a proof key")
    func demanded() async throws {
        let strict = try await App(strict: true)
        #expect(try await strict.open(nil).departureQuery["error"] == "invalid_request")
        let verifier = PKCE.verifier()
        let code = try await strict.code(PKCE.challenge(verifier))
        let without = try await strict.redeem(code, nil, secret: strict.secret)
        #expect(without.json["error"] == "invalid_request" && without.text.contains("code_verifier"), "\(without.text)")
        #expect(try await strict.redeem(code, verifier, secret: strict.secret).status == 200)
    }

    @Test("3-C5: a verifier from which a library removed the signs is accepted, unless the app is strict")
    func short() async throws {
        let short = String(repeating: "aB3", count: 12)
        let app = try await App()
        let redeemed = try await app.redeem(try await app.code(PKCE.challenge(short)), short, secret: app.secret)
        #expect(redeemed.status == 200, "\(redeemed.text)")
        let tooShort = String(short.prefix(31))
        let refused = try await app.redeem(try await app.code(PKCE.challenge(tooShort)), tooShort, secret: app.secret)
        #expect(refused.json["error"] == "invalid_request" && refused.text.contains("code_verifier"), "\(refused.text)")
        let strict = try await App(strict: true)
        let code = try await strict.code(PKCE.challenge(short))
        #expect(try await strict.redeem(code, short, secret: strict.secret).json["error"] == "invalid_request")
    }
}
