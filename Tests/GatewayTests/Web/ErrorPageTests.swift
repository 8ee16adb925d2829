import HTTPTypes
import JSON
import Testing

@testable import HTTPServer

/// The pages about error codes.
@Suite(.gateway())
struct ErrorPageTests {
    @Test("the type of a refusal leads to a page about its code")
    func type() async throws {
        let gateway = try GatewayProcess.current
        let refusal = try await gateway.get("/v1/session")
        #expect(refusal.status == 401)
        let code = try #require(refusal.code)
        let type = try #require(refusal.json["type"]?.string)
        #expect(type == "http://localhost:8080/errors/\(code)")
        let answer = try await gateway.get(String(type.dropFirst("http://localhost:8080".count)))
        #expect(answer.status == 200)
        let document = try HTMLDocument(answer.body)
        #expect(document.all("code").map(\.text).first == code)
        #expect(document.element(id: "status")?.text == "401")
    }

    @Test("a request that reaches no handler has the same kind of type")
    func malformed() async throws {
        let answer = try await GatewayProcess.current.client.sendRaw(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(answer.status == 400)
        #expect(answer.json["type"] == "http://localhost:8080/errors/bad_request")
    }

    @Test("every code of the catalogue has a page with its status, cause and remedy")
    func pages() async throws {
        for entry in ErrorCatalogue.all {
            let answer = try await GatewayProcess.current.get("/errors/\(entry.code)")
            #expect(answer.status == 200, "\(entry.code)")
            let document = try HTMLDocument(answer.body)
            #expect(document.all("html").map { $0.attributes["lang"] } == ["en"])
            #expect(document.all("h1").map(\.text) == [entry.title])
            #expect(document.element(id: "status")?.text == "\(entry.status.code)")
            #expect(document.element(id: "cause")?.text == Self.plain(entry.cause))
            #expect(document.element(id: "remedy")?.text == Self.plain(entry.remedy))
        }
    }

    /// The text without the marks of code and links.
    private static func plain(_ text: String) -> String {
        text.replacing("`", with: "").replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
    }

    @Test("code in a sentence is marked, and a link into the documents becomes its text")
    func marks() async throws {
        let answer = try await GatewayProcess.current.get("/errors/method_not_allowed")
        #expect(answer.text.contains("<dd id=\"remedy\"><code>Allow</code> lists the methods.</dd>"))
        let signed = try await GatewayProcess.current.get("/errors/report_not_signed")
        #expect(signed.text.contains("as described in delivery.md; check"))
    }

    @Test("the list has a link to every code, in the catalogue's order")
    func list() async throws {
        let answer = try await GatewayProcess.current.get("/errors")
        #expect(answer.status == 200)
        let document = try HTMLDocument(answer.body)
        #expect(
            document.all("a").map { $0.attributes["href"] } == ErrorCatalogue.all.map { "/errors/\($0.code)" })
        #expect(document.all("a").map(\.text) == ErrorCatalogue.all.map(\.code))
    }

    @Test("caches may keep the pages for a short time, and no cookie is set", arguments: ["", "/not_found"])
    func caching(path: String) async throws {
        let answer = try await GatewayProcess.current.get("/errors\(path)")
        #expect(answer.header("Cache-Control") == "public, max-age=300")
        #expect(answer.header("Set-Cookie") == nil)
        #expect(answer.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
    }
}
