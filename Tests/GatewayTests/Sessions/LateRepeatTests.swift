import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Refreshes without accidental sign-outs: a lost answer may be retried, and theft is still detected.
///
/// Late retries are simulated by dating the rotation back. The rule's machine gives the expected results.
extension SessionTests {
    @Test("S-04: an app that loses answers at random keeps its session for 1,000 generations")
    func losingAnswers() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        var (chain, app) = (RefreshChain(), LosingApp(seed: 20))
        var token = person.refreshToken
        for generation in 1...1_000 {
            var next: String?
            let seconds = app.nextSeconds()
            for (index, second) in seconds.enumerated() {
                if index > 0 { try await gateway.date(person.session, back: second - seconds[0]) }
                let answer = try await gateway.refresh(token)
                guard answer.status == 200 else {
                    Issue.record("signed out in generation \(generation): \(answer.text)")
                    return
                }
                let pair = try TokenPair(answer)
                #expect(next == nil || next == pair.refreshToken)
                next = pair.refreshToken
                let right = chain.present(generation - 1, at: second)
                #expect(right == (index == 0 ? .rotated(generation) : .repeated(generation)))
            }
            token = try #require(next)
        }
        #expect(try await gateway.generation(of: person.session) == 1_000)
        #expect(try await gateway.refresh(token).status == 200)
    }

    @Test("S-02: alternating refreshes of thief and user are detected within three, in every interleaving")
    func interleavings() async throws {
        let gateway = try GatewayProcess.current
        _ = try await inParallel(64) { word in
            let person = try await gateway.anyone()
            var chain = RefreshChain()
            var (tokens, generations, made) = ([person.refreshToken, person.refreshToken], [0, 0], [0, 0])
            for turn in 0..<6 {
                let who = word >> turn & 1
                made[who] += 1
                try await gateway.date(person.session, back: 600)
                let answer = try await gateway.refresh(tokens[who])
                switch chain.present(generations[who], at: turn * 600) {
                case .rotated(let generation), .repeated(let generation):
                    tokens[who] = try TokenPair(answer).refreshToken
                    generations[who] = generation
                case .theft: #expect(answer.code == "refresh_token_reused", "\(word), \(turn): \(answer.text)")
                }
                #expect(chain.isOver || made[0] < 3 || made[1] < 3)
                if chain.isOver { break }
            }
            // No token of either works any more.
            for token in tokens where chain.isOver { #expect(try await gateway.refresh(token).status == 401) }
        }
    }

    @Test("S-04: a late repeat gets the same refresh token with an access token of now, and leaves a row")
    func late() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let lost = try await gateway.refreshed(person.refreshToken)
        try await gateway.date(person.session, back: 3_600)
        let repeated = try await gateway.refresh(person.refreshToken)
        let pair = try TokenPair(repeated)
        #expect(pair.refreshToken == lost.refreshToken)
        #expect(try await gateway.checkSession(pair.accessToken).status == 200)
        // Dated like the rotation, it would have expired.
        let issued = try #require(Tokens.object(pair.accessToken, part: 1)?["iat"]?.integer)
        #expect(abs(Double(issued) - Date().timeIntervalSince1970) < 60)
        let row = try #require(try await gateway.audit(repeated).first)
        #expect([row.action, row.outcome, row.reason] == ["refresh_repeated", "done", "late"])
        #expect(row.detail?["generation"] == 1 && row.detail?["in_a_row"] == 1)
        #expect((3_600...3_700).contains(row.detail?["seconds"]?.integer ?? 0))
        #expect(try await gateway.generation(of: person.session) == 1)
    }

    @Test(
        "S-02: a third late retry in a row ends the session, with its audit row; one generation without a retry resets the count"
    )
    func third() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        var token = person.refreshToken
        for isLate in [true, true, false, true, true, true] {
            let first = try await gateway.refreshed(token)
            if isLate { try await gateway.date(person.session, back: 60) }
            let again = try await gateway.refresh(token)
            guard again.status == 200 else {
                #expect(again.code == "refresh_token_reused")
                let rows = try await gateway.audit(again, atLeast: 2)
                #expect(rows.first { $0.outcome == "done" }?.detail == ["presented": 5, "current": 6, "in_a_row": 3])
                break
            }
            token = try TokenPair(again).refreshToken
            #expect(token == first.refreshToken)
        }
        #expect(try await gateway.generation(of: person.session) == 6)
        #expect(try await gateway.refresh(token).code == "session_ended")
    }

    @Test("S-04: a late retry does not restore an expired session")
    func expired() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        _ = try await gateway.refreshed(person.refreshToken)
        try await gateway.date(person.session, back: 3_600)
        try await gateway.change(
            "update sessions set idle_expires_at = now() - interval '1 second' where id = \(person.session)::uuid")
        try await gateway.expectRefusal(
            try await gateway.refresh(person.refreshToken), 401, "refresh_token_expired", action: "refresh")
    }
}

/// An installation with the fixed grace period alone, behind a proxy that names the visitor.
@Suite("Refresh with the fixed window", .gateway(["REFRESH_LATE_REPEAT_HOURS": "0"]))
struct FixedWindowTests {
    @Test("S-02: with the fixed grace period alone, a retry after eleven seconds ends the session")
    func replay() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let lost = try await gateway.refreshed(person.refreshToken)
        #expect(try await gateway.refreshed(person.refreshToken).refreshToken == lost.refreshToken)
        try await gateway.date(person.session, back: 11)
        #expect(try await gateway.refresh(person.refreshToken).code == "refresh_token_reused")
        try await gateway.expectEnded(lost.accessToken, [lost.refreshToken])
    }
}

@Suite("Refresh from elsewhere", .gateway(["TRUSTED_PROXIES": "127.0.0.0/8"]))
struct LateRepeatElsewhereTests {
    @Test(
        "S-04: a late retry from another network has an audit row; an IPv6 /64 is one network",
        arguments: [
            ("203.0.113.7", "203.0.113.7", "late"), ("203.0.113.7", "203.0.113.8", "other_network"),
            ("2001:db8:1:2::1", "2001:db8:1:2::ffff", "late"), ("2001:db8:1:2::1", "2001:db8:1:3::1", "other_network"),
        ])
    func network(first: String, later: String, reason: String) async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        #expect(try await gateway.refresh(person.refreshToken, from: first).status == 200)
        try await gateway.date(person.session, back: 60)
        let repeated = try await gateway.refresh(person.refreshToken, from: later)
        #expect(repeated.status == 200, "\(repeated.text)")
        #expect(try await gateway.audit(repeated).map(\.reason) == [reason])
    }
}

@Suite("Late repeats at two servers", .gatewayPair())
struct LateRepeatPairTests {
    @Test("S-01: forty late retries at two servers get one refresh token, and count once")
    func together() async throws {
        let pair = try GatewayPair.current
        let person = try await pair.one.anyone()
        let lost = try await pair.one.refreshed(person.refreshToken)
        try await pair.one.date(person.session, back: 60)
        let answers = try await inParallel(40) { number in
            try await (number.isMultiple(of: 2) ? pair.one : pair.two).refresh(person.refreshToken)
        }
        let tokens = try answers.map { try TokenPair($0).refreshToken }
        #expect(Set(tokens) == [lost.refreshToken])
        let streak = try await pair.one.count(
            "select late_streak::int8 from sessions where id = \(person.session)::uuid")
        #expect(streak == 1)
        #expect(try await pair.one.generation(of: person.session) == 1)
    }

    @Test(
        "S-02: a late retry concurrent with its successor's use gets that successor, or ends the session"
    )
    func racing() async throws {
        let pair = try GatewayPair.current
        for _ in 0..<8 {
            let person = try await pair.one.anyone()
            let successor = try await pair.one.refreshed(person.refreshToken)
            try await pair.one.date(person.session, back: 60)
            let answers = try await inParallel(2) { number in
                if number == 0 { return try await pair.one.refresh(successor.refreshToken) }
                return try await pair.two.refresh(person.refreshToken)
            }
            let (used, late) = (answers[0], answers[1])
            if late.status == 200 {
                #expect(try TokenPair(late).refreshToken == successor.refreshToken)
                #expect(used.status == 200)
            } else {
                #expect(late.code == "refresh_token_reused")
                #expect(used.status == 200 || used.code == "session_ended")
                #expect(try await pair.one.refresh(successor.refreshToken).code == "session_ended")
            }
        }
    }
}

extension GatewayProcess {
    /// Dates a session's last rotation back by that many seconds.
    func date(_ session: String, back seconds: Int) async throws {
        // The upper limit leaves room for a busy machine.
        let age = Int32(min(seconds, 86_000))
        try await change(
            """
            update sessions set rotated_at = now() - make_interval(secs => case when \(age) < 10 then 0 else \(age) end)
             where id = \(session)::uuid
            """)
    }

    /// A refresh from an address, as one of our proxies reports it.
    fileprivate func refresh(_ token: String, from address: String) async throws -> TestAnswer {
        try await send(
            TestRequest("POST", "/v1/token/refresh").json(["refresh_token": .string(token)])
                .header("X-Forwarded-For", address))
    }
}
