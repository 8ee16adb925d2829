import JSON
import Postgres
import Testing

/// A stored refresh token is checked once a day.
@Suite("The daily check of stored tokens")
struct TokenCheckTests {
    @Test("a valid token is checked, and not again that day")
    func good() async throws {
        try await withGateway(ownsSimulator: true) { gateway in
            let (session, _) = try await gateway.applePerson()
            let before = try await gateway.simulator.requests("apple", "token")
            try await makeDue(gateway)
            try await gateway.expectRow(Self.state(of: session), "checked")
            #expect(try await gateway.works(session))
            #expect(try await gateway.simulator.requests("apple", "token") == before + 1)
            #expect(
                try await gateway.count(
                    "select count(*) from provider_tokens where check_due_at >= checked_at + interval '23 hours'") == 1)
        }
    }

    @Test("a revoked token has the effect of a revoked consent")
    func dead() async throws {
        try await withGateway(ownsSimulator: true) { gateway in
            let (session, subject) = try await gateway.applePerson()
            // Apple revokes the token, and the notification never arrives.
            _ = try await gateway.simulator.notification(["subject": .string(subject)])
            try await makeDue(gateway)
            try await gateway.expectRow(Self.state(of: session), "nothing")
            try await gateway.expectEnded(session)
            let row = try #require(
                try await gateway.audit(account: session.account).first { $0.action == "provider_token_dead" })
            #expect(row.identity == session.identity)
            #expect(try await gateway.count("select count(*) from identities where revoked_at is not null") == 1)
            #expect(try await gateway.count("select count(*) from provider_revocations") == 0)
        }
    }

    @Test(
        "without an answer from Apple, nothing changes, and the check is repeated later",
        arguments: ["error", "html", "truncated"])
    func unknown(mode: String) async throws {
        try await withGateway(ownsSimulator: true) { gateway in
            let (session, _) = try await gateway.applePerson()
            try await gateway.simulator.behave("apple", mode, endpoint: "token")
            let before = try await gateway.simulator.requests("apple", "token")
            try await makeDue(gateway)
            try await gateway.expectRow(
                """
                select case when check_due_at > now() + interval '30 minutes' and check_due_at < now() + interval '3 hours'
                            then 'later' end
                  from provider_tokens where identity_id = \(session.identity)::uuid
                """, "later")
            #expect(try await gateway.simulator.requests("apple", "token") == before + 1)
            #expect(try await gateway.works(session))
        }
    }

    @Test("a token of another team is not checked")
    func otherTeam() async throws {
        try await withGateway(ownsSimulator: true) { gateway in
            let (session, subject) = try await gateway.applePerson()
            try await gateway.change("update identities set realm = 'TEAM000000'")
            _ = try await gateway.simulator.notification(["subject": .string(subject)])
            let before = try await gateway.simulator.requests("apple", "token")
            try await makeDue(gateway)
            try await gateway.expectRow(
                "select case when check_due_at > now() + interval '23 hours' then 'passed over' end from provider_tokens",
                "passed over")
            #expect(try await gateway.simulator.requests("apple", "token") == before)
            #expect(try await gateway.works(session))
        }
    }

    @Test("a check that waits for a move of its identity ends the sessions of the target account")
    func movedMeanwhile() async throws {
        try await withGateway(ownsSimulator: true) { gateway in
            let (from, _) = try await gateway.applePerson(["email": .string(Fresh.email())])
            let target = try await gateway.session("google", ["email": .string(Fresh.email())])
            try await gateway.change("insert into passwords (account_id, hash) values (\(from.account)::uuid, 'x')")
            _ = try await gateway.racing(
                """
                select move_identity(gen_random_uuid(), \(from.identity)::uuid, \(from.account)::uuid, \(target.account)::uuid,
                                     '{password}', null, null, 'test')
                """
            ) {
                try await gateway.change(
                    """
                    select settle_token_check(identity_id, client_id, kind, stored_at, 'dead', 0)
                      from provider_tokens where identity_id = \(from.identity)::uuid
                    """)
            }
            let told = try await gateway.audit(account: target.account)
            #expect(told.contains { $0.action == "provider_token_dead" && $0.identity == from.identity })
            let before = try await gateway.audit(account: from.account)
            #expect(!before.contains { $0.action == "provider_token_dead" })
        }
    }

    private func makeDue(_ gateway: GatewayProcess) async throws {
        try await gateway.change("update provider_tokens set check_due_at = now()")
    }

    private static func state(of session: SignedInAnswer) -> SQL {
        """
        select case when checked_at is null then 'unchecked' else 'checked' end from provider_tokens
         where identity_id = \(session.identity)::uuid
        """
    }
}
