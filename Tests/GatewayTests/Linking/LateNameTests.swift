import Foundation
import JSON
import Testing

/// Apple sends the name once.
///
/// An app that lost it at the first sign-in can post it later.
@Suite("A name that arrives late", .gateway(StepServer.withApps))
struct LateNameTests {
    @Test(
        "it fills an empty name, as one text or in parts",
        arguments: ["Ann Late", ["given": "Ann", "family": "Late"]] as [JSON])
    func fills(name: JSON) async throws {
        let subject = Fresh.subject("apple")
        #expect(try await Self.name(subject, nil) == .null)
        #expect(try await Self.name(subject, name) == "Ann Late")
        #expect(try await Self.name(subject, "Bob") == "Ann Late")
    }

    @Test("it does not restore a name that the user removed")
    func removed() async throws {
        let gateway = try GatewayProcess.current
        let subject = Fresh.subject("apple")
        let first = try await Self.signIn(subject, "Ann")
        let token = try #require(first["session"]?["access_token"]?.string)
        _ = try await gateway.send(TestRequest("PATCH", "/v1/account").json(["display_name": .null]).bearer(token))
        #expect(try await Self.name(subject, "Ann") == .null)
    }

    @Test("two sign-ins at once that bring a name both succeed, and one name stays")
    func concurrent() async throws {
        let subject = Fresh.subject("apple")
        #expect(try await Self.name(subject, nil) == .null)
        async let one = Self.signIn(subject, "Ann")
        async let other = Self.signIn(subject, "Bob")
        let answers = try await [one, other]
        #expect(answers.allSatisfy { $0["status"] == "signed_in" })
        let kept = try await Self.name(subject, nil)
        #expect(["Ann", "Bob"].contains(kept.string ?? ""))
    }

    private static func name(_ subject: String, _ posted: JSON?) async throws -> JSON {
        try #require(try await signIn(subject, posted)["account"]?["display_name"])
    }

    private static func signIn(_ subject: String, _ posted: JSON?) async throws -> JSON {
        let gateway = try GatewayProcess.current
        var credential = try await gateway.simulator.mint("apple", ["subject": .string(subject)]).credential()
        credential["name"] = posted
        return try await gateway.post(
            "/v1/sign-in", ["provider": "apple", "client_id": "app", "credential": .object(credential)]
        ).json
    }
}
