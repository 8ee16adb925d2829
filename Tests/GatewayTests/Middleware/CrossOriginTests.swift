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
