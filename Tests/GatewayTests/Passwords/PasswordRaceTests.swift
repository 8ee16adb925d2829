import Postgres
import Testing

/// A password that changes during a sign-in: the hash is read, computed and read again.
@Suite("Concurrent password changes", .gateway())
struct PasswordRaceTests {
    private func openSessions(_ account: String) async throws -> Int {
        try await GatewayProcess.current.count(
            "select count(*) from sessions where account_id = \(account)::uuid and ended_at is null")
    }

    @Test("S-08: a pending password sign-in ends with a change of the password")
    func changed() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let other = try await gateway.signUp(Fresh.email(), password: "another heron over the weir")
        let answer = try await gateway.racing(
            """
            select replace_password(\(person.account)::uuid, row(hash, null), 'changed', null, false, null, null, null, null, 'test')
              from passwords where account_id = \(other.account)::uuid
            """
        ) { try await gateway.passwordSignIn(email, GatewayProcess.password) }
        try await gateway.expectRefusal(answer, 401, "invalid_credentials", provider: "password")
        #expect(try await openSessions(person.account) == 0)
    }

    @Test("S-08: a pending password sign-in must do a reset that an operator requires meanwhile")
    func resetDemanded() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let answer = try await gateway.racing(
            "select set_password_state(\(person.account)::uuid, 'reset_required', null, 'operator', 'test')"
        ) { try await gateway.passwordSignIn(email, GatewayProcess.password) }
        _ = try PendingAnswer(answer, "reset_password")
        #expect(try await openSessions(person.account) == 0)
    }

    @Test("a password that was only rehashed meanwhile signs in")
    func encodedAnew() async throws {
        let gateway = try GatewayProcess.current
        let (email, other) = (Fresh.email(), Fresh.email())
        let (person, twin) = (try await gateway.signUp(email), try await gateway.signUp(other))
        // The same password with another salt, as a faster sign-in would store it.
        let answer = try await gateway.racing(
            """
            with held as materialized (select id from accounts where id = \(person.account)::uuid for no key update)
            update passwords p set hash = (select t.hash from passwords t where t.account_id = \(twin.account)::uuid)
              from held where p.account_id = held.id
            """
        ) { try await gateway.passwordSignIn(email, GatewayProcess.password) }
        #expect(try SignedInAnswer(answer).account == person.account)
    }
}
