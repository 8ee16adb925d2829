import JSON
import Postgres
import TestSupport
import Testing

/// Refresh tokens: one chain per session, and each token is single-use.
extension SessionTests {
    @Test("S-01: fifty redeemers of one refresh token get one new generation and the same refresh token")
    func parallelRedeemers() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let answers = try await inParallel(50) { _ in try await gateway.refresh(person.refreshToken) }
        #expect(answers.count { $0.status == 200 } == 50)
        let pairs = try answers.map { try TokenPair($0) }
        #expect(Set(pairs.map(\.refreshToken)).count == 1)
        let pair = try #require(pairs.first)
        let claims = try pair.accessClaims
        for other in pairs { #expect(try other.accessClaims == claims) }
        #expect(pair.session == person.session)
        #expect(pair.refreshToken != person.refreshToken)
        #expect(pair.accessToken != person.accessToken)
        #expect(try await gateway.generation(of: person.session) == 1)
        let rows = try await gateway.audit(account: person.account).filter { $0.action == "refreshed" }
        #expect(rows.count == 1)
        #expect(rows.first?.outcome == "done")
        #expect(rows.first?.session == person.session)
        #expect(rows.first?.client == "app")
        // Both tokens of any answer work.
        #expect(try await gateway.checkSession(pair.accessToken).status == 200)
        #expect(try await gateway.refresh(pair.refreshToken).status == 200)
    }

    @Test(
        "S-02, S-03: a used refresh token ends the session after a day, and the user is notified",
        arguments: ["25 hours", "1 year"])
    func replay(age: String) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.session(
            "apple", ["subject": .string(Fresh.subject("apple")), "email": .string(email)])
        let pair = try await gateway.refreshed(person.refreshToken)
        #expect(try await gateway.checkSession(pair.accessToken).status == 200)
        try await gateway.change(
            "update sessions set rotated_at = rotated_at - \(age)::interval where id = \(person.session)::uuid")

        let replay = try await gateway.refresh(person.refreshToken)
        #expect(replay.status == 401)
        #expect(replay.code == "refresh_token_reused")
        try await gateway.expectEnded(pair.accessToken, [pair.refreshToken, person.refreshToken])
        try await gateway.expectEnded(person.accessToken, [])

        let rows = try await gateway.audit(replay, atLeast: 2)
        let ended = try #require(rows.first { $0.outcome == "done" })
        #expect(ended.action == "session_ended")
        #expect(ended.reason == "refresh_reuse")
        #expect(ended.session == person.session)
        #expect(ended.detail == ["presented": 0, "current": 1])
        #expect(
            rows.contains { $0.action == "refresh" && $0.outcome == "refused" && $0.reason == "refresh_token_reused" })
        let subject = try await poll(within: .seconds(30)) { gateway.mails(to: email).first?.subject }
        #expect(subject.hasPrefix("A device was signed out"))
    }

    @Test("S-02: a generation older than the last spent one has no grace period")
    func olderGeneration() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let second = try await gateway.refreshed(person.refreshToken)
        let third = try await gateway.refreshed(second.refreshToken)
        let replay = try await gateway.refresh(person.refreshToken)
        #expect(replay.code == "refresh_token_reused")
        try await gateway.expectEnded(third.accessToken, [third.refreshToken, second.refreshToken])
        let rows = try await gateway.audit(replay, atLeast: 2)
        #expect(rows.first { $0.outcome == "done" }?.detail == ["presented": 0, "current": 2])
    }

    @Test("S-03: a token of a deleted session is refused and ends nothing")
    func forgotten() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let pair = try await gateway.refreshed(person.refreshToken)
        try await gateway.change(
            "update sessions set expires_at = now() - interval '31 days' where id = \(person.session)::uuid")
        _ = try await gateway.sql { try $0.query("select sweep_expired(5000, 3600, 86400, 3600, 30 * 86400)") }
        #expect(try await gateway.count("select count(*) from sessions where id = \(person.session)::uuid") == 0)
        for token in [person.refreshToken, pair.refreshToken] {
            try await gateway.expectRefusal(
                try await gateway.refresh(token), 401, "refresh_token_invalid", action: "refresh")
        }
    }

    @Test("S-04: a client that lost the answer retries and gets the same refresh token")
    func lostAnswer() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let lost = try await gateway.refresh(person.refreshToken)
        let retry = try await gateway.refresh(person.refreshToken)
        let (first, pair) = (try TokenPair(lost), try TokenPair(retry))
        #expect(pair.refreshToken == first.refreshToken)
        #expect(try pair.accessClaims == first.accessClaims)
        // The retry's tokens continue: the next rotation spends them, and ends the grace period of the first.
        let next = try await gateway.refreshed(pair.refreshToken)
        #expect(try await gateway.checkSession(next.accessToken).status == 200)
        #expect(try await gateway.generation(of: person.session) == 2)
        #expect(try await gateway.audit(account: person.account).filter { $0.action == "refreshed" }.count == 2)
    }

    @Test("S-07: after a sign-out is acknowledged no refresh that raced it has won anything")
    func refreshRacesSignOut() async throws {
        let gateway = try GatewayProcess.current
        for round in 0..<8 {
            let person = try await gateway.anyone()
            // One of the requests is the sign-out, at a different position each time.
            let answers = try await inParallel(8) { number in
                if number == round { return try await gateway.signOut(person.accessToken) }
                return try await gateway.refresh(person.refreshToken)
            }
            #expect(answers[round].status == 204)
            let refreshes = answers.indices.filter { $0 != round }.map { answers[$0] }
            #expect(refreshes.allSatisfy { $0.status == 200 || $0.code == "session_ended" })
            let won = try refreshes.filter { $0.status == 200 }.map { try TokenPair($0) }
            try await gateway.expectEnded(person.accessToken, [person.refreshToken] + won.map(\.refreshToken))
            for pair in won { try await gateway.expectEnded(pair.accessToken, []) }
            let rows = try await gateway.audit(account: person.account)
            #expect(rows.count { $0.action == "session_ended" && $0.reason == "signed_out" } == 1)
            #expect(rows.count { $0.action == "refreshed" } == (won.isEmpty ? 0 : 1))
        }
    }

    @Test("S-09: steady refreshing ends at the session's maximum lifetime")
    func greatestAge() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        try await gateway.change(
            "update sessions set expires_at = now() + interval '1 hour' where id = \(person.session)::uuid")
        let answer = try await gateway.refresh(person.refreshToken)
        let left = try #require(answer.json["session"]?["refresh_expires_in"]?.integer)
        #expect((1...3_600).contains(left))
        let pair = try TokenPair(answer)
        try await gateway.change(
            "update sessions set expires_at = now() - interval '1 second' where id = \(person.session)::uuid")
        try await gateway.expectRefusal(
            try await gateway.refresh(pair.refreshToken), 401, "refresh_token_expired", action: "refresh")
        #expect(try await gateway.checkSession(pair.accessToken).code == "session_ended")
    }

    @Test("an unused session ends at its idle timeout")
    func idle() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        try await gateway.change(
            "update sessions set idle_expires_at = now() - interval '1 second' where id = \(person.session)::uuid")
        try await gateway.expectRefusal(
            try await gateway.refresh(person.refreshToken), 401, "refresh_token_expired", action: "refresh")
        #expect(try await gateway.generation(of: person.session) == 0)
    }

    @Test("A-06: a token newer than a restored database ends the session")
    func databaseSetBack() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let digest: [UInt8] = try await gateway.sql { connection in
            let row = try connection.queryOne("select refresh_digest from sessions where id = \(person.session)::uuid")
            return try row.map { try $0.value(0) } ?? []
        }
        let lost = try await gateway.refreshed(person.refreshToken)
        // As on a promoted standby without the last transaction.
        try await gateway.change(
            """
            update sessions set generation = 0, refresh_digest = \(digest)
             where id = \(person.session)::uuid
            """)
        let answer = try await gateway.refresh(lost.refreshToken)
        #expect(answer.code == "refresh_token_reused")
        try await gateway.expectEnded(lost.accessToken, [lost.refreshToken, person.refreshToken])
        let rows = try await gateway.audit(answer, atLeast: 2)
        #expect(rows.contains { $0.action == "session_ended" && $0.reason == "generation_ahead" })
        // The audit log of this session has a rotation that the restored database lacks.
        try await gateway.change("delete from sessions where id = \(person.session)::uuid")
    }

    @Test(
        "S-02: a disabled app's refresh spends no token and notifies no user, and its sessions stay ended when it is enabled"
    )
    func shutClient() async throws {
        let gateway = try GatewayProcess.current
        let client = "app-\(Fresh.text())"
        try await gateway.addClient(client, secret: nil)
        let person = try await gateway.session("apple", ["email": .string(Fresh.email())], app: client)
        try await gateway.change("update clients set disabled_at = now() where id = \(client)")
        for _ in 0..<2 {
            try await gateway.expectRefusal(
                try await gateway.refresh(person.refreshToken), 400, "client_unknown", action: "refresh")
            // As if the app returned after the time for retries.
            try await gateway.change(
                "update sessions set rotated_at = now() - interval '1 minute' where id = \(person.session)::uuid")
        }
        #expect(try await gateway.generation(of: person.session) == 0)
        try await gateway.change("update clients set disabled_at = null where id = \(client)")
        _ = try await poll {
            try await gateway.signIn("password", credential: [:], app: client).code == "client_unknown" ? nil : ()
        }
        #expect(try await gateway.refresh(person.refreshToken).code == "session_ended")
        #expect(try await gateway.generation(of: person.session) == 0)
        let alarms = try await gateway.count(
            "select count(*) from outbox where kind = 'notice.refresh_reuse' and account_id = \(person.account)::uuid")
        #expect(alarms == 0)
    }

    @Test("a made-up refresh token ends no session", arguments: [0, 20, 60, 93])
    func forged(position: Int) async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        var bytes = Array(person.refreshToken.utf8)
        bytes[position] = bytes[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let forged = String(decoding: bytes, as: UTF8.self)
        try await gateway.expectRefusal(
            try await gateway.refresh(forged), 401, "refresh_token_invalid", action: "refresh", leavesRow: position > 0)
        #expect(try await gateway.refresh(person.refreshToken).status == 200)
    }
}

extension GatewayProcess {
    /// The number of rotations of a session's refresh token.
    func generation(of session: String) async throws -> Int {
        try await count("select generation::int8 from sessions where id = \(session)::uuid")
    }
}
