import Foundation
import JSON
import Testing

/// An OAuth client's invalid request is reported to its redirect address (RFC 6749 §4.1.2.1, RFC 9207).
extension WebSignInTests {
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let website = "client_id=app&redirect_uri=https%3A%2F%2Fapp.example.org%2Fback"
    private static let app = "client_id=app&redirect_uri=org.example.app%3A%2Fback"

    private static func query(_ answer: TestAnswer) -> [String: String] {
        let items = answer.header("Location").flatMap { URLComponents(string: $0)?.queryItems } ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    @Test(
        "A code request without a challenge gets an error instead of a cookie session",
        arguments: ["/login", "/login/google", "/sign-up", "/forgot"])
    func missingChallenge(_ path: String) async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.get("\(path)?response_type=code&state=s%201&\(Self.website)")
        #expect(answer.status == 303, "\(answer.text)")
        #expect(answer.header("Location")?.hasPrefix("https://app.example.org/back?error=invalid_request&") == true)
        let query = Self.query(answer)
        #expect(query["error_description"] == "A code challenge is needed")
        #expect(query["state"] == "s 1")
        #expect(query["iss"] == "http://localhost:8080")
        let rows = try await gateway.audit(answer)
        #expect(rows.map(\.outcome) == ["refused"])
        #expect(rows.map(\.reason) == ["code_challenge_required"])
        #expect(rows.map(\.client) == ["app"])
    }

    @Test(
        "Other errors of an app's request go to its redirect address",
        arguments: [
            ("response_type=token&code_challenge=\(challenge)", "unsupported_response_type"),
            ("response_type=token", "unsupported_response_type"),
            ("response_type=code&code_challenge=\(challenge)&code_challenge_method=plain", "invalid_request"),
            ("code_challenge=\(challenge)&code_challenge_method=plain", "invalid_request"),
            ("response_type=code&code_challenge=short", "invalid_request"), ("response_type=code", "invalid_request"),
        ])
    func wrongRequest(_ asked: String, _ error: String) async throws {
        let answer = try await GatewayProcess.current.get("/login?\(asked)&state=st&\(Self.app)")
        #expect(answer.status == 303, "\(answer.text)")
        #expect(answer.header("Location")?.hasPrefix("org.example.app:/back?error=\(error)&") == true)
        #expect(Self.query(answer)["state"] == "st")
        #expect(Self.query(answer)["code"] == nil)
    }

    @Test("A state that is too long is returned with its refusal")
    func longState() async throws {
        let state = String(repeating: "a", count: 3_000)
        let answer = try await GatewayProcess.current.get(
            "/login?response_type=code&code_challenge=\(Self.challenge)&state=\(state)&\(Self.app)")
        #expect(answer.status == 303)
        #expect(Self.query(answer)["error"] == "invalid_request")
        #expect(Self.query(answer)["state"] == state)
    }

    @Test(
        "W-05 a refusal never leads to an address that isn't registered, nor a website's visitor in a circle",
        arguments: [
            "response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fevil.example%2Fback",
            "response_type=token&client_id=app&redirect_uri=https%3A%2F%2Fapp.example.org%2Fback%2Fother",
            "response_type=token&client_id=app&redirect_uri=org.example.app%3A%2Fother&code_challenge=\(challenge)",
            "response_type=code&client_id=nobody&redirect_uri=https%3A%2F%2Fapp.example.org%2Fback",
            "response_type=code&return_to=%2Fadmin&\(website)&code_challenge=\(challenge)",
            "response_type=code&state=a%0d%0aSet-Cookie%3A%20x%3Dy&\(website)", "response_type=token",
            "response_type=code&state=\(String(repeating: "a", count: 4_097))&\(website)",
            "code_challenge_method=plain&\(website)", app,
        ])
    func refusalPage(_ query: String) async throws {
        let answer = try await GatewayProcess.current.get("/login?\(query)")
        #expect(answer.status == 400)
        #expect(answer.header("Location") == nil)
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test("A website gets the page with a code request and a challenge, or without a code request")
    func rightRequest() async throws {
        let gateway = try GatewayProcess.current
        for query in ["response_type=code&code_challenge=\(Self.challenge)&\(Self.website)", Self.website] {
            #expect(try await gateway.get("/login?\(query)").status == 200)
        }
    }

    @Test("A state of 1,024 bytes returns unchanged from a provider", arguments: ["google", "apple"])
    func longestState(_ provider: String) async throws {
        let browser = try await PageBrowser.open(try GatewayProcess.current, "/health/live")
        let state = String(repeating: "aB3_", count: 256)
        try await browser.signIn(
            provider, "\(Self.app)&state=\(state)&code_challenge=\(Self.challenge)",
            as: ["email": .string(Fresh.email())])
        #expect(browser.departureQuery["state"] == state, "\(browser.page.text)")
        #expect(browser.departureQuery["code"]?.hasPrefix("hc_") == true)
    }
}
