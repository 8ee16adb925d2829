import Foundation
import JSON
import Postgres
import TestSupport
import Testing

extension SimulatorProcess {
    /// The body of an Apple notification; `members` are those of `POST /control/notification` (docs/simulator.md).
    func notification(_ members: JSONObject) async throws -> JSON {
        try await control("notification", "apple", members)
    }
}

extension GatewayProcess {
    /// Posts a body like Apple.
    func notify(_ body: JSON) async throws -> TestAnswer { try await post("/v1/events/apple", body) }

    /// The same with one event about a user; it must be accepted.
    func hear(
        _ type: String, of subject: String, _ members: JSONObject = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var members = members
        members["type"] = .string(type)
        members["subject"] = .string(subject)
        let answer = try await notify(try await simulator.notification(members))
        #expect(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.body.isEmpty, sourceLocation: sourceLocation)
    }

    /// A user of Apple with an exchanged code, so that a refresh token is stored.
    func applePerson(
        _ members: JSONObject = [:], subject: String = Fresh.subject("apple")
    ) async throws -> (session: SignedInAnswer, subject: String) {
        var members = members
        members["subject"] = .string(subject)
        let minted = try await simulator.mint("apple", members)
        let answer = try await signIn("apple", credential: minted.codeCredential())
        return (try SignedInAnswer(answer), subject)
    }

    /// The number of stored refresh tokens of an identity.
    func storedTokens(of identity: String) async throws -> Int {
        try await count("select count(*) from provider_tokens where identity_id = \(identity)::uuid")
    }

    /// Whether an access token works.
    func works(_ session: SignedInAnswer) async throws -> Bool {
        try await get("/v1/session", bearer: session.accessToken).status == 200
    }

    /// Waits until a text in its database equals the expectation.
    func expectRow(_ query: SQL, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var last = ""
        let isSo = try? await poll(within: .seconds(60)) { () -> Bool? in
            last = try await sql { try $0.queryOne(query)?.value(0, as: String?.self) } ?? "nothing"
            return last == expected ? true : nil
        }
        #expect(isSo == true, "\(last) in place of \(expected)", sourceLocation: sourceLocation)
    }

    /// Waits until the state of an identity's revocation equals the expectation.
    func expectRevocation(
        of identity: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectRow(
            """
            select concat_ws(' ', state, last_error, case when sealed is null then 'empty' end) from provider_revocations
             where identity_id = \(identity)::uuid
            """, expected, sourceLocation: sourceLocation)
    }

    /// Makes revocations due that wait for a retry or for the end of a lease.
    func makeRevocationsDue() async throws {
        try await change(
            "update provider_revocations set not_before = now(), claimed_until = now() where state = 'waiting'")
    }
}
