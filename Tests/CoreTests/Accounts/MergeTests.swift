import Foundation
import JSON
import Operators
import Postgres
import TestSupport
import Testing

@testable import Accounts
@testable import OperatorAccess

@Suite("Merging two accounts")
struct MergeTests {
    @Test("all sign-in methods move to the kept account; the other is closed and points to it")
    func merge() async throws {
        try await withPeople { people in
            let kept = try await people.account(
                "Ann", emails: ["ann@example.com"], identities: ["a1"], attributes: #"{"team":"red","kept":1}"#)
            let absorbed = try await people.account(
                "Ann B.", emails: ["ann.b@example.com"], phones: ["+4930123456"], identities: ["b1", "b2"],
                password: true,
                attributes: #"{"team":"blue","more":2}"#)
            let session = try await people.session(absorbed)
            let report = try await people.merge(absorbed, into: kept)
            #expect(report.change != nil)
            #expect(report.facts["ends_sessions"] == 1)
            #expect(try await people.identities(of: kept) == ["a1", "b1", "b2"])
            #expect(try await people.emails(of: kept) == ["ann.b@example.com", "ann@example.com main"])
            #expect(try await people.status(absorbed) == "closed")
            #expect(
                try await people.texts("select merged_into::text from accounts where id = \(absorbed)") == [
                    kept.uuidString.lowercased()
                ])
            #expect(try await people.texts("select end_reason from sessions where id = \(session)") == ["merged"])
            #expect(
                try await people.texts("select attributes::text from accounts where id = \(kept)") == [
                    #"{"kept": 1, "more": 2, "team": "red"}"#
                ])
            #expect(try await people.texts("select account_id::text from passwords") == [kept.uuidString.lowercased()])
        }
    }

    @Test("a preview equals the result of the merge and changes nothing")
    func preview() async throws {
        try await withPeople { people in
            let kept = try await people.account("Ann", emails: ["ann@example.com"], identities: ["a1"])
            let absorbed = try await people.account(
                "Bob", emails: ["bob@example.com"], identities: ["b1"], password: true)
            let before = try await people.picture()
            let preview = try await people.merging.previewMerge(of: absorbed, into: kept, by: People.commandLine)
            #expect(try await people.picture() == before)
            #expect(try await people.texts("select distinct action from audit_events") == ["account_viewed"])
            let done = try await people.merge(absorbed, into: kept)
            #expect(done.facts == preview.facts)
            #expect(try await people.picture() != before)
        }
    }

    @Test("common items stay: an address proved by one account is proved for the kept one")
    func conflicts() async throws {
        try await withPeople { people in
            let kept = try await people.account(
                emails: ["ann@example.com"], unproved: ["both@example.com"], password: true)
            let absorbed = try await people.account(
                emails: ["both@example.com"], unproved: ["ann@example.com"], password: true)
            let before = try await people.picture()
            let report = try await people.merge(absorbed, into: kept)
            #expect(try await people.emails(of: kept) == ["ann@example.com main", "both@example.com"])
            #expect(
                try await people.emails(of: absorbed) == ["ann@example.com unproved", "both@example.com unproved main"])
            #expect(try await people.texts("select count(*)::text from passwords") == ["2"])
            try await people.undo(report)
            #expect(try await people.picture() == before)
        }
    }

    @Test("an undo restores everything and ends the sessions of the kept account")
    func undo() async throws {
        try await withPeople { people in
            let kept = try await people.account("Ann", unproved: ["ann@example.com"], identities: ["a1"])
            let absorbed = try await people.account(
                emails: ["b@example.com", "b2@example.com"], phones: ["+4930123456"], identities: ["b1"],
                password: true,
                attributes: #"{"team":"blue"}"#)
            let before = try await people.picture()
            let session = try await people.session(kept)
            let report = try await people.merge(absorbed, into: kept)
            try await people.undo(report)
            #expect(try await people.picture() == before)
            #expect(try await people.status(absorbed) == "active")
            #expect(try await people.texts("select end_reason from sessions where id = \(session)") == ["merge_undone"])
            await #expect(throws: AdminRefusal.undoOver) { try await people.undo(report) }
            let rows = try await people.texts(
                "select action || ' ' || words from audit_events where words is not null order by account_id, id")
            #expect(
                Set(rows) == [
                    "accounts_merged asked for by the person", "account_absorbed asked for by the person",
                    "change_undone asked for by the person",
                ])
        }
    }

    @Test("apps go on knowing the user by the same subject; where both accounts have one, by the kept account's")
    func subjects() async throws {
        try await withPeople { people in
            let kept = try await people.account("Kept", emails: ["k@example.com"], identities: ["a1"])
            let absorbed = try await people.account(emails: ["b@example.com"], identities: ["b1"])
            func subject(_ account: UUID, _ sector: String) async throws -> String {
                try await people.texts("select pairwise_subject(\(account), \(sector))")[0]
            }
            func rows() async throws -> [String] {
                try await people.texts(
                    "select account_id || ' ' || sector || ' ' || subject from pairwise_subjects order by 1")
            }
            let (own, other) = (try await subject(kept, "both.example"), try await subject(absorbed, "both.example"))
            let moved = try await subject(absorbed, "one.example")
            #expect(Set([own, other, moved]).count == 3 && [own, other, moved].allSatisfy { $0.utf8.count == 43 })
            let before = try await rows()
            let report = try await people.merge(absorbed, into: kept)
            #expect(try await subject(kept, "both.example") == own)
            #expect(try await subject(kept, "one.example") == moved)
            let later = try await subject(kept, "new.example")
            try await people.undo(report)
            #expect(Set(try await rows()) == Set(before + ["\(kept.text) new.example \(later)"]))
            // With the account its subjects are gone, and no other account ever gets them.
            _ = try await people.texts("select erase_account(\(absorbed), null, 'test', 'test')")
            #expect(try await rows().allSatisfy { $0.hasPrefix(kept.text) })
        }
    }

    @Test("a withdrawn consent renewed by a sign-in stays renewed after a merge")
    func overtaken() async throws {
        try await withPeople { people in
            let kept = try await people.account("Kept", emails: ["k@example.com"])
            let absorbed = try await people.account(emails: ["b@example.com"], identities: ["b1"])
            try await people.change("update identities set linked_at = now() - interval '1 hour'")
            let identity = try #require(UUID(uuidString: try await people.texts("select id::text from identities")[0]))
            _ = try await people.session(absorbed, identity: identity)
            try await people.merge(absorbed, into: kept)
            func tell(_ when: String) async throws -> [String] {
                try await people.texts(
                    """
                    select apply_provider_event('apple', 'TEAM', 'consent_revoked', 'b1', now() + \(when)::interval, null,
                                                array['apple'], null, 'test')
                    """)
            }
            #expect(try await tell("-1 minute") == ["stale"])
            #expect(try await tell("1 minute") == ["applied"])
        }
    }

    /// Later changes of the kept account, and the part that names each.
    static let laterChanges: [(change: SQL, part: String)] = [
        (
            "insert into identities (id, account_id, provider, realm, subject, linked_by) select gen_random_uuid(), id, 'amazon', 'r', 'new', 'x' from accounts where display_name = 'Kept'",
            "identities"
        ),
        ("delete from identities where subject = 'b1'", "identities"),
        ("update passwords set set_at = now() + interval '1 second'", "password"),
        ("delete from account_emails where address_key = 'b@example.com'", "emails"),
        ("update accounts set status = 'disabled' where display_name = 'Kept'", "status"),
        ("update accounts set mfa = true where display_name = 'Kept'", "mfa"),
        (
            "insert into factors (id, account_id, kind, sealed) select gen_random_uuid(), id, 'totp', '\\x00' from accounts where display_name = 'Kept'",
            "factors"
        ),
    ]

    @Test(
        "L-17: an undo is refused by the names of later changes, and loses nothing",
        arguments: laterChanges.indices)
    func blocked(index: Int) async throws {
        let row = Self.laterChanges[index]
        try await withPeople { people in
            let kept = try await people.account("Kept", emails: ["k@example.com"], identities: ["a1"])
            let absorbed = try await people.account(emails: ["b@example.com"], identities: ["b1"], password: true)
            let report = try await people.merge(absorbed, into: kept)
            try await people.database.pool.withConnection { try $0.execute(row.change) }
            let before = try await people.picture()
            await #expect(throws: AdminRefusal.undoBlocked([row.part])) { try await people.undo(report) }
            #expect(try await people.picture() == before)
        }
    }

    @Test("L-17: an undo is refused when its time is over")
    func over() async throws {
        try await withPeople { people in
            let kept = try await people.account(identities: ["a1"])
            let absorbed = try await people.account(identities: ["b1"])
            let report = try await people.merge(absorbed, into: kept)
            try await people.database.pool.withConnection {
                try $0.execute("update account_changes set undo_until = now()")
            }
            await #expect(throws: AdminRefusal.undoOver) { try await people.undo(report) }
        }
    }

    @Test("a merge is refused if the accounts differ from the preview")
    func stale() async throws {
        try await withPeople { people in
            let kept = try await people.account(identities: ["a1"])
            let absorbed = try await people.account(identities: ["b1"])
            let preview = try await people.merging.previewMerge(of: absorbed, into: kept, by: People.commandLine)
            try await people.database.pool.withConnection { connection in
                try connection.execute("insert into passwords (account_id, hash) values (\(absorbed), 'x')")
            }
            await #expect(throws: AdminRefusal.accountsChanged) {
                try await people.merging.merge(
                    absorbed, into: kept, expecting: preview.digest ?? "", because: People.reason,
                    by: People.commandLine)
            }
        }
    }

    @Test("two concurrent merges of one account: one wins, the other is refused as closed or changed")
    func race() async throws {
        try await withPeople { people in
            let absorbed = try await people.account(identities: ["x"])
            let kept = [try await people.account(identities: ["a"]), try await people.account(identities: ["b"])]
            var digests: [String] = []
            for account in kept {
                let preview = try await people.merging.previewMerge(of: absorbed, into: account, by: People.commandLine)
                digests.append(preview.digest ?? "")
            }
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for (account, digest) in zip(kept, digests) {
                    group.addTask {
                        do {
                            _ = try await people.merging.merge(
                                absorbed, into: account, expecting: digest, because: People.reason,
                                by: People.commandLine)
                            return true
                        } catch {
                            return !([.accountDisabled, .accountsChanged] as [AdminRefusal?]).contains(
                                error as? AdminRefusal)
                        }
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 }.count == 1)
            #expect(try await people.texts("select count(*)::text from account_changes") == ["1"])
        }
    }

    @Test("a closed or disabled account, an operator's, and one with itself are not merged")
    func refused() async throws {
        try await withPeople { people in
            let one = try await people.account(identities: ["a1"])
            let other = try await people.account(emails: ["b@example.com"])
            await #expect(throws: AdminRefusal.nothingToChange) { try await people.merge(one, into: one) }
            await #expect(throws: AdminRefusal.notFound) { try await people.merge(UUID(), into: one) }
            try await people.operators.grant(
                .viewer, to: other, because: People.reason, by: People.commandLine, force: true)
            await #expect(throws: AdminRefusal.operatorAccount) { try await people.merge(other, into: one) }
            try await people.operators.withdraw(from: other, because: People.reason, by: People.commandLine)
            try await people.care.set(enabled: false, other, because: People.reason, by: People.commandLine)
            await #expect(throws: AdminRefusal.accountDisabled) { try await people.merge(other, into: one) }
        }
    }
}

extension People {
    @discardableResult
    func merge(_ absorbed: UUID, into kept: UUID) async throws -> AccountMerging.Report {
        let preview = try await merging.previewMerge(of: absorbed, into: kept, by: Self.commandLine)
        return try await merging.merge(
            absorbed, into: kept, expecting: preview.digest ?? "", because: Self.reason, by: Self.commandLine)
    }

    func undo(_ report: AccountMerging.Report) async throws {
        try await merging.undo(report.change ?? UUID(), because: Self.reason, by: Self.commandLine)
    }
}
