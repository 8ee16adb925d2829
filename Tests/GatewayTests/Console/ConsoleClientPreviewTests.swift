import OperatorAccess
import Postgres
import Testing

@Suite(.gateway())
struct ConsoleClientPreviewTests {
    private static let fields = [
        ("name", "Ducks & Geese"), ("provider_password", "1"), ("provider_apple", "1"),
        ("brand_accent", "#1b6e3c"), ("brand_logo_url", "https://ducks.example.com/logo.svg"),
    ]

    private func preview(_ role: OperatorRole, _ more: [(String, String)] = []) async throws -> TestAnswer {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, role)
        let token = ("form_token", try await browser.token())
        return try await browser.post("/admin/client-preview", Self.fields + more + [token])
    }

    @Test("the sign-in page shows the entered brand, in a frame of our own pages alone")
    func shown() async throws {
        let answer = try await preview(.admin)
        #expect(answer.status == 200)
        let document = try HTMLDocument(Array(answer.text.utf8))
        #expect(document.all("title").first?.text == "Sign in – Ducks & Geese")
        #expect(document.all("img").map { $0.attributes["src"] } == ["https://ducks.example.com/logo.svg"])
        #expect(document.element(id: "provider-apple") != nil && document.element(id: "username") != nil)
        let headers = Dictionary(answer.headers.map { ($0.0.lowercased(), $0.1) }) { first, _ in first }
        #expect(headers["content-security-policy"]?.contains("frame-ancestors 'self'") == true)
        #expect(headers["x-frame-options"] == "SAMEORIGIN")
    }

    @Test("an invalid member is left out, and nothing is stored")
    func invalid() async throws {
        let gateway = try GatewayProcess.current
        let before = try await gateway.count("select count(*) from clients where brand is not null")
        let answer = try await preview(
            .admin, [("brand_logo_dark_url", "http://ducks.example.com/"), ("brand_terms_url", "no address")])
        let document = try HTMLDocument(Array(answer.text.utf8))
        #expect(document.all("img").count == 1 && document.all("source").isEmpty)
        #expect(document.element(id: "brand-links") == nil)
        #expect(try await gateway.count("select count(*) from clients where brand is not null") == before)
    }

    @Test("a role that can't change apps gets no preview")
    func role() async throws {
        #expect(try await preview(.viewer).status == 403)
    }
}
