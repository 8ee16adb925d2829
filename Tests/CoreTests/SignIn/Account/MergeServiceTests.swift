import Accounts
import Foundation
import Postgres
import SignIn
import Testing

@testable import Sessions
@testable import Vocabulary

@Suite("Merging two own accounts, without a front door")
struct MergeServiceTests {
    private let ann = "ann@example.com"
    private let second = "ann@example.org"

    /// Two sessions with a fresh proof, and a ticket for the merge of the second account into the first.
    private func ticket(_ core: TestCore) async throws -> (session: SessionSnapshot, absorbed: UUID, ticket: String) {
        let session = try await core.session(try await core.signUp(ann))
        let other = try await core.signUp(second)
        let ticket = try await core.account.merging.ticket(
            provedBy: try other.issued.accessToken, to: session, caller: TestCore.caller
        ).ticket
        return (session, other.account.id, ticket)
    }

    @Test("the preview shows what moves and changes nothing; the merge moves it; the undo restores both")
    func course() async throws {
        try await TestCore.with { core in
            let (session, absorbed, ticket) = try await ticket(core)
            let merging = core.account.merging
            let preview = try await merging.preview(ticket, session: session, caller: TestCore.caller)
            #expect(preview.emails == [second] && preview.losesPassword && preview.endsSessions == 1)
            #expect(try await core.signIn(second).account.id == absorbed)
            let digest = try await merging.preview(ticket, session: session, caller: TestCore.caller).digest
            let merge = try await merging.merge(
                ticket, expecting: digest, session: session, caller: TestCore.caller)
            #expect(merge.absorbed == absorbed)
            #expect(try await core.signIn(second).account.id == session.facts.account)
            try await merging.undo(merge.id, session: session, caller: TestCore.caller)
            #expect(try await core.signIn(second).account.id == absorbed)
        }
    }

    @Test("a ticket merges once, and for no other session")
    func spent() async throws {
        try await TestCore.with { core in
            let (session, _, ticket) = try await ticket(core)
            let stranger = try await core.session(try await core.signUp("eve@example.com"))
            let merging = core.account.merging
            let digest = try await merging.preview(ticket, session: session, caller: TestCore.caller).digest
            await #expect(throws: Rejection.flowExpired) {
                try await merging.merge(ticket, expecting: digest, session: stranger, caller: TestCore.caller)
            }
            _ = try await merging.merge(ticket, expecting: digest, session: session, caller: TestCore.caller)
            await #expect(throws: Rejection.flowExpired) {
                try await merging.merge(ticket, expecting: digest, session: session, caller: TestCore.caller)
            }
        }
    }

    @Test("an account that changed since the preview is not merged")
    func changed() async throws {
        try await TestCore.with { core in
            let (session, absorbed, ticket) = try await ticket(core)
            let merging = core.account.merging
            let digest = try await merging.preview(ticket, session: session, caller: TestCore.caller).digest
            try await core.change(
                """
                insert into account_emails (account_id, address, address_key, source, proved_at, is_main)
                values (\(absorbed), 'late@example.com', 'late@example.com', 'person', now(), false)
                """)
            await #expect(throws: Rejection.accountsChanged) {
                try await merging.merge(ticket, expecting: digest, session: session, caller: TestCore.caller)
            }
        }
    }

    @Test("the own account is no other account")
    func same() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            let token = try await core.signIn(ann).issued.accessToken
            await #expect(throws: Rejection.invalidField(.accessToken, .sameAccount)) {
                try await core.account.merging.ticket(provedBy: token, to: session, caller: TestCore.caller)
            }
        }
    }
}
