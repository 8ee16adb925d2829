import Foundation
import JSON
import Postgres
import Testing

@testable import Accounts
@testable import OperatorAccess
@testable import Operators

@Suite("Granting a role")
struct GrantTests {
    @Test("F2: a role needs a factor enrolled earlier; only the command line can override that")
    func factor() async throws {
        try await withPeople { people in
            let owner = try await people.operatorWith(.owner)
            let account = try await people.account("Ann", emails: ["ann@example.com"], password: true)
            for actor in [owner, People.commandLine] {
                await #expect(throws: AdminRefusal.roleNeedsFactor) {
                    try await people.operators.grant(.viewer, to: account, because: People.reason, by: actor)
                }
            }
            // Only the command line may override the rules.
            await #expect(throws: AdminRefusal.roleNeedsFactor) {
                try await people.operators.grant(
                    .viewer, to: account, because: People.reason, by: owner, force: true)
            }
            #expect(try await people.texts("select role from operators where account_id = \(account)") == [])
            try await people.operators.grant(
                .viewer, to: account, because: People.reason, by: People.commandLine, force: true)
            // A higher role needs the check again, a lower one does not.
            await #expect(throws: AdminRefusal.roleNeedsFactor) {
                try await people.operators.grant(.owner, to: account, because: People.reason, by: owner)
            }
            try await people.enrol(account)
            try await people.operators.grant(.admin, to: account, because: People.reason, by: owner)
            try await people.change("delete from factors where account_id = \(account)")
            try await people.operators.grant(.support, to: account, because: People.reason, by: owner)
            #expect(try await people.texts("select role from operators where account_id = \(account)") == ["support"])
        }
    }

    /// Items that an operator may have added to an account before it gets a role.
    enum Plant: CaseIterable {
        case link, move, merge, split
    }

    private static func plant(_ plant: Plant, _ people: People, by admin: AdminActor) async throws
        -> (account: UUID, change: UUID)
    {
        let account = try await people.account("Bob", emails: ["bob@example.com"], identities: ["bob"])
        let other = try await people.account("Eve", emails: ["eve@example.com"], identities: ["eve", "eve2"])
        let identity = try await people.identity("eve2")
        switch plant {
        case .link:
            let subject = IdentityMoves.Subject(provider: "apple", realm: "TEAM", subject: "new")
            return (account, try await people.moves.link(subject, to: account, because: People.reason, by: admin))
        case .move:
            let change = try await people.moves.move(
                identity, from: other, to: account, because: People.reason, by: admin)
            return (account, change)
        case .merge:
            try await people.enrol(other)  // without an effect on the account
            let preview = try await people.merging.previewMerge(of: other, into: account, by: admin)
            let report = try await people.merging.merge(
                other, into: account, expecting: preview.digest ?? "", because: People.reason, by: admin)
            return (account, try #require(report.change))
        case .split:
            let made = try await people.merging.split(
                other, giving: SplitItems(["identities": [.string(identity.uuidString.lowercased())]]), dryRun: false,
                because: People.reason, by: admin)
            return (made.newAccount, try #require(made.report.change))
        }
    }

    @Test("F2: no role while an operator's change of the account can still be undone", arguments: Plant.allCases)
    func planted(plant: Plant) async throws {
        try await withPeople { people in
            let (admin, owner) = (try await people.operatorWith(.admin), try await people.operatorWith(.owner))
            let (account, change) = try await Self.plant(plant, people, by: admin)
            try await people.enrol(account)
            await #expect(throws: AdminRefusal.changeNotSettled) {
                try await people.operators.grant(.admin, to: account, because: People.reason, by: owner)
            }
            try await people.change(
                "update account_changes set undo_until = now() - interval '1 second' where id = \(change)")
            try await people.operators.grant(.admin, to: account, because: People.reason, by: owner)
        }
    }

    @Test("F2: an undone change or an unlinking doesn't block a role")
    func settled() async throws {
        try await withPeople { people in
            let (admin, owner) = (try await people.operatorWith(.admin), try await people.operatorWith(.owner))
            let (account, change) = try await Self.plant(.link, people, by: admin)
            try await people.merging.undo(change, because: People.reason, by: admin)
            try await people.enrol(account)
            _ = try await people.moves.unlink(
                people.identity("bob"), from: account, because: People.reason, by: admin)
            try await people.operators.grant(.admin, to: account, because: People.reason, by: owner)
        }
    }

    @Test("F2: a grant ends the account's sessions and flows, and notifies the user")
    func ends() async throws {
        try await withPeople { people in
            let owner = try await people.operatorWith(.owner)
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            try await people.enrol(account)
            let session = try await people.session(account)
            try await people.change(
                """
                insert into flows (id, kind, client_id, account_id, state, expires_at)
                values (\(UUID()), 'sign_in', 'app', \(account), '{}', now() + interval '10 minutes')
                """)
            try await people.operators.grant(.admin, to: account, because: People.reason, by: owner)
            #expect(try await people.texts("select end_reason from sessions where id = \(session)") == ["role_granted"])
            #expect(try await people.texts("select id::text from flows where account_id = \(account)") == [])
            #expect(
                try await people.texts("select kind || ' ' || address from outbox where account_id = \(account)")
                    == ["notice.role_granted ann@example.com"])
        }
    }

    @Test("F2: if required, a new owner needs the same grant by a second owner within a day")
    func secondOwner() async throws {
        try await withPeople { people in
            let desk = OperatorDesk(desk: people.desk, confirmsOwners: true)
            let (one, other) = (try await people.operatorWith(.owner), try await people.operatorWith(.owner))
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            try await people.enrol(account)
            func role() async throws -> [String] {
                try await people.texts("select role from operators where account_id = \(account)")
            }
            for _ in 0..<2 {
                #expect(
                    try await desk.grant(.owner, to: account, because: People.reason, by: one) == .waitsForOwner)
            }
            #expect(try await role() == [])
            try await people.change("update owner_proposals set proposed_at = now() - interval '25 hours'")
            #expect(try await desk.grant(.owner, to: account, because: People.reason, by: other) == .waitsForOwner)
            // A proposal ends with the owner role of its author.
            try await people.change("update operators set role = 'admin' where account_id = \(other.account)")
            #expect(try await desk.grant(.owner, to: account, because: People.reason, by: one) == .waitsForOwner)
            try await people.change("update operators set role = 'owner' where account_id = \(other.account)")
            #expect(try await desk.grant(.admin, to: account, because: People.reason, by: other) == .granted)
            #expect(try await desk.grant(.owner, to: account, because: People.reason, by: other) == .granted)
            #expect(try await role() == ["owner"])
        }
    }

    @Test("F2: the sign-in methods behind a role are shown with their age, newest first")
    func methods() async throws {
        try await withPeople { people in
            let account = try await people.account(
                "Ann", emails: ["ann@example.com"], phones: ["+4930123456"], identities: ["ann"], password: true)
            try await people.enrol(account)
            try await people.change(
                "update identities set linked_at = now() - interval '1 year' where account_id = \(account)")
            let methods = try await people.operators.methods(of: account, by: People.commandLine)
            #expect(Set(methods.map(\.kind)) == ["identity", "password", "email", "phone", "totp"])
            #expect(methods.last?.name == "apple ann" && methods.last?.origin == "no_match")
            #expect(methods.map(\.since) == methods.map(\.since).sorted(by: >))
            await #expect(throws: AdminRefusal.notFound) {
                try await people.operators.methods(of: UUID(), by: People.commandLine)
            }
        }
    }
}
