import JSON
import Postgres
import TestSupport
import Testing

/// A client that cannot store a new refresh token.
extension SessionTests {
    /// A client, and a session of it that was refreshed once before the rotation was relaxed.
    private struct Relaxed {
        let client: String
        let person: SignedInAnswer
        let token: String

        init(_ gateway: GatewayProcess) async throws {
            client = "relaxed-\(Fresh.text())"
            try await gateway.addClient(client, secret: nil)
            person = try await gateway.anyone(app: client)
            token = try await gateway.refreshed(person.refreshToken).refreshToken
            try await Self.set("relaxed", client, gateway)
        }

        /// Changes the setting and waits until the gateway applies it.
        static func set(_ rotation: String, _ client: String, _ gateway: GatewayProcess) async throws {
            try await gateway.change("update clients set refresh_rotation = \(rotation) where id = \(client)")
            var token = try await gateway.anyone(app: client).refreshToken
            _ = try await poll {
                let before = token
                token = try await gateway.refreshed(token).refreshToken
                return (token == before) == (rotation == "relaxed") ? () : nil
            }
        }
    }

    @Test("S-18: relaxed rotation returns the same refresh token, moves the idle timeout, and is in the audit log")
    func relaxed() async throws {
        let gateway = try GatewayProcess.current
        let relaxed = try await Relaxed(gateway)
        let session = relaxed.person.session
        for turn in 0..<3 {
            try await gateway.change(
                """
                update sessions set rotated_at = now() - interval '1 hour', idle_expires_at = now() + interval '1 minute'
                 where id = \(session)::uuid
                """)
            let answer = try await gateway.refresh(relaxed.token)
            let pair = try TokenPair(answer)
            #expect(pair.refreshToken == relaxed.token)
            #expect(answer.json["session"]?["refresh_expires_in"] == 2_592_000)
            #expect(try await gateway.checkSession(pair.accessToken).status == 200)
            let row = try #require(try await gateway.audit(answer).first)
            #expect([row.action, row.outcome, row.reason] == ["refreshed", "done", "token_kept"], "\(turn)")
        }
        #expect(try await gateway.generation(of: session) == 1)
        let named = try await gateway.form(
            "/v1/token",
            [("grant_type", "refresh_token"), ("refresh_token", relaxed.token), ("client_id", relaxed.client)],
            secret: nil)
        #expect(named.json["refresh_token"]?.string == relaxed.token, "\(named.text)")
    }

    @Test("S-18: a token that was rotated before the rotation was relaxed ends the session after it")
    func replayBeforeRelaxed() async throws {
        let gateway = try GatewayProcess.current
        let relaxed = try await Relaxed(gateway)
        let pair = try await gateway.refreshed(relaxed.token)
        let replay = try await gateway.refresh(relaxed.person.refreshToken)
        #expect(replay.status == 401 && replay.code == "refresh_token_reused")
        try await gateway.expectEnded(pair.accessToken, [relaxed.token])
    }

    @Test("S-18: with the default again, the next refresh replaces the token, and its further use is theft")
    func backToAlways() async throws {
        let gateway = try GatewayProcess.current
        let relaxed = try await Relaxed(gateway)
        #expect(try await gateway.refreshed(relaxed.token).refreshToken == relaxed.token)
        try await Relaxed.set("always", relaxed.client, gateway)
        let first = try await gateway.refreshed(relaxed.token)
        #expect(first.refreshToken != relaxed.token)
        let second = try await gateway.refreshed(first.refreshToken)
        #expect(try await gateway.refresh(relaxed.token).code == "refresh_token_reused")
        try await gateway.expectEnded(second.accessToken, [second.refreshToken])
    }
}
