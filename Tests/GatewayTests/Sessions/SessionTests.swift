import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Table S of the attack list, against the running server.
///
/// Its parts are in the other files of this folder.
@Suite("Sessions", .gateway())
struct SessionTests {
    @Test("only a session's access token identifies the account")
    func check() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let answer = try await gateway.checkSession(person.accessToken)
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.json["session"]?["id"]?.string == person.session)
        #expect(answer.json["session"]?["client_id"] == "app")
        #expect(answer.json["account"] == person.answer.json["account"])

        let missing = try await gateway.get("/v1/session")
        try await gateway.expectRefusal(
            missing, 401, "access_token_missing", action: "session", leavesRow: false)
        let metadata = "resource_metadata=\"http://localhost:8080/.well-known/oauth-protected-resource\""
        #expect(missing.header("WWW-Authenticate") == "Bearer realm=\"login-gateway\", \(metadata)")
        let foreign = try await gateway.simulator.mint("google").token
        let wellFormed = [foreign, person.accessToken + "A"]
        for token in [
            "nonsense", foreign, person.refreshToken, person.accessToken + "A", String(person.accessToken.dropLast()),
        ] {
            let refused = try await gateway.checkSession(token)
            try await gateway.expectRefusal(
                refused, 401, "access_token_invalid", action: "session", leavesRow: wellFormed.contains(token))
            let challenge = "Bearer realm=\"login-gateway\", error=\"invalid_token\", \(metadata)"
            #expect(refused.header("WWW-Authenticate") == challenge)
        }
    }

    @Test("a session that was checked once is checked without the database")
    func checkWithoutDatabase() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.session(
            "google", ["subject": .string(Fresh.subject("google")), "claims": ["name": "Ann"]])
        // A read concurrent with any change is not cached, and other tests change much, so several attempts are made.
        let first = try await poll(within: .seconds(30)) { () async throws -> TestAnswer? in
            let known = try await gateway.checkSession(person.accessToken)
            // Without a notification, only a read of the database could reveal this change.
            try await gateway.change(
                "update accounts set display_name = \(Fresh.text()) where id = \(person.account)::uuid")
            let again = try await gateway.checkSession(person.accessToken)
            return again.body == known.body ? known : nil
        }
        for _ in 0..<5 { #expect(try await gateway.checkSession(person.accessToken).body == first.body) }
        // A new token of the same session needs only its signature.
        let newer = try await gateway.refreshed(person.refreshToken)
        #expect(try await gateway.checkSession(newer.accessToken).body == first.body)
        // A notified change is read.
        let renamed = try await gateway.patch("/v1/account", ["display_name": "Ben"], bearer: person.accessToken)
        #expect(renamed.status == 200)
        #expect(try await gateway.checkSession(person.accessToken).json["account"]?["display_name"] == "Ben")
    }

    @Test(
        "S-10: no request sets a session's lifetime",
        arguments: ["expires_at", "expires_in", "refresh_expires_in", "idle_seconds"])
    func lifeIsOurs(member: String) async throws {
        let gateway = try GatewayProcess.current
        for value: JSON in [nil, -1, 0, 4_102_444_800, "9999-12-31T23:59:59Z"] {
            let minted = try await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))])
            var wish: JSONObject = [:]
            wish[member] = value
            var body = wish
            body["provider"] = "apple"
            body["client_id"] = "app"
            body["credential"] = .object(minted.credential())
            body["session"] = .object(wish)
            try Self.expectUnknown(member, try await gateway.post("/v1/sign-in", .object(body)))
            body[member] = nil
            try Self.expectUnknown("session", try await gateway.post("/v1/sign-in", .object(body)))
            body["session"] = nil
            let person = try SignedInAnswer(try await gateway.post("/v1/sign-in", .object(body)))
            var refresh = wish
            refresh["refresh_token"] = .string(person.refreshToken)
            try Self.expectUnknown(member, try await gateway.post("/v1/token/refresh", .object(refresh)))
            #expect(try await gateway.refresh(person.refreshToken).status == 200)
            let patched = try await gateway.patch("/v1/account", .object(wish), bearer: person.accessToken)
            try Self.expectUnknown(member, patched)
            #expect(try await gateway.life(of: person.session) == [2_592_000, 7_776_000])
        }
    }

    @Test("S-11: a session id known before the sign-in is never reused")
    func sessionIDIsNew() async throws {
        let gateway = try GatewayProcess.current
        let attacker = try await gateway.anyone()
        let minted = try await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))])
        let id = JSON.string(attacker.session)
        let body: JSONObject = [
            "provider": "apple", "client_id": "app", "credential": .object(minted.credential()),
        ]
        let wishes: JSONObject = [
            "session_id": id, "sid": id, "session": ["id": id, "refresh_token": .string(attacker.refreshToken)],
            "account": ["id": .string(attacker.account)],
        ]
        for wish in wishes.members {
            var wishing = body
            wishing[wish.name] = wish.value
            try Self.expectUnknown(wish.name, try await gateway.post("/v1/sign-in", .object(wishing)))
        }
        let request = TestRequest("POST", "/v1/sign-in?session_id=\(attacker.session)").json(.object(body)).header(
            "Cookie", "__Host-session=\(attacker.session); session=\(attacker.refreshToken)")
        let victim = try SignedInAnswer(try await gateway.send(request))
        #expect(victim.session != attacker.session)
        #expect(victim.account != attacker.account)
        #expect(victim.refreshToken != attacker.refreshToken)
        #expect(victim.answer.header("Set-Cookie") == nil)
        let check = try await gateway.checkSession(attacker.accessToken)
        #expect(check.json["account"]?["id"]?.string == attacker.account)
        let rows = try await gateway.audit(victim.answer)
        #expect(rows.map(\.action) == ["account_created"])
        #expect(rows.first?.session == victim.session)
    }

    private static func expectUnknown(_ member: String, _ answer: TestAnswer) throws {
        let fault = answer.json["errors"]?.array?.first
        #expect(answer.status == 400 && fault?["pointer"]?.string == "/\(member)", "\(answer.text)")
        #expect(fault?["code"] == "unknown_member")
    }
}

extension GatewayProcess {
    /// The idle timeout and the maximum lifetime of a session in the database, in seconds.
    func life(of session: String) async throws -> [Int] {
        try await sql { connection in
            let row = try connection.queryOne(
                """
                select idle_seconds::int8, extract(epoch from expires_at - created_at)::int8,
                       extract(epoch from idle_expires_at - rotated_at)::int8
                  from sessions where id = \(session)::uuid
                """)
            guard let row else { return [] }
            let idle: Int = try row.value(0)
            return try row.value(2, as: Int.self) == idle ? [idle, try row.value(1)] : []
        }
    }
}
