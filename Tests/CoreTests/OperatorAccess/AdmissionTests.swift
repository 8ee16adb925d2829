import Accounts
import Foundation
import Operators
import Postgres
import TestSupport
import Testing

@testable import OperatorAccess
@testable import Vocabulary

@Suite("The permissions of operators")
struct AdmissionTests {
    @Test("each role has its own permissions and none of the next one", arguments: OperatorRole.allCases)
    func roles(role: OperatorRole) async throws {
        try await withPeople { people in
            let actor = try await people.operatorWith(role)
            for action in AdminAction.allCases {
                let answer = try await people.refusal(of: action, actor)
                #expect(answer == (action.least > role ? .roleTooLow : nil), "\(action)")
            }
        }
    }

    @Test("a role, a second factor and a live session are required")
    func strangers() async throws {
        try await withPeople { people in
            let account = try await people.account(emails: ["ann@example.com"])
            let session = try await people.session(account)
            let stranger = AdminActor.session(
                account: account, session: session, Caller(address: "192.0.2.1", requestID: "r"))
            #expect(try await people.refusal(of: .searchAccounts, stranger) == .notAnOperator)
            let weak = try await people.operatorWith(.owner, acr: "1")
            #expect(try await people.refusal(of: .searchAccounts, weak) == .stepUpRequired)
            let former = try await people.operatorWith(.owner)
            try await people.database.pool.withConnection { connection in
                try connection.execute("update sessions set ended_at = now() where account_id = \(former.account)")
            }
            #expect(try await people.refusal(of: .searchAccounts, former) == .sessionEnded)
        }
    }

    @Test(
        "F1: the statement refuses a session of a client that is not for administration",
        arguments: OperatorRole.allCases)
    func audience(role: OperatorRole) async throws {
        try await withPeople { people in
            let actor = try await people.operatorWith(role)
            let account = try #require(actor.account)
            let session = try await people.session(account, client: "shop")
            let other = AdminActor.session(
                account: account, session: session, Caller(address: "192.0.2.1", requestID: "r"))
            for action in AdminAction.allCases {
                #expect(try await people.refusal(of: action, other) == .audienceNotAllowed, "\(action)")
            }
            try await people.change("update clients set audiences = '{administration}' where id = 'shop'")
            // F6: the session is older and lives longer than an operator's.
            #expect(try await people.refusal(of: .searchAccounts, other) == .audienceNotAllowed)
            try await people.change("update sessions set administers = true where id = \(session)")
            #expect(try await people.refusal(of: .searchAccounts, other) == nil)
            try await people.change("update clients set disabled_at = now() where id = 'shop'")
            #expect(try await people.refusal(of: .searchAccounts, other) == .audienceNotAllowed)
        }
    }

    @Test("a proof of eleven minutes ago allows views but no changes")
    func stale() async throws {
        try await withPeople { people in
            let actor = try await people.operatorWith(.owner, secondsAgo: 660)
            for action in AdminAction.allCases {
                #expect(
                    try await people.refusal(of: action, actor) == (action.needsStepUp ? .reauthRequired : nil),
                    "\(action)")
            }
        }
    }

    @Test(
        "operators can't change their own account, and only owners change other operators'",
        arguments: OperatorRole.allCases)
    func detours(role: OperatorRole) async throws {
        try await withPeople { people in
            let actor = try await people.operatorWith(role)
            let colleague = try await people.operatorWith(.viewer)
            let own = try #require(actor.account)
            let other = try #require(colleague.account)
            for action in AdminAction.allCases where action.needsStepUp && action.least <= role {
                #expect(try await people.refusal(of: action, actor, changing: [own]) == .ownAccount, "\(action)")
                let answer = try await people.refusal(of: action, actor, changing: [other])
                #expect(answer == (role == .owner ? nil : .operatorAccount), "\(action)")
            }
        }
    }

    @Test("the last owner cannot be withdrawn; a role requires a second factor and is audited")
    func roleEdits() async throws {
        try await withPeople { people in
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            try await people.enrol(account)
            try await people.operators.grant(.owner, to: account, because: People.reason, by: People.commandLine)
            await #expect(throws: AdminRefusal.lastOwner) {
                try await people.operators.grant(.viewer, to: account, because: People.reason, by: People.commandLine)
            }
            await #expect(throws: AdminRefusal.lastOwner) {
                try await people.operators.withdraw(from: account, because: People.reason, by: People.commandLine)
            }
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await people.operators.grant(.owner, to: account, because: People.reason, by: People.commandLine)
            }
            #expect(try await people.texts("select mfa_demanded::text from accounts where id = \(account)") == ["true"])
            #expect(try await people.operators.list(by: People.commandLine).map(\.role) == [.owner])
            let rows = try await people.texts(
                "select action || ' ' || words || ' ' || (detail->>'after') from audit_events")
            #expect(rows == ["role_granted asked for by the person owner"])
        }
    }

    @Test("every row of an owner's change names the owner")
    func actor() async throws {
        try await withPeople { people in
            let actor = try await people.operatorWith(.owner)
            let account = try await people.account("Ann", emails: ["ann@example.com"])
            try await people.care.set(enabled: false, account, because: Reason("a   stolen\nphone"), by: actor)
            let rows = try await people.texts(
                "select action || ' ' || actor_id || ' ' || words from audit_events where account_id = \(account)")
            let owner = try #require(actor.account).uuidString.lowercased()
            #expect(rows == ["account_disabled \(owner) a stolen phone"])
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await people.care.set(enabled: false, account, because: People.reason, by: actor)
            }
            await #expect(throws: AdminRefusal.notFound) {
                try await people.care.set(enabled: false, UUID(), because: People.reason, by: actor)
            }
        }
    }

    @Test(
        "a reason has a minimum and a maximum length",
        arguments: [nil, "", "  ", "ok", String(repeating: "a", count: 501)])
    func reasons(text: String?) {
        #expect(throws: AdminRefusal.self) { try Reason(text) }
    }
}

extension People {
    /// The refusal of an action; nil if it is allowed.
    func refusal(of action: AdminAction, _ actor: AdminActor, changing accounts: [UUID] = []) async throws
        -> AdminRefusal?
    {
        do {
            try await desk.change(action, actor, of: accounts, because: Self.reason) { _ in }
            return nil
        } catch let refusal as AdminRefusal {
            return refusal
        }
    }
}
