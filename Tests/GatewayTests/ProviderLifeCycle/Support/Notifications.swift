import Foundation
import JSON
import Postgres
import TestSupport
import Testing

extension SimulatorProcess {
    /// The body of a notification of Apple's; `members` are those of `POST /control/notification` (docs/simulator.md).
    func notification(_ members: JSONObject) async throws -> JSON {
        try await control("notification", "apple", members)
    }
}

extension GatewayProcess {
    /// Posts a body as Apple does.
    func notify(_ body: JSON) async throws -> TestAnswer { try await post("/v1/events/apple", body) }

    /// The same with one event about somebody; it must be taken.
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

    /// Somebody of Apple's whose code was exchanged, so that a refresh token is kept.
    func applePerson(
        _ members: JSONObject = [:], subject: String = Fresh.subject("apple")
    ) async throws -> (session: SignedInAnswer, subject: String) {
        var members = members
        members["subject"] = .string(subject)
        let minted = try await simulator.mint("apple", members)
        let answer = try await signIn("apple", credential: minted.codeCredential())
        return (try SignedInAnswer(answer), subject)
    }

    /// How many refresh tokens are kept for an identity.
    func storedTokens(of identity: String) async throws -> Int {
        try await count("select count(*) from provider_tokens where identity_id = \(identity)::uuid")
    }

    /// Whether an access token works.
    func works(_ session: SignedInAnswer) async throws -> Bool {
        try await get("/v1/session", bearer: session.accessToken).status == 200
    }

    /// One text from its database, as soon as it reads so.
    func expectRow(_ query: SQL, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var last = ""
        let isSo = try? await poll(within: .seconds(60)) { () -> Bool? in
            last = try await sql { try $0.queryOne(query)?.value(0, as: String?.self) } ?? "nothing"
            return last == expected ? true : nil
        }
        #expect(isSo == true, "\(last) in place of \(expected)", sourceLocation: sourceLocation)
    }

    /// The state of an identity's revocation, as soon as it reads so.
    func expectRevocation(
        of identity: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectRow(
            """
            select concat_ws(' ', state, last_error, case when sealed is null then 'empty' end) from provider_revocations
             where identity_id = \(identity)::uuid
            """, expected, sourceLocation: sourceLocation)
    }

    /// Lets what waits for a later try, or for the end of a lease, be due.
    func makeRevocationsDue() async throws {
        try await change(
            "update provider_revocations set not_before = now(), claimed_until = now() where state = 'waiting'")
    }
}
