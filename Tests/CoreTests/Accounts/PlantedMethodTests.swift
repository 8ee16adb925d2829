import Foundation
import JSON
import Operators
import Postgres
import Testing

@testable import Accounts
@testable import OperatorAccess

/// Items that an operator added to an account, after the undo period.
@Suite("An operator's items in an account")
struct PlantedMethodTests {
    private static func age(_ people: People, _ account: UUID) async throws {
        try await people.change(
            "update factors set added_at = now() - interval '2 years' where account_id = \(account)")
        try await people.change(
            "update identities set linked_at = now() - interval '2 years' where account_id = \(account)")
    }

    private static func merge(_ people: People, _ other: UUID, into account: UUID, by actor: AdminActor) async throws
        -> UUID
    {
        let preview = try await people.merging.previewMerge(of: other, into: account, by: actor)
        let report = try await people.merging.merge(
            other, into: account, expecting: preview.digest ?? "", because: People.reason, by: actor)
        return try #require(report.change)
    }

    private static func settle(_ people: People) async throws {
        try await people.change("update account_changes set undo_until = now() - interval '1 second'")
    }

    /// `kind by since`, without the time of day.
    private static func shown(_ people: People, _ account: UUID) async throws -> [String: String] {
        let methods = try await people.operators.methods(of: account, by: People.commandLine)
        return Dictionary(
            methods.map { ($0.kind, "\($0.origin ?? "-") \($0.since.prefix(4))") },
            uniquingKeysWith: { first, _ in first })
    }

    private static let year = String(Calendar(identifier: .gregorian).component(.year, from: Date()))

    @Test("F2: an operator's mark stays when the user moves the item, and an undo removes it")
    func marks() async throws {
        try await withPeople { people in
            let (admin, owner) = (try await people.operatorWith(.admin), try await people.operatorWith(.owner))
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            let other = try await people.account(
                "Eve", emails: ["eve@example.com"], identities: ["eve"], password: true)
            try await people.enrol(other)
            try await Self.age(people, other)
            let before = try await Self.shown(people, other)
            let first = try await Self.merge(people, other, into: account, by: admin)
            let merged = try await Self.shown(people, account)
            for kind in ["identity", "totp", "password", "email"] {
                #expect(merged[kind] == "operator \(Self.year)", "\(kind)")
            }
            try await people.merging.undo(first, because: People.reason, by: admin)
            #expect(try await Self.shown(people, other) == before)
            #expect(before["totp"]?.hasPrefix("- ") == true && before["totp"] != "- \(Self.year)")

            _ = try await Self.merge(people, other, into: account, by: admin)
            let third = try await people.account("Ann", emails: ["ann2@example.com"])
            // The user merges their own accounts: the factor is still the operator's item.
            let outcome = try await people.texts(
                "select outcome from merge_accounts(\(UUID()), \(third), \(account), null, false, null, null, 'test', true)"
            )
            #expect(outcome == ["merged"])
            #expect(try await Self.shown(people, third)["totp"] == "operator \(Self.year)")
            try await Self.settle(people)
            await #expect(throws: AdminRefusal.roleNeedsFactor) {
                try await people.operators.grant(.viewer, to: third, because: People.reason, by: owner)
            }
        }
    }

    @Test("F2: a factor from an own merge supports a role, unless its account had an operator's item")
    func ownMerge() async throws {
        try await withPeople { people in
            let (admin, owner) = (try await people.operatorWith(.admin), try await people.operatorWith(.owner))
            for isPlanted in [false, true] {
                let account = try await people.account("Ann", emails: ["ann\(isPlanted)@example.com"])
                let other = try await people.account("Ann", emails: ["two\(isPlanted)@example.com"])
                try await people.enrol(other)
                if isPlanted {
                    let subject = IdentityMoves.Subject(provider: "apple", realm: "TEAM", subject: "planted")
                    _ = try await people.moves.link(subject, to: account, because: People.reason, by: admin)
                }
                let outcome = try await people.texts(
                    "select outcome from merge_accounts(\(UUID()), \(account), \(other), null, false, null, null, 'test', true)"
                )
                #expect(outcome == ["merged"])
                let origin = isPlanted ? "beside_operator" : "own_merge"
                #expect(try await Self.shown(people, account)["totp"] == "\(origin) \(Self.year)")
                try await Self.settle(people)
                if isPlanted {
                    await #expect(throws: AdminRefusal.roleNeedsFactor) {
                        try await people.operators.grant(.viewer, to: account, because: People.reason, by: owner)
                    }
                } else {
                    try await people.operators.grant(.viewer, to: account, because: People.reason, by: owner)
                }
            }
        }
    }

    @Test("F2: a proof from an operator's merge and split items are marked; an undo removes the marks")
    func proofs() async throws {
        try await withPeople { people in
            let admin = try await people.operatorWith(.admin)
            let account = try await people.account("Ann", unproved: ["both@example.com"], identities: ["ann"])
            let other = try await people.account("Eve", emails: ["both@example.com"], identities: ["eve", "eve2"])
            try await people.change(
                "update account_emails set proved_at = now() - interval '2 years' where account_id = \(other)")
            let change = try await Self.merge(people, other, into: account, by: admin)
            #expect(try await Self.shown(people, account)["email"] == "operator \(Self.year)")
            try await people.merging.undo(change, because: People.reason, by: admin)
            #expect(
                try await people.texts("select joined_by from account_emails where joined_by is not null") == [])
            #expect(try await Self.shown(people, other)["email"]?.hasPrefix("person ") == true)

            let identity = try await people.identity("eve2")
            let split = try await people.merging.split(
                other, giving: SplitItems(["identities": [.string(identity.uuidString.lowercased())]]), dryRun: false,
                because: People.reason, by: admin)
            #expect(try await Self.shown(people, split.newAccount)["identity"] == "operator \(Self.year)")
            try await people.merging.undo(
                try #require(split.report.change), because: People.reason, by: admin)
            #expect(try await people.texts("select joined_by from identities where joined_by is not null") == [])
        }
    }
}
