import Foundation
import JSON
import Postgres
import Testing

/// Wrong answers also count by network: here a network has six, and one more in ten minutes.
@Suite("Guesses beyond the budget", .serialized, .gateway(["THROTTLE_WRONG_ADDRESS_PER_HOUR": "6"]))
struct WrongAnswerTests {
    @Test(
        "P-11: guesses spread over many accounts stop at the network; right answers and known devices are not charged")
    func spraying() async throws {
        let gateway = try GatewayProcess.current
        let owners = try await people(8)
        for (email, _) in owners.prefix(3) {
            let (flow, code) = try await asked(email)
            for guess in 1...2 {
                let wrong = try await gateway.answer(flow, ["code": .string(GatewayProcess.wrong(code, guess))])
                #expect(wrong.code == "code_wrong", "\(wrong.text)")
            }
        }
        let (email, device) = owners[3]
        let (flow, code) = try await asked(email)
        let refused = try await gateway.answer(flow, ["code": .string(code)])
        try await gateway.expectRefusal(refused, 429, "throttled", action: "continue_sign_in")
        let wait = try #require(refused.json["retry_after"]?.integer)
        #expect((300...600).contains(wait))
        // A sign-up's code is a guess too.
        let newcomer = Fresh.email()
        let signUp = try await gateway.beginSignUp(newcomer)
        let newCode = try await gateway.mailedCode(to: newcomer)
        #expect(try await gateway.confirm(signUp, newCode).code == "throttled")
        // The owner's device is not a stranger, and an hour later the limit has no effect.
        let known = try await gateway.answer(flow, ["code": .string(code)], device: device)
        _ = try SignedInAnswer(known)
        try await gateway.anHourLater()
        #expect(try SignedInAnswer(try await gateway.confirm(signUp, newCode)).isNewAccount)
    }

    @Test("P-10: a signed-in user can step up in spite of guesses from the same network")
    func stepUp() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.anHourLater()
        let person = try await gateway.protectedPerson()
        let owners = try await people(4)
        for (email, _) in owners.prefix(3) {
            let (flow, code) = try await asked(email)
            for guess in 1...2 {
                _ = try await gateway.answer(flow, ["code": .string(GatewayProcess.wrong(code, guess))])
            }
        }
        let (flow, code) = try await asked(owners[3].email)
        #expect(try await gateway.answer(flow, ["code": .string(code)]).code == "throttled")
        let raising = try PendingAnswer(
            try await gateway.post("/v1/session/step-up", [:], bearer: person.session.accessToken))
        _ = try SignedInAnswer(
            try await gateway.answer(raising.flow, ["code": .string(try await gateway.freshCode(person))]))
    }

    @Test("P-11: concurrent answers beyond the budget use up the attempts, and reveal no right code")
    func atOnce() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.anHourLater()
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let asked = try await gateway.forgot(email)
        let row = try #require(GatewayProcess.row(of: asked.pending.flow))
        try await leaveOneGuess(row)
        // At least five wait for the flow's row, admitted while a guess was left; the rest may be refused before.
        let answers = try await gateway.lettingIn(5, to: row) {
            try await inParallel(12) { number in
                let code = GatewayProcess.wrong(asked.code, number + 1)
                return try await gateway.reset(asked, to: "another heron over the weir", code: code).code
            }
        }
        #expect(answers.count { $0 == "code_wrong" } == 1, "\(answers)")
        #expect(answers.count { $0 == "throttled" || $0 == "too_many_tries" } == 11)
        // The guesses are available again, but the flow is not.
        try await gateway.anHourLater()
        let late = try await gateway.reset(asked, to: "another heron over the weir")
        try await gateway.expectRefusal(late, 400, "too_many_tries", action: "reset_password")
    }

    /// Leaves one of the twenty guesses at a name's codes.
    private func leaveOneGuess(_ flow: UUID) async throws {
        try await GatewayProcess.current.changeThrottles(
            """
            insert into throttles (bucket, arrival)
            select unnest((flow_guess(flows, row(5, 20, 180000, 600, 3600)::flow_limits, null, '127.0.0.1')).buckets),
                   now() + interval '57 minutes' from flows where id = \(flow)
            on conflict (bucket) do update set arrival = excluded.arrival
            """)
    }

    private func people(_ count: Int) async throws -> [(email: String, device: String?)] {
        let gateway = try GatewayProcess.current
        var people: [(email: String, device: String?)] = []
        for _ in 1...count {
            let email = Fresh.email()
            people.append((email, try await gateway.signUp(email).device))
        }
        return people
    }

    private func asked(_ email: String) async throws -> (flow: String, code: String) {
        let gateway = try GatewayProcess.current
        let flow = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
        return (flow, try await gateway.mailedCode(to: email, number: 2))
    }
}

extension GatewayProcess {
    /// Runs `body` while a flow's row is locked, until that many answers wait for it.
    fileprivate func lettingIn<Value>(
        _ number: Int, to flow: UUID, _ body: () async throws -> Value
    ) async throws -> Value {
        let (isHeld, held) = AsyncStream<Void>.makeStream()
        async let holding: Void = sql { connection in
            defer { held.finish() }
            try connection.transaction { connection in
                try connection.execute("select from flows where id = \(flow) for update")
                held.finish()
                try connection.untilWaiting(number)
            }
        }
        for await _ in isHeld {}
        let value = try await body()
        try await holding
        return value
    }
}

extension Connection {
    /// Blocks on the connection's thread until that many sessions of this database wait for locks.
    fileprivate func untilWaiting(_ number: Int) throws {
        for _ in 0..<2_000 {
            // Otherwise the view of other sessions stays unchanged for the whole transaction.
            _ = try queryOne("select pg_stat_clear_snapshot()")
            let waiting = try queryOne(
                """
                select count(distinct l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
                 where not l.granted and a.datname = current_database()
                """)
            if try waiting?.value(0, as: Int.self) ?? 0 >= number { return }
            usleep(10_000)
        }
        Issue.record("fewer than \(number) waited")
    }
}
