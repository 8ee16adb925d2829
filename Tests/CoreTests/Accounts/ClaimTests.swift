import Foundation
import Postgres
import Testing

/// Accounts with an unproved claim on an address, after its owner proves it.
@Suite("Unproved claims on an address")
struct ClaimTests {
    private static let address = "ann@example.com"

    /// The other sign-in methods of the claimant's account.
    enum Other: String, CaseIterable, Sendable {
        case userName, phone, email, passkey, identity
    }

    private func claimant(_ other: Other?, _ people: People) async throws -> UUID {
        let account = try await people.account(
            emails: other == .email ? ["mallory@example.com"] : [], unproved: [Self.address],
            phones: other == .phone ? ["+4930123456"] : [], identities: other == .identity ? ["m1"] : [],
            password: true)
        if other == .userName {
            try await people.change(
                "update accounts set user_name = 'mallory', user_name_key = 'mallory' where id = \(account)")
        }
        if other == .passkey {
            try await people.change(
                """
                insert into passkeys (id, account_id, credential_id, user_handle, public_key, algorithm, counter, backup_eligible,
                                      backed_up, attestation)
                values (gen_random_uuid(), \(account), '\\x01', '\\x02', '\\x03', -7, 0, false, false, 'none')
                """)
        }
        return account
    }

    private func prove(_ people: People) async throws {
        let winner = try await people.account()
        _ = try await people.texts("select clear_unproved_claims(\(Self.address), \(winner), null, 'proof')::text")
    }

    private func passwords(of account: UUID, _ people: People) async throws -> Int {
        try await people.texts("select 'one' from passwords where account_id = \(account)").count
    }

    @Test("L-03: a claimant loses the address and every session, and keeps its other data", arguments: Other.allCases)
    func keepsItsOwn(other: Other) async throws {
        try await withPeople { people in
            let account = try await claimant(other, people)
            let session = try await people.session(account)
            try await prove(people)
            #expect(try await people.emails(of: account).contains { $0.hasPrefix(Self.address) } == false)
            #expect(
                try await people.texts("select end_reason from sessions where id = \(session)") == [
                    "address_claim_lost"
                ])
            #expect(try await people.status(account) == "active")
            let carries = [Other.userName, .phone, .email].contains(other)
            #expect(try await passwords(of: account, people) == (carries ? 1 : 0))
        }
    }

    @Test("an account that loses its main address gets another one, preferably proved")
    func anotherMain() async throws {
        try await withPeople { people in
            let account = try await people.account(unproved: [Self.address, "first@example.com"], identities: ["m1"])
            try await people.change(
                """
                insert into account_emails (account_id, address_key, address, source, proved_at, is_main, added_at)
                values (\(account), 'second@example.com', 'second@example.com', 'person', now(), false,
                        now() + interval '1 hour')
                """)
            try await prove(people)
            #expect(
                try await people.emails(of: account) == ["first@example.com unproved", "second@example.com main"])
        }
    }

    @Test("L-01: an account that depended on the claim is closed, audited, and later deleted")
    func closed() async throws {
        try await withPeople { people in
            let account = try await claimant(nil, people)
            try await prove(people)
            #expect(try await people.status(account) == "closed")
            #expect(try await passwords(of: account, people) == 0)
            #expect(
                try await people.texts(
                    """
                    select action || ' ' || reason || ' ' || request_id from audit_events where account_id = \(account) order by id
                    """) == [
                        "address_claim_cleared proved_by_another_account proof",
                        "account_closed address_claim_lost proof",
                    ])
            #expect(
                try await people.texts(
                    "select 'due' from accounts where id = \(account) and deletion_due_at > now() + interval '13 days'")
                    == ["due"])
        }
    }
}
