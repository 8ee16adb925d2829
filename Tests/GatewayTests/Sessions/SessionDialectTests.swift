import JSON
import OperatorAccess
import Postgres
import Testing

/// Each list of sessions names the dialect of their tokens.
@Suite("The dialect of a session", .gateway())
struct SessionDialectTests {
    private static let text = "through Amazon Cognito's API"

    /// Adds a session with Cognito's API, and returns its id.
    private static func add(to gateway: GatewayProcess, of email: String) async throws -> String {
        let session = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password)).session
        try await gateway.change("update sessions set dialect = 'cognito' where id = \(session)::uuid")
        return session
    }

    private static func dialects(_ sessions: JSON?) -> [String: String] {
        (sessions?.array ?? []).reduce(into: [:]) { all, session in
            all[session["id"]?.string ?? ""] = session["dialect"]?.string
        }
    }

    @Test("the account's own list, its export and the operators' view name it")
    func lists() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let other = try await Self.add(to: gateway, of: email)
        let expected = [person.session: "gateway", other: "cognito"]
        let own = try await gateway.get("/v1/account/sessions", bearer: person.accessToken)
        #expect(Self.dialects(own.json["sessions"]) == expected)
        let viewer = try await gateway.operatorSession("viewer")
        let shown = try await gateway.admin("GET", "accounts/\(person.account)", by: viewer)
        #expect(Self.dialects(shown.json["account"]?["sessions"]) == expected)
        let export = try await gateway.get("/v1/account/export", bearer: person.accessToken)
        #expect(Self.dialects(export.json["sessions"]) == expected, "\(export.text)")
    }

    @Test("the account page and the console name it where it is not the gateway's own")
    func pages() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        let console = try await ConsoleOperator.browser(gateway, .viewer)
        func count(_ browser: PageBrowser, _ path: String) async throws -> Int {
            let page = try HTMLDocument(Array(try await browser.visit(path).text.utf8))
            return page.all("small").count { $0.text.hasSuffix(" · \(Self.text)") }
        }
        let (own, theirs) = ("/account/devices", "/admin/accounts/\(person.account)")
        #expect(try await count(browser, own) == 0)
        #expect(try await count(console, theirs) == 0)
        _ = try await Self.add(to: gateway, of: email)
        #expect(try await count(browser, own) == 1)
        #expect(try await count(console, theirs) == 1)
    }
}
