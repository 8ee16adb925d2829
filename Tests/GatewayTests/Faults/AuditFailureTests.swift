import JSON
import Postgres
import Testing

/// No change without its audit row.
@Suite("Audit failures")
struct AuditFailureTests {
    @Test("A-14: without its audit row, a change does not happen, and the answer reports that")
    func nothingChanges() async throws {
        try await withGateway { gateway in
            let person = try await gateway.anyone()
            let other = try await gateway.anyone()
            let email = Fresh.email()
            let flow = try await gateway.beginSignUp(email)
            let code = try await gateway.mailedCode(to: email)
            let minted = try await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))])
            let link = try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
            let before = try await Self.state(gateway)

            try await gateway.deployment.whileRefusingInserts(into: "audit_inbox") {
                let answers = try await [
                    gateway.signIn(minted), gateway.refresh(person.refreshToken), gateway.confirm(flow, code),
                    gateway.patch("/v1/account", ["display_name": "Ben"], bearer: person.accessToken),
                    gateway.post(
                        "/v1/account/identities", ["provider": "google", "credential": .object(link.credential())],
                        bearer: person.accessToken),
                    gateway.trySignUp(Fresh.email()), gateway.signOut(person.accessToken),
                    gateway.signOut(other.accessToken, scope: "global"),
                    gateway.revoke(other.refreshToken),
                ]
                for answer in answers {
                    #expect(answer.status == 500, "\(answer.text)")
                    #expect(answer.code == "internal_error")
                    #expect(answer.json["session"] == nil)
                    // The database's own message is not revealed.
                    #expect(!answer.text.contains("refuse_for_a_test") && !answer.text.contains("audit_inbox"))
                }
                let command = try await gateway.deployment.accounts("disable", person.account)
                #expect(command.exitCode != 0)
                #expect(try await Self.state(gateway) == before)
            }

            // Nothing changed: the same token, code and credential now work.
            #expect(try await gateway.signIn(minted).status == 200)
            #expect(try await gateway.refresh(person.refreshToken).status == 200)
            #expect(try await gateway.checkSession(other.accessToken).status == 200)
            #expect(try SignedInAnswer(try await gateway.confirm(flow, code)).email == email)
            #expect(try await gateway.checkSession(person.accessToken).json["account"]?["display_name"] != "Ben")
            let linked = try await gateway.post(
                "/v1/account/identities", ["provider": "google", "credential": .object(link.credential())],
                bearer: person.accessToken)
            #expect(linked.status == 201)
        }
    }

    /// All rows about users, as text.
    private static func state(_ gateway: GatewayProcess) async throws -> [String] {
        try await gateway.sql { connection in
            try connection.query(
                """
                select t::text from accounts t union all select t::text from account_emails t
                union all select t::text from identities t union all select t::text from sessions t
                union all select t::text from passwords t union all select t::text from spent t union all select t::text from spent_codes t
                union all select t::text from provider_tokens t union all select id::text || tries from flows
                 order by 1
                """
            ).map { try $0.value(0) }
        }
    }
}
