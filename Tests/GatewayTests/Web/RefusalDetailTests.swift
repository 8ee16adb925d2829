import Foundation
import JSON
import TestSupport
import Testing

/// What a refusal repeats of the request, and what it lists instead, for the app's developer.
@Suite(
    "Refusals show what was sent and what would do", .gateway(["CLIENT_REDIRECT_URIS": "https://app.example.org/back"]))
struct RefusalDetailTests {
    /// Whether the answer and its audit row repeat the value.
    private static func expect(
        _ answer: TestAnswer, _ code: String, _ detail: String, row: JSON,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(
            answer.code == code && answer.json["detail"] == .string(detail), "\(answer.text)",
            sourceLocation: sourceLocation)
        let rows = try await GatewayProcess.current.audit(answer)
        #expect(rows.map(\.detail) == [row], sourceLocation: sourceLocation)
    }

    @Test("an unknown client")
    func client() async throws {
        let answer = try await GatewayProcess.current.signIn("password", credential: [:], app: "shopp")
        try await Self.expect(
            answer, "client_unknown", "No enabled client has the id shopp.", row: ["client_id": "shopp"])
    }

    @Test("an unknown provider, with those of the client; a known one that the client does not offer")
    func provider() async throws {
        let gateway = try GatewayProcess.current
        let id = "narrow-\(Fresh.text())"
        let made = try await gateway.deployment.run(
            "clients", "create", id, "--provider", "password", "--provider", "google", "--reason", "a test")
        #expect(made.exitCode == 0, "\(made.errors)")
        _ = try await poll {
            try await gateway.signIn("aple", credential: [:], app: id).code == "client_unknown" ? nil : ()
        }
        try await Self.expect(
            try await gateway.signIn("aple", credential: [:], app: id), "provider_unknown",
            "aple is no configured provider. The client offers: password, google.", row: ["provider": "aple"])
        try await Self.expect(
            try await gateway.signIn("apple", credential: ["identity_token": "x"], app: id), "provider_not_allowed",
            "apple is not offered. The client offers: password, google.", row: ["provider": "apple"])
    }

    @Test("an unknown member, with those of the place")
    func member() async throws {
        let answer = try await GatewayProcess.current.signIn("password", credential: ["usernam": "ann"])
        let fault = answer.json["errors"]?.array?.first
        #expect(fault?["pointer"] == "/credential/usernam" && fault?["code"] == "unknown_member")
        #expect(fault?["detail"] == "unknown member; accepted: username, password")
    }

    @Test("a control character, and a text of any length, reach neither the answer nor the audit log")
    func hostile() async throws {
        let gateway = try GatewayProcess.current
        let sent = "a\u{1B}[2J\u{202E}" + String(repeating: "b", count: 50)
        let answer = try await gateway.signIn("password", credential: [:], app: sent)
        let shown = "a[2J" + String(repeating: "b", count: 50)
        #expect(answer.json["detail"]?.string?.contains(shown) == true, "\(answer.text)")
        #expect(!answer.text.contains("\u{1B}") && !answer.text.contains("u001b") && !answer.text.contains("\u{202E}"))
    }

    @Test("in development the page of a redirect address shows it as text, with the registered ones")
    func redirect() async throws {
        let gateway = try GatewayProcess.current
        let sent = "https://evil.example/<b>?token=hush"
        let encoded = try #require(sent.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let answer = try await gateway.get("/login?client_id=app&redirect_uri=\(encoded)")
        #expect(answer.status == 400)
        let document = try HTMLDocument(answer.body)
        #expect(
            document.element(id: "detail")?.text
                == "The client has not registered \(sent). Registered: https://app.example.org/back.")
        #expect(document.all("b").isEmpty)
        #expect(try await gateway.audit(answer).map(\.detail) == [["redirect_uri": "https://evil.example/<b>"]])
    }

    @Test("in development the page of an unknown client shows its id")
    func page() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.get("/login?client_id=shopp")
        #expect(try HTMLDocument(answer.body).element(id: "detail")?.text == "No enabled client has the id shopp.")
        #expect(try await gateway.audit(answer).map(\.detail) == [["client_id": "shopp"]])
    }
}
