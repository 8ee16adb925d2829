import HTTPTypes
import Hummingbird
import JSON
import Testing

@testable import HTTPServer

@Suite("Browsers of other origins")
struct CrossOriginTests {
    private static let known = "https://ducks.org"
    private static let foreign = [
        "https://evil.example", "https://ducks.org.evil.example", "http://ducks.org", "https://ducks.org:8443", "null",
        "https://DUCKS.org", "https://ducks.org/", "*",
    ]

    private static func shell() throws -> TestShell {
        try TestShell(origins: [known]) { router in
            router.post("here") { _, _ in Response.json([]) }
            router.get("authorize") { _, _ in Response.json([]) }
            router.get("kept") { _, _ in Response.json([], headers: [.cacheControl: "public, max-age=300"]) }
            router.get("v1/session") { _, _ -> Response in throw Problem(.unauthorized, code: "access_token_missing") }
        }
    }

    @Test(
        "a cacheable answer varies by origin for every caller", arguments: [nil, known, "https://evil.example"])
    func kept(origin: String?) async throws {
        var headers: HTTPFields = [:]
        headers[.origin] = origin
        let response = try await Self.shell().send(.get, "/kept", headers: headers).response
        #expect(response.headers[.vary] == "Origin")
        #expect(try await Self.shell().send(.post, "/here").response.headers[.vary] == nil)
    }

    @Test("with a cookie, a registered origin can also read refusals")
    func credentials() async throws {
        let shell = try Self.shell()
        for (origin, allowed) in [(Self.known, "true"), ("https://evil.example", nil)] {
            let response = await shell.send(.get, "/v1/session?x", headers: [.origin: origin]).response
            #expect(response.status == .unauthorized)
            #expect(response.headers[.accessControlAllowCredentials] == allowed)
        }
        let asked = await shell.send(
            .options, "/v1/session", headers: [.origin: Self.known, .accessControlRequestMethod: "GET"]
        ).response
        #expect(asked.status == .noContent)
        #expect(asked.headers[.accessControlAllowCredentials] == "true")
    }

    @Test("a registered origin may call, and is named instead of a star")
    func registered() async throws {
        let response = try await Self.shell().send(.post, "/here", headers: [.origin: Self.known]).response
        #expect(response.headers[.accessControlAllowOrigin] == Self.known)
        #expect(response.headers[.vary] == "Origin")
        #expect(response.headers[.accessControlAllowCredentials] == nil)
    }

    @Test("an unregistered origin gets no permission", arguments: foreign)
    func unregistered(origin: String) async throws {
        let response = try await Self.shell().send(.post, "/here", headers: [.origin: origin]).response
        #expect(response.headers[.accessControlAllowOrigin] == nil)
        #expect(response.headers[.vary] == "Origin")
    }

    @Test("a preflight of a registered origin gets the methods")
    func preflight() async throws {
        let response = try await Self.shell().send(
            .options, "/here", headers: [.origin: Self.known, .accessControlRequestMethod: "POST"]
        ).response
        #expect(response.status == .noContent)
        #expect(response.headers[.accessControlAllowOrigin] == Self.known)
        #expect(response.headers[.accessControlAllowMethods] == "POST")
        #expect(response.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
    }

    @Test("a preflight of an unregistered origin is refused", arguments: foreign)
    func foreignPreflight(origin: String) async throws {
        let response = try await Self.shell().send(
            .options, "/here", headers: [.origin: origin, .accessControlRequestMethod: "POST"]
        ).response
        #expect(response.status == .forbidden)
        #expect(response.headers[.accessControlAllowOrigin] == nil)
        #expect(response.headers[.accessControlAllowMethods] == nil)
    }

    private static let corsMode: HTTPField.Name = .known("Sec-Fetch-Mode")

    @Test("a refused origin is in the answer and in the log, with the remedy, once")
    func logged() async throws {
        let (shell, origin) = (try Self.shell(), "https://shop.example")
        let preflight: HTTPFields = [.origin: origin, .accessControlRequestMethod: "POST"]
        for _ in 1...2 {
            let outcome = await shell.send(.options, "/here", headers: preflight)
            let detail = try await outcome.response.json["detail"]
            #expect(detail == "No app has registered the origin https://shop.example.")
        }
        _ = await shell.send(.post, "/here", headers: [.origin: origin, Self.corsMode: "cors"])
        let log = await shell.log.text()
        let remedy =
            "gateway clients change APP --add-origin https://shop.example, or http://localhost:8080/admin/clients"
        #expect(log.ranges(of: remedy).count == 1, "\(log)")
        #expect(log.contains("a page's origin is not registered"))
    }

    @Test("a call that needs no preflight is logged too; a form, a known origin and our own page are not")
    func quiet() async throws {
        let simple = try Self.shell()
        _ = await simple.send(.post, "/here", headers: [.origin: "https://shop.example", Self.corsMode: "cors"])
        #expect(await simple.log.text().contains("--add-origin https://shop.example"))
        let quiet = try Self.shell()
        let cases: [(origin: String, mode: String)] = [
            ("https://shop.example", "navigate"), (Self.known, "cors"), ("http://localhost:8080", "cors"),
            ("null", "cors"),
        ]
        for one in cases {
            _ = await quiet.send(.post, "/here", headers: [.origin: one.origin, Self.corsMode: one.mode])
        }
        #expect(await !quiet.log.text().contains("not registered"))
    }

    @Test("a caller who names many origins, or one with line breaks and of any length, can't flood the log")
    func flood() async throws {
        let shell = try Self.shell()
        let long = "https://" + String(repeating: "a", count: 1_000) + "\u{1B}[2J"
        for origin in [long] + (1...100).map({ "https://\($0).example" }) {
            _ = await shell.send(.options, "/here", headers: [.origin: origin, .accessControlRequestMethod: "POST"])
        }
        let lines = await shell.log.text().split(separator: "\n").filter { $0.contains("not registered") }
        #expect(lines.count == 64)
        #expect(lines.allSatisfy { $0.utf8.count < 1_000 && !$0.contains("\u{1B}") && !$0.contains("u001b") })
    }

    @Test("a preflight for an unknown path is 404")
    func unknownPath() async throws {
        let response = try await Self.shell().send(
            .options, "/nowhere", headers: [.origin: Self.known, .accessControlRequestMethod: "POST"]
        ).response
        #expect(response.status == .notFound)
    }

    @Test("an authorization endpoint permits no script, not even one of a registered origin")
    func authorizationEndpoint() async throws {
        let shell = try Self.shell()
        let answer = await shell.send(.get, "/authorize?client_id=app", headers: [.origin: Self.known]).response
        #expect(answer.status == .ok && answer.headers[.accessControlAllowOrigin] == nil)
        let asked = await shell.send(
            .options, "/authorize", headers: [.origin: Self.known, .accessControlRequestMethod: "GET"]
        ).response
        #expect(asked.status == .forbidden && asked.headers[.accessControlAllowMethods] == nil)
    }
}
