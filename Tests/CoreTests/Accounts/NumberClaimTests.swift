import Foundation
import Postgres
import Testing

@testable import Audit
@testable import Operators

/// Accounts with an unproved claim on a number, after its owner proves it.
@Suite("Unproved claims on a number")
struct NumberClaimTests {
    private static let number = "+4930111111"

    /// The owner's way to prove it.
    enum Proof: String, CaseIterable, Sendable {
        case signUp, address
    }

    /// An account with an unproved number and a proved one.
    private func claimant(_ people: People) async throws -> UUID {
        let account = try await people.account(phones: ["+4930222222"], identities: ["m1"])
        try await people.change("update account_phones set is_main = false where account_id = \(account)")
        try await people.change(
            "insert into account_phones (account_id, phone_key, source) values (\(account), \(Self.number), 'import')")
        return account
    }

    private func prove(_ proof: Proof, _ people: People) async throws -> UUID {
        guard proof == .address else {
            let winner = UUID()
            let refused = try await people.texts(
                """
                select coalesce(add_signed_up_account(
                    \(winner), jsonb_build_object('phone', \(Self.number)), \(Self.number), null, 'proof'), '')
                """)
            #expect(refused == [""])
            return winner
        }
        let (winner, flow) = (try await people.account("Ann"), UUID())
        let session = try await people.session(winner)
        try await people.change(
            """
            insert into flows (id, kind, client_id, account_id, state, code_digest, expires_at)
            values (\(flow), 'address', 'app', \(winner), '{"guess_bucket": "00000000000000000000000000000000"}', sha256('code'),
                    now() + interval '1 minute')
            """)
        let outcome = try await people.texts(
            """
            select outcome
              from confirm_address_code(\(flow), 0, sha256('code'), row(5, 20, 180000, 600, 3600), 'phone', \(Self.number), \(Self.number),
                                   \(winner), \(session), 600, 'app', null, 'proof', null, null)
            """)
        #expect(outcome == ["added"])
        return winner
    }

    private func numbers(of account: UUID, _ people: People) async throws -> [String] {
        try await people.texts(
            """
            select phone_key || case when proved_at is null then ' unproved' else '' end
                   || case when is_main then ' main' else '' end
              from account_phones where account_id = \(account) order by 1
            """)
    }

    @Test(
        "an account that loses its main number gets another one, audited, and stays signed in",
        arguments: Proof.allCases)
    func lost(proof: Proof) async throws {
        try await withPeople { people in
            let account = try await claimant(people)
            let session = try await people.session(account)
            let winner = try await prove(proof, people)
            #expect(try await numbers(of: winner, people) == ["\(Self.number) main"])
            #expect(try await numbers(of: account, people) == ["+4930222222 main"])
            let told = try await people.texts(
                """
                select concat_ws(' ', action, reason, detail->>'kind', detail->>'winner', request_id)
                  from audit_events where account_id = \(account)
                """)
            let name = winner.uuidString.lowercased()
            #expect(told == ["address_claim_cleared proved_by_another_account phone \(name) proof"])
            #expect(
                try await people.texts("select coalesce(end_reason, 'open') from sessions where id = \(session)")
                    == ["open"])
        }
    }

    @Test("webhook endpoints get account.changed; with an address its sessions ended")
    func events() {
        var event = AuditEvent(
            id: 1, at: Date(), action: "address_claim_cleared", outcome: "done", reason: "proved_by_another_account")
        event.detail = #"{"winner": "01a1fe3e-5304-762c-a2af-3568697eca23"}"#
        #expect(EventType.types(of: event) == [.sessionEnded])
        event.detail = #"{"kind": "phone", "winner": "01a1fe3e-5304-762c-a2af-3568697eca23"}"#
        #expect(EventType.types(of: event) == [.accountChanged])
    }
}
