import JSON
import Postgres
import TestSupport
import Testing

/// Two gateways on one PostgreSQL behave as one.
@Suite("Two servers", .gatewayPair(["THROTTLE_ACCOUNT_BURST": "6", "THROTTLE_ACCOUNT_PER_HOUR": "1"]))
struct TwoServerTests {
    /// The ways to end a session at the first server.
    enum End: String, CaseIterable {
        case signOut, signOutEverywhere, revocation, endedByOwner, replay
    }

    @Test("a session ended at one server is refused at the other within a second", arguments: End.allCases)
    func revocation(end: End) async throws {
        let pair = try GatewayPair.current
        var times: [Duration] = []
        for _ in 0..<3 {
            let person = try await pair.one.anyone()
            // The second server has cached the session, so only a notification can invalidate it.
            #expect(try await pair.two.checkSession(person.accessToken).status == 200)
            let refreshToken = try await perform(end, person, at: pair.one)
            let acknowledged = ContinuousClock.now
            let refused = try await poll { () async throws -> TestAnswer? in
                let answer = try await pair.two.checkSession(person.accessToken)
                return answer.status == 200 ? nil : answer
            }
            times.append(ContinuousClock.now - acknowledged)
            #expect(refused.code == "session_ended")
            #expect(try await pair.two.refresh(refreshToken).status == 401)
        }
        // A busy machine may be late once.
        #expect(try #require(median(times)) < .seconds(1))
    }

    /// Ends a session; returns its newest refresh token.
    private func perform(_ end: End, _ person: SignedInAnswer, at gateway: GatewayProcess) async throws -> String {
        switch end {
        case .signOut: #expect(try await gateway.signOut(person.accessToken).status == 204)
        case .signOutEverywhere: #expect(try await gateway.signOut(person.accessToken, scope: "global").status == 204)
        case .revocation:
            #expect(try await gateway.revoke(person.refreshToken).status == 200)
        case .endedByOwner:
            let path = "/v1/account/sessions/\(person.session)"
            #expect(try await gateway.delete(path, bearer: person.accessToken).status == 204)
        case .replay:
            let second = try await gateway.refreshed(person.refreshToken)
            let third = try await gateway.refreshed(second.refreshToken)
            #expect(try await gateway.refresh(person.refreshToken).code == "refresh_token_reused")
            return third.refreshToken
        }
        return person.refreshToken
    }

    @Test("a disabled account is refused at both servers")
    func disabling() async throws {
        let pair = try GatewayPair.current
        let person = try await pair.one.anyone()
        for gateway in [pair.one, pair.two] {
            #expect(try await gateway.checkSession(person.accessToken).status == 200)
        }
        #expect(try await pair.deployment.accounts("disable", person.account).exitCode == 0)
        for gateway in [pair.one, pair.two] {
            _ = try await poll { try await gateway.checkSession(person.accessToken).status == 401 ? () : nil }
            #expect(try await gateway.refresh(person.refreshToken).code == "session_ended")
        }
    }

    @Test("a change of the account is seen at the other server")
    func profile() async throws {
        let pair = try GatewayPair.current
        let person = try await pair.one.anyone()
        #expect(try await pair.two.checkSession(person.accessToken).status == 200)
        let renamed = try await pair.one.patch("/v1/account", ["display_name": "Ben"], bearer: person.accessToken)
        #expect(renamed.status == 200)
        _ = try await poll {
            try await pair.two.checkSession(person.accessToken).json["account"]?["display_name"] == "Ben" ? () : nil
        }
    }

    @Test("attempts count at both servers together")
    func throttles() async throws {
        let pair = try GatewayPair.current
        let email = Fresh.email()
        let codes = try await inParallel(20) { number in
            let gateway = number.isMultiple(of: 2) ? pair.one : pair.two
            return try await gateway.passwordSignIn(email, "not the password").code
        }
        #expect(codes.count { $0 == "invalid_credentials" } == 6)
        #expect(codes.count { $0 == "throttled" } == 14)
    }

    @Test("J-16: a nonce that was spent at one server is refused at the other")
    func nonces() async throws {
        let pair = try GatewayPair.current
        let nonce = try await pair.one.nonce()
        let person: JSONObject = ["subject": .string(Fresh.subject("apple")), "nonce": .string(nonce)]
        let (first, second) = try await (
            pair.one.simulator.mint("apple", person), pair.one.simulator.mint("apple", person)
        )
        #expect(try await pair.two.signIn(first, nonce: nonce).status == 200)
        try await pair.one.expectRefusal(
            try await pair.one.signIn(second, nonce: nonce), 401, "nonce_used", provider: "apple")
    }

    @Test("J-17: of fifty uses of one token at two servers one succeeds")
    func replays() async throws {
        let pair = try GatewayPair.current
        let minted = try await pair.one.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
        let answers = try await inParallel(50) { number in
            try await (number.isMultiple(of: 2) ? pair.one : pair.two).signIn(minted)
        }
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.count { $0.status == 401 && $0.code == "token_replayed" } == 49)
    }

    @Test("two first sign-ins at two servers create one account")
    func oneAccount() async throws {
        let pair = try GatewayPair.current
        let person: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())]
        let answers = try await inParallel(10) { number in
            try await (number.isMultiple(of: 2) ? pair.one : pair.two).session("apple", person)
        }
        #expect(Set(answers.map(\.account)).count == 1)
        #expect(Set(answers.map(\.identity)).count == 1)
        #expect(Set(answers.map(\.session)).count == 10)
        #expect(answers.count(where: \.isNewAccount) == 1)
    }

    @Test("S-01, S-04: a retry at the other server gets the same refresh token")
    func retry() async throws {
        let pair = try GatewayPair.current
        let person = try await pair.one.anyone()
        let first = try await pair.one.refresh(person.refreshToken)
        let expected = try TokenPair(first)
        let claims = try expected.accessClaims
        let answers = try await inParallel(20) { number in
            try await (number.isMultiple(of: 2) ? pair.two : pair.one).refresh(person.refreshToken)
        }
        for retry in try answers.map({ try TokenPair($0) }) {
            #expect(retry.refreshToken == expected.refreshToken)
            #expect(try retry.accessClaims == claims)
        }
        #expect(try await pair.one.generation(of: person.session) == 1)
        let next = try TokenPair(try await pair.two.refresh(expected.refreshToken))
        #expect(try await pair.one.checkSession(next.accessToken).status == 200)
    }

    @Test("both servers accept a new client, and refuse a disabled one")
    func clients() async throws {
        let pair = try GatewayPair.current
        let client = "app-\(Fresh.text())"
        try await pair.one.addClient(client, secret: nil)
        for gateway in [pair.one, pair.two] {
            _ = try await poll {
                try await gateway.signIn("password", credential: [:], app: client).code == "client_unknown" ? nil : ()
            }
        }
        try await pair.one.change("update clients set disabled_at = now() where id = \(client)")
        for gateway in [pair.one, pair.two] {
            _ = try await poll {
                try await gateway.signIn("password", credential: [:], app: client).code == "client_unknown" ? () : nil
            }
        }
    }
}
