import Foundation
import Postgres
import TestSupport
import Testing

/// The operator's identity on the pages of an app.
@Suite(.gateway())
struct BrandTests {
    private static let brand = """
        {"logo_url": "https://ducks.example.com/logo.svg", "logo_dark_url": "https://ducks.example.com/dark.svg",
         "accent": "#1b6e3c", "terms_url": "https://ducks.example.com/terms",
         "support_url": "mailto:help@ducks.example.com"}
        """

    /// A client with a brand.
    private static func client(_ gateway: GatewayProcess) async throws -> String {
        let id = "branded-\(Fresh.text())"
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                insert into clients (id, name, providers, brand) values (\(id), 'Ducks', '{password,google}', \(JSONText(brand)))
                """)
        }
        try await poll { try await gateway.get("/login?client_id=\(id)").status == 200 ? () : nil }
        return id
    }

    @Test("Its pages show logo, accent and links, and the policy allows exactly the logo's addresses")
    func pages() async throws {
        let gateway = try GatewayProcess.current
        let id = try await Self.client(gateway)
        for path in ["/login", "/sign-up", "/forgot"] {
            let answer = try await gateway.get("\(path)?client_id=\(id)")
            let document = try HTMLDocument(Array(answer.text.utf8))
            #expect(document.all("img").map { $0.attributes["src"] } == ["https://ducks.example.com/logo.svg"])
            #expect(document.all("source").map { $0.attributes["srcset"] } == ["https://ducks.example.com/dark.svg"])
            let links = document.within("brand-links").filter { $0.name == "a" }.map { $0.attributes["href"] }
            #expect(links == ["https://ducks.example.com/terms", "mailto:help@ducks.example.com"])
            let policy = answer.headers.first { $0.0.lowercased() == "content-security-policy" }?.1 ?? ""
            #expect(
                policy.contains(
                    "img-src 'self' https://ducks.example.com/logo.svg https://ducks.example.com/dark.svg;"))
        }
    }

    @Test("The pages of other apps keep the gateway's own mark and policy")
    func others() async throws {
        let gateway = try GatewayProcess.current
        _ = try await Self.client(gateway)
        let answer = try await gateway.get("/login")
        let document = try HTMLDocument(Array(answer.text.utf8))
        #expect(document.all("img").isEmpty && document.element(id: "brand-links") == nil)
        #expect(
            answer.headers.contains {
                $0.0.lowercased() == "content-security-policy" && $0.1.contains("img-src 'self';")
            })
    }

    @Test("The style sheet of the accent has both colours, and text that can be read on them")
    func accent() async throws {
        let gateway = try GatewayProcess.current
        let id = try await Self.client(gateway)
        let document = try HTMLDocument(Array(try await gateway.get("/login?client_id=\(id)").text.utf8))
        let address = try #require(
            document.all("link").compactMap { $0.attributes["href"] }.first { $0.contains("/accent.") })
        let sheet = try await gateway.get(address)
        #expect(sheet.status == 200)
        #expect(sheet.text.contains("--accent: #1b6e3c;") && sheet.text.contains("--on-accent: #ffffff;"))
        #expect(sheet.text.contains("prefers-color-scheme: dark") && sheet.text.contains("--on-accent: #000000;"))
    }

    @Test(
        "A name that is no pair of colours is no style sheet",
        arguments: [
            "accent.css", "accent.1b6e3c.css", "accent.1b6e3c.red.css", "accent.1b6e3c.1b6e3c.css.css",
            "accent.+b6e3c.1b6e3c.css", "accent.1b6e3c.%7D%7D.css",
        ])
    func noSheet(name: String) async throws {
        let gateway = try GatewayProcess.current
        #expect(try await gateway.get("/assets/\(name)").status == 404)
    }
}
