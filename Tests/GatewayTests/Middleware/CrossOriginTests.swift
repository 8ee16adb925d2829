import HTTPTypes
import Hummingbird
import JSON
import Testing

@testable import Gateway

@Suite("Browsers of other origins")
struct CrossOriginTests {
    private static let known = "https://ducks.org"
    private static let foreign = [
        "https://evil.example", "https://ducks.org.evil.example", "http://ducks.org", "https://ducks.org:8443", "null",
        "https://DUCKS.org", "https://ducks.org/", "*",
    ]

    private static func shell() throws -> TestShell {
        try TestShell(origins: [known]) { router in router.post("here") { _, _ in Response.json([]) } }
    }

    @Test("a registered origin may call and is named, never with a star")
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

    @Test("a registered origin that asks first is told the methods")
    func preflight() async throws {
        let response = try await Self.shell().send(
            .options, "/here", headers: [.origin: Self.known, .accessControlRequestMethod: "POST"]
        ).response
        #expect(response.status == .noContent)
        #expect(response.headers[.accessControlAllowOrigin] == Self.known)
        #expect(response.headers[.accessControlAllowMethods] == "POST")
        #expect(response.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
    }

    @Test("an unregistered origin that asks first is refused", arguments: foreign)
    func foreignPreflight(origin: String) async throws {
        let response = try await Self.shell().send(
            .options, "/here", headers: [.origin: origin, .accessControlRequestMethod: "POST"]
        ).response
        #expect(response.status == .forbidden)
        #expect(response.headers[.accessControlAllowOrigin] == nil)
        #expect(response.headers[.accessControlAllowMethods] == nil)
    }

    @Test("asking about an unknown path is 404")
    func unknownPath() async throws {
        let response = try await Self.shell().send(
            .options, "/nowhere", headers: [.origin: Self.known, .accessControlRequestMethod: "POST"]
        ).response
        #expect(response.status == .notFound)
    }
}
