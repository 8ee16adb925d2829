import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Tokens are revoked at their provider when an identity is removed (L-19).
@Suite("Revocation at the provider", .gateway())
struct RevocationTests {
    /// A user with a sign-in method besides Apple, so that Apple can be unlinked.
    private func person(_ gateway: GatewayProcess) async throws -> SignedInAnswer {
        let (session, _) = try await gateway.applePerson()
        let google = try await gateway.link(try await gateway.simulator.mint("google"), bearer: session.accessToken)
        #expect(google.status == 201)
        return session
    }

    private func unlink(_ session: SignedInAnswer, _ gateway: GatewayProcess) async throws {
        let answer = try await gateway.delete(
            "/v1/account/identities/\(session.identity)", bearer: session.accessToken)
        #expect(answer.status == 204)
    }

    @Test("L-19: the token of an unlinked identity is revoked and deleted")
    func unlinked() async throws {
        let gateway = try GatewayProcess.current
        let session = try await person(gateway)
        try await unlink(session, gateway)
        #expect(try await gateway.storedTokens(of: session.identity) == 0)
        try await gateway.expectRevocation(of: session.identity, "revoked empty")
        let row = try #require(
            try await gateway.audit(account: session.account).first { $0.action == "provider_token_revoked" })
        #expect(row.outcome == "done")
        #expect(row.provider == "apple")
        #expect(row.identity == session.identity)
    }

    @Test("L-19: the token of a deleted account is revoked, even after the deletion")
    func deleted() async throws {
        let gateway = try GatewayProcess.current
        let (session, _) = try await gateway.applePerson()
        try await gateway.change("delete from accounts where id = \(session.account)::uuid")
        try await gateway.expectRevocation(of: session.identity, "revoked empty")
    }

    @Test("L-19: an identity that moves, or cannot be unlinked, keeps its token")
    func kept() async throws {
        let gateway = try GatewayProcess.current
        let (session, _) = try await gateway.applePerson()
        let answer = try await gateway.delete("/v1/account/identities/\(session.identity)", bearer: session.accessToken)
        #expect(answer.code == "last_credential")
        let other = try await gateway.session("google")
        try await gateway.change(
            "update identities set account_id = \(other.account)::uuid where id = \(session.identity)::uuid")
        #expect(try await gateway.storedTokens(of: session.identity) == 1)
        #expect(
            try await gateway.count(
                "select count(*) from provider_revocations where identity_id = \(session.identity)::uuid") == 0)
        // Restores the former state, because this server never creates an account without a sign-in method.
        try await gateway.change(
            "update identities set account_id = \(session.account)::uuid where id = \(session.identity)::uuid")
    }

    @Test("L-19: while Apple is down, the queue shows and retries the job, and an expired one is dropped")
    func down() async throws {
        try await withGateway(ownsSimulator: true) { gateway in
            let (one, two) = (try await person(gateway), try await person(gateway))
            try await gateway.simulator.behave("apple", "error", endpoint: "revoke", ["status": 503])
            try await unlink(one, gateway)
            try await gateway.expectRevocation(of: one.identity, "waiting upstream_unavailable")
            try await gateway.expectRow(
                """
                select concat_ws(' ', provider, client_id, tries >= 1, greatest(not_before, claimed_until) > queued_at)
                  from provider_revocations where identity_id = \(one.identity)::uuid
                """, "apple com.example.app t t")

            try await unlink(two, gateway)
            try await gateway.expectRevocation(of: two.identity, "waiting upstream_unavailable")
            try await gateway.change(
                """
                update provider_revocations set expires_at = now() - interval '1 second', claimed_until = null
                 where identity_id = \(two.identity)::uuid
                """)
            try await gateway.change("select sweep_provider_records(10, 60 * 86400)")
            try await gateway.expectRevocation(of: two.identity, "given_up upstream_unavailable empty")
            let row = try #require(
                try await gateway.audit(account: two.account).first { $0.action == "provider_token_revoked" })
            #expect(row.outcome == "refused")
            #expect(row.reason == "given_up")

            try await gateway.simulator.behave("apple", "normal", endpoint: "revoke")
            // The circuit lets a probe pass after its own pause.
            _ = try await poll(within: .seconds(120), every: .milliseconds(200)) {
                try await gateway.makeRevocationsDue()
                let revoked = "select count(*) from provider_revocations where state = 'revoked'" as SQL
                return try await gateway.count(revoked) == 0 ? nil : ()
            }
            try await gateway.expectRevocation(of: one.identity, "revoked empty")
        }
    }

    @Test("L-19: after a kill between claim and answer, another server revokes the token")
    func killed() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            var session: SignedInAnswer?
            try await deployment.serving { gateway in
                let someone = try await person(gateway)
                try await gateway.simulator.behave("apple", "hang", endpoint: "revoke")
                try await unlink(someone, gateway)
                _ = try await poll(within: .seconds(60)) {
                    try await gateway.simulator.requests("apple", "revoke") == 1 ? () : nil
                }
                await gateway.kill9()
                session = someone
            }
            let someone = try #require(session)
            try await deployment.simulator.behave("apple", "normal", endpoint: "revoke")
            try await deployment.serving { next in
                try await next.expectRevocation(of: someone.identity, "waiting")
                try await next.makeRevocationsDue()
                try await next.expectRevocation(of: someone.identity, "revoked empty")
            }
        }
    }

    @Test("L-19: two servers revoke each token once")
    func twoServers() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            try await deployment.serving { one in
                try await deployment.serving { two in
                    let people = try await inParallel(0..<12) { _ in try await person(one) }
                    _ = try await inParallel(people.indices) { index in
                        try await unlink(people[index], index.isMultiple(of: 2) ? one : two)
                    }
                    try await one.expectRow(
                        "select count(*) || ' ' || max(tries) from provider_revocations where state = 'revoked'", "12 1"
                    )
                    #expect(try await deployment.simulator.requests("apple", "revoke") == 12)
                }
            }
        }
    }
}
