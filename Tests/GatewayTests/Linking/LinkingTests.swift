import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// The linking rules and table L of the attack list, against the running server.
///
/// Parts are in the other files of this folder.
@Suite("Linking", .gateway())
struct LinkingTests {}

extension GatewayProcess {
    /// A client with the linking policy `ask`, made once per gateway.
    func askingClient() async throws -> String {
        try await sql {
            _ = try $0.execute(
                """
                insert into clients (id, name, linking_policy, providers)
                values ('asking', 'Asking', 'ask', (select providers from clients where id = 'app'))
                on conflict (id) do nothing
                """)
        }
        // The gateway learns of it from the database.
        return try await poll {
            let answer = try await self.post(
                "/v1/sign-in", ["provider": "nobody", "client_id": "asking", "credential": [:]])
            return answer.code == "client_unknown" ? nil : "asking"
        }
    }

    /// Links a minted credential to the account of a session.
    func link(_ minted: Minted, bearer: String) async throws -> TestAnswer {
        try await post(
            "/v1/account/identities",
            ["provider": .string(minted.provider), "credential": .object(minted.credential())], bearer: bearer)
    }

    /// The access token of a session with a proof of that age.
    func aged(_ session: SignedInAnswer, seconds: Int) async throws -> String {
        let id = try #require(UUID(uuidString: session.session))
        try await change(
            "update sessions set auth_time = now() - make_interval(secs => \(Int32(seconds))) where id = \(id)")
        return try await refreshed(session)
    }

    /// The access token of a session that becomes one in which an operator acts for the user.
    func impersonated(_ session: SignedInAnswer) async throws -> String {
        let id = try #require(UUID(uuidString: session.session))
        try await change(
            """
            update sessions set actor_id = gen_random_uuid(), acr = '0', amr = '{}', auth_time = now() where id = \(id)
            """)
        return try await refreshed(session)
    }

    private func refreshed(_ session: SignedInAnswer) async throws -> String {
        let refreshed = try await post("/v1/token/refresh", ["refresh_token": .string(session.refreshToken)])
        return try #require(refreshed.json["session"]?["access_token"]?.string)
    }

    /// The identities of an account: provider and subject, in order of their linking.
    func identities(_ session: SignedInAnswer) async throws -> [String] {
        let answer = try await get("/v1/account/identities", bearer: session.accessToken)
        return (answer.json["identities"]?.array ?? []).compactMap { $0["provider"]?.string }
    }

    /// Requires the answer `link_account`, with the flow.
    func linkFlow(_ answer: TestAnswer, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        try #require(
            answer.json["next_step"]?["type"] == "link_account", "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.json["session"] == nil, sourceLocation: sourceLocation)
        return try #require(answer.json["flow"]?.string, sourceLocation: sourceLocation)
    }

    /// Requires that a session no longer works in any way.
    func expectEnded(_ session: SignedInAnswer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let refreshed = try await post("/v1/token/refresh", ["refresh_token": .string(session.refreshToken)])
        #expect(refreshed.status == 401, "\(refreshed.text)", sourceLocation: sourceLocation)
        // Another server would learn of it within a second; this one learns of it in the same way.
        let ended = try? await poll(within: .seconds(30)) {
            try await self.get("/v1/session", bearer: session.accessToken).status == 401 ? true : nil
        }
        #expect(ended == true, "the access token still works", sourceLocation: sourceLocation)
    }

    /// The number of accounts that claim an address.
    func claims(on email: String) async throws -> Int {
        try await count("select count(*) from account_emails where address_key = lower(\(email))")
    }
}
