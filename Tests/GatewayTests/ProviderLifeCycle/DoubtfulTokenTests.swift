import Cryptography
import JSON
import Postgres
import Testing

/// Apple's `invalid_request` for a stored token: the user revoked consent, or our request is malformed.
@Suite("Stored tokens that Apple doubts")
struct DoubtfulTokenTests {
    @Test("sessions of the identity end, and account, identity, token and everything else stay")
    func ended() async throws {
        try await withGateway(["MASTER_KEYS": Configurations.masterKeys], ownsSimulator: true) { gateway in
            let (session, _) = try await gateway.applePerson()
            let google: JSONObject = ["subject": .string(Fresh.subject("google"))]
            let linked = try await gateway.link(
                try await gateway.simulator.mint("google", google), bearer: session.accessToken)
            #expect(linked.status == 201, "\(linked.text)")
            let other = try await gateway.session("google", google)
            #expect(other.account == session.account)

            try await makeDoubtful(gateway)
            try await gateway.expectRow(Self.unchecked, "0")
            try await gateway.expectEnded(session)
            #expect(try await gateway.works(other))
            #expect(try await gateway.storedTokens(of: session.identity) == 1)
            #expect(try await gateway.count("select count(*) from identities where revoked_at is not null") == 0)
            let rows = try await doubts(of: session, gateway)
            #expect(rows.map(\.reason) == ["sessions_ended"])
            #expect(rows.first?.identity == session.identity && rows.first?.detail == ["sessions": 1])

            // The next day Apple gives the same answer for a user who has not signed in again.
            try await gateway.change("update provider_tokens set checked_at = null, check_due_at = now()")
            try await gateway.expectRow(Self.unchecked, "0")
            #expect(try await doubts(of: session, gateway).count == 1)
        }
    }

    @Test("beyond a limit of users no more sessions end, the log warns, and a few end later")
    func heldBack() async throws {
        try await withGateway(["MASTER_KEYS": Configurations.masterKeys], ownsSimulator: true) { gateway in
            for _ in 0..<5 { _ = try await gateway.applePerson() }
            try await makeDoubtful(gateway)
            try await gateway.expectRow(Self.unchecked, "0")
            #expect(try await gateway.count(Self.live) == 2)
            #expect(try await gateway.count(Self.rows("sessions_ended")) == 3)
            #expect(try await gateway.count(Self.rows("held_back")) == 2)
            try await gateway.logged("a provider doubts many stored tokens at once")

            try await gateway.change(
                """
                update provider_tokens
                   set stored_at = stored_at - interval '1 day', doubtful_at = doubtful_at - interval '2 hours',
                       checked_at = null, check_due_at = now()
                """)
            try await gateway.expectRow(Self.unchecked, "0")
            #expect(try await gateway.count(Self.live) == 0)
            #expect(try await gateway.count(Self.rows("sessions_ended")) == 5)
        }
    }

    @Test("a new sign-in with a code replaces the doubtful token")
    func replaced() async throws {
        try await withGateway(["MASTER_KEYS": Configurations.masterKeys], ownsSimulator: true) { gateway in
            let (session, subject) = try await gateway.applePerson()
            try await makeDoubtful(gateway)
            try await gateway.expectRow(Self.unchecked, "0")
            try await gateway.expectEnded(session)
            let (back, _) = try await gateway.applePerson(subject: subject)
            #expect(back.account == session.account)
            try await gateway.change("update provider_tokens set checked_at = null, check_due_at = now()")
            try await gateway.expectRow(Self.unchecked, "0")
            #expect(try await gateway.works(back))
            #expect(try await doubts(of: session, gateway).count == 1)
        }
    }

    /// Empties the stored tokens, so that Apple finds the request malformed.
    private func makeDoubtful(_ gateway: GatewayProcess) async throws {
        let empty = SealedBox(try MasterKeys(Configurations.masterKeys)).seal([], purpose: "provider token")
        try await gateway.change(
            "update provider_tokens set sealed = \(empty), checked_at = null, check_due_at = now()")
    }

    private func doubts(of session: SignedInAnswer, _ gateway: GatewayProcess) async throws -> [AuditRow] {
        try await gateway.audit(account: session.account).filter { $0.action == "provider_token_doubtful" }
    }

    private static let unchecked: SQL = "select count(*)::text from provider_tokens where checked_at is null"
    private static let live: SQL = "select count(*) from sessions where ended_at is null"

    private static func rows(_ reason: String) -> SQL {
        "select count(*) from audit_events where action = 'provider_token_doubtful' and reason = \(reason)"
    }
}
