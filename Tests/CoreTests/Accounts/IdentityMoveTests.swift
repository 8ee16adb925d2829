import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Accounts
@testable import OperatorAccess

@Suite("Moving sign-in methods")
struct IdentityMoveTests {
    @Test("L-21: an undo returns a moved identity, and its sessions end both times")
    func move() async throws {
        try await withPeople { people in
            let from = try await people.account(emails: ["a@example.com"], identities: ["a1", "a2"])
            let target = try await people.account(identities: ["b1"])
            let before = try await people.picture()
            let identity = try await people.identity("a2")
            let session = try await people.session(from, identity: identity)
            let change = try await people.moves.move(
                identity, from: from, to: target, because: People.reason, by: People.commandLine)
            #expect(try await people.identities(of: target) == ["a2", "b1"])
            #expect(
                try await people.texts("select end_reason from sessions where id = \(session)") == ["identity_moved"])
            try await people.merging.undo(change, because: People.reason, by: People.commandLine)
            #expect(try await people.picture() == before)
        }
    }

    @Test("N3: the id of an operator's change is dated by the database's clock")
    func dated() async throws {
        try await withPeople { people in
            let account = try await people.account(emails: ["a@example.com"])
            let moment = Date(timeIntervalSince1970: 2_000_000_000)
            let desk = AdminDesk(pool: people.database.pool) { moment }
            let change = try await IdentityMoves(desk: desk, signInMethods: People.signInMethods).link(
                IdentityMoves.Subject(provider: "apple", realm: "https://appleid.apple.com", subject: "new"),
                to: account, because: People.reason, by: People.commandLine)
            #expect(change.text.prefix(13) == UUID.v7(at: moment, random: .system).text.prefix(13))
        }
    }

    @Test("the last sign-in method of an account can't be moved or unlinked")
    func lastCredential() async throws {
        try await withPeople { people in
            let from = try await people.account(identities: ["a1"])
            let target = try await people.account(identities: ["b1"])
            let before = try await people.picture()
            let identity = try await people.identity("a1")
            await #expect(throws: AdminRefusal.lastCredential) {
                try await people.moves.move(
                    identity, from: from, to: target, because: People.reason, by: People.commandLine)
            }
            await #expect(throws: AdminRefusal.lastCredential) {
                try await people.moves.unlink(identity, from: from, because: People.reason, by: People.commandLine)
            }
            #expect(try await people.picture() == before)
        }
    }

    @Test("an operator's link and unlink can both be undone")
    func link() async throws {
        try await withPeople { people in
            let account = try await people.account(emails: ["a@example.com"])
            let before = try await people.picture()
            let subject = IdentityMoves.Subject(provider: "apple", realm: "TEAM", subject: "new")
            let link = try await people.moves.link(
                subject, to: account, because: People.reason, by: People.commandLine)
            #expect(try await people.identities(of: account) == ["new"])
            await #expect(throws: AdminRefusal.identityInUse) {
                try await people.moves.link(subject, to: account, because: People.reason, by: People.commandLine)
            }
            try await people.merging.undo(link, because: People.reason, by: People.commandLine)
            #expect(try await people.picture() == before)

            let again = try await people.moves.link(
                subject, to: account, because: People.reason, by: People.commandLine)
            let identity = try await people.identity("new")
            let linked = try await people.picture()
            let unlink = try await people.moves.unlink(
                identity, from: account, because: People.reason, by: People.commandLine)
            #expect(try await people.identities(of: account) == [])
            try await people.merging.undo(unlink, because: People.reason, by: People.commandLine)
            #expect(try await people.picture() == linked)
            try await people.merging.undo(again, because: People.reason, by: People.commandLine)
            #expect(try await people.picture() == before)
        }
    }

    @Test("a split moves the listed items to a new account; both keep a sign-in method; an undo merges them again")
    func split() async throws {
        try await withPeople { people in
            let account = try await people.account(
                "Ann", emails: ["a@example.com", "b@example.com"], phones: ["+4930123456"], identities: ["a1", "b1"],
                password: true)
            let outline = try await people.texts(
                "select account_outline(\(account))::text || account_mains(\(account))::text")
            let sent: JSONObject = [
                "identities": [.string(try await people.identity("b1").uuidString)], "emails": ["a@example.com"],
                "phones": ["+4930123456"],
            ]
            let (report, new) = try await people.merging.split(
                account, giving: SplitItems(sent), dryRun: false, because: People.reason, by: People.commandLine)
            #expect(try await people.identities(of: new) == ["b1"])
            #expect(try await people.emails(of: new) == ["a@example.com main"])
            #expect(try await people.emails(of: account) == ["b@example.com main"])
            try await people.undo(report)
            #expect(
                try await people.texts("select account_outline(\(account))::text || account_mains(\(account))::text")
                    == outline)
            #expect(try await people.status(new) == "closed")
        }
    }

    @Test("L-17: no split and no undo while a deletion is pending")
    func deletionWaits() async throws {
        try await withPeople { people in
            let from = try await people.account(emails: ["a@example.com", "b@example.com"], identities: ["a1", "a2"])
            let target = try await people.account(identities: ["b1"])
            let identity = try await people.identity("a2")
            let change = try await people.moves.move(
                identity, from: from, to: target, because: People.reason, by: People.commandLine)
            for leaving in [from, target] {
                try await people.change(
                    "update accounts set deletion_due_at = now() + interval '1 day' where id = \(leaving)")
                let before = try await people.picture()
                await #expect(throws: AdminRefusal.deletionWaits) {
                    try await people.merging.undo(change, because: People.reason, by: People.commandLine)
                }
                let sent: JSONObject = ["emails": ["b@example.com"]]
                if leaving == from {
                    await #expect(throws: AdminRefusal.deletionWaits) {
                        try await people.merging.split(
                            from, giving: SplitItems(sent), dryRun: false, because: People.reason,
                            by: People.commandLine)
                    }
                }
                #expect(try await people.picture() == before)
                try await people.change("update accounts set deletion_due_at = null where id = \(leaving)")
            }
            try await people.merging.undo(change, because: People.reason, by: People.commandLine)
        }
    }

    @Test("a split that leaves an account without a sign-in method, or lists unknown items, changes nothing")
    func splitRefused() async throws {
        try await withPeople { people in
            let account = try await people.account(identities: ["a1"])
            let other = try await people.account(identities: ["b1"])
            let before = try await people.picture()
            for (subject, refusal) in [("a1", AdminRefusal.lastCredential), ("b1", .accountsChanged)] {
                let sent: JSONObject = ["identities": [.string(try await people.identity(subject).uuidString)]]
                await #expect(throws: refusal) {
                    try await people.merging.split(
                        account, giving: SplitItems(sent), dryRun: false, because: People.reason, by: People.commandLine
                    )
                }
            }
            #expect(try await people.picture() == before)
            #expect(try await people.status(other) == "active")
        }
    }
}
