import Foundation
import JSON
import TestSupport
import Testing

/// `/docs`, `/openapi.yaml` and `/openapi.json`.
@Suite(.gateway())
struct ReferenceDoorTests {
    private static let pages = [
        "index", "sign-in", "account", "administration", "standards", "reports", "pages", "errors",
    ]

    @Test("what make reference builds is served, with types and a policy that browsers enforce")
    func served() async throws {
        try await withGateway { gateway in
            try await Self.build(into: "\(gateway.deployment.folder)/var/reference")
            let start = try await Self.send("/docs", gateway)
            #expect(start.status == 303)
            #expect(start.header("Location") == "/docs/index.html")
            let types =
                Self.pages.map { ("\($0).html", "text/html; charset=utf-8") } + [
                    ("reference.css", "text/css; charset=utf-8"), ("reference.js", "text/javascript; charset=utf-8"),
                    ("search.js", "text/javascript; charset=utf-8"), ("openapi.yaml", "application/yaml"),
                    ("openapi.json", "application/json"),
                ]
            for (name, type) in types {
                // The test's reader of JSON takes no document of this length.
                let isLong = name == "openapi.json"
                let answer = try await isLong ? gateway.get("/docs/\(name)") : Self.send("/docs/\(name)", gateway)
                #expect(answer.status == 200, "\(name)")
                #expect(answer.header("Content-Type") == type)
                #expect(answer.header("Content-Security-Policy")?.contains("script-src 'self';") == true)
            }
            for name in ["openapi.yaml", "openapi.json"] {
                #expect(try await gateway.get("/\(name)").body == gateway.get("/docs/\(name)").body)
            }
        }
    }

    @Test("each operation is on a page, and openapi.yaml has the refusals of each call")
    func content() async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Self.build(into: folder)
        let html = try Self.pages.map { try Self.text("\(folder)/\($0).html") }.joined()
        let articles = html.components(separatedBy: "<article class=\"call\" id=\"").dropFirst()
        let shown = Set(articles.map { String($0.prefix { $0 != "\"" }) })
        let operations = try OpenAPIDocument.current.get().operations
        #expect(Set(operations.compactMap { $0.json["operationId"]?.string }).subtracting(shown) == [])
        // A strict policy runs nothing that stands in the page, and a file has no server to ask.
        #expect(!html.contains("<style") && !html.contains(" style=") && !html.contains(" onclick="))
        #expect(!html.contains("src=\"http") && !html.contains("<link rel=\"stylesheet\" href=\"http"))
        let refused = try Self.text("\(folder)/openapi.yaml")
        #expect(refused.contains("$ref\":\"#/components/examples/client_unknown\""))
    }

    @Test(
        "before it is built, the answer names the command",
        arguments: ["/docs/index.html", "/openapi.yaml", "/openapi.json"])
    func notBuilt(path: String) async throws {
        let answer = try await Self.send(path, try GatewayProcess.current)
        #expect(answer.status == 404)
        #expect(answer.text.contains("make reference"))
    }

    @Test(
        "no other file can be named",
        arguments: [
            "/docs/..%2F..%2Fetc%2Fpasswd", "/docs/%2e%2e", "/docs/build.mjs", "/docs/.env", "/docs/x/index.html",
        ])
    func otherFiles(path: String) async throws {
        let answer = try await GatewayProcess.current.get(path)
        #expect(answer.status == 404 || answer.status == 400)
        #expect(!answer.text.contains("make reference"))
    }

    @Test("in production there is no reference")
    func production() throws {
        let routes = try MountedRoutes.all(Configurations.read(base: Configurations.production))
        #expect(routes.contains("GET /errors"))
        #expect(!routes.contains { $0.contains(" /docs") || $0.contains(" /openapi") })
    }

    /// An answer that fits `docs/openapi.yaml`.
    private static func send(_ path: String, _ gateway: GatewayProcess) async throws -> TestAnswer {
        let request = TestRequest("GET", path)
        let answer = try await gateway.send(request)
        #expect(try OpenAPIDocument.current.get().complaints(about: answer, to: request) == [], "\(path)")
        return answer
    }

    private static func build(into folder: String) async throws {
        try await TypeScript.run([
            "node", Configurations.root.appending(path: "scripts/reference/build.mjs").path, folder,
        ])
    }

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
