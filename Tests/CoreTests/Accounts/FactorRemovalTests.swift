import Cryptography
import Foundation
import Operators
import TestSupport
import Testing

@testable import Accounts
@testable import OperatorAccess
@testable import Postgres

@Suite("Removing lost second factors")
struct FactorRemovalTests {
    private static func care(_ people: People, wait: Int = 3_600) -> AccountCare {
        AccountCare(desk: people.desk, signInMethods: People.signInMethods, factorWait: wait)
    }

    /// An account with a password, an authenticator app, a recovery code and a remembered device.
    private static func person(_ people: People) async throws -> UUID {
        let account = try await people.account(
            "Ann", emails: ["ann-\(UUID().uuidString.lowercased())@example.com"], password: true)
        try await people.enrol(account)
        try await people.change("insert into recovery_codes (account_id, digest) values (\(account), 'code')")
        try await people.change(
            """
            insert into remembered_devices (id, account_id, digest, name, expires_at)
            values (\(UUID()), \(account), 'device', 'Laptop', now() + interval '1 day')
            """)
        return account
    }

    private static func left(_ account: UUID, _ people: People) async throws -> [String] {
        try await people.texts(
            """
            select 'factor' from factors where account_id = \(account) union all
            select 'code' from recovery_codes where account_id = \(account) union all
            select 'device' from remembered_devices where account_id = \(account) union all
            select 'demanded' from accounts where id = \(account) and mfa
            """)
    }

    private static func sweep(_ people: People) async throws -> [String] {
        try await people.texts("select sweep_factor_removals(20, \(People.signInMethods), 'test', 3600)::text")
    }

    private static func notices(_ people: People) async throws -> [String] {
        try await people.texts("select kind from outbox order by kind")
    }

    @Test("U2: a removal notifies the user immediately, waits, and then removes everything")
    func removal() async throws {
        try await withPeople { people in
            let admin = try await people.operatorWith(.admin)
            let account = try await Self.person(people)
            let session = try await people.session(account, acr: "1")
            let due = try #require(
                try await Self.care(people).removeFactors(of: account, because: People.reason, by: admin))
            #expect(abs(due.timeIntervalSinceNow - 3_600) < 60)
            #expect(try await Self.notices(people).contains("notice.factor_removal_asked"))
            #expect(try await Self.sweep(people) == ["0"])
            #expect(try await Self.left(account, people).count == 4)
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await Self.care(people).removeFactors(of: account, because: People.reason, by: admin)
            }
            try await people.change("update factor_removals set due_at = now()")
            #expect(try await Self.sweep(people) == ["1"])
            #expect(try await Self.left(account, people) == [])
            #expect(try await Self.notices(people).contains("notice.factor_removed"))
            #expect(
                try await people.texts("select end_reason from sessions where id = \(session)") == ["factors_removed"])
            let actor = try #require(admin.account).uuidString.lowercased()
            let rows = try await people.texts(
                "select action || ' ' || actor_id || ' ' || words from audit_events where account_id = \(account) order by id"
            )
            let why = try People.reason.text
            #expect(rows == ["factor_removal_asked \(actor) \(why)", "factor_removed \(actor) \(why)"])
        }
    }

    @Test("U2: a sweep skips locked accounts and processes the others")
    func held() async throws {
        try await withPeople { people in
            let admin = try await people.operatorWith(.admin)
            let (held, free) = (try await Self.person(people), try await Self.person(people))
            for account in [held, free] {
                _ = try await Self.care(people).removeFactors(of: account, because: People.reason, by: admin)
            }
            try await people.change("update factor_removals set due_at = now()")
            let other = try Connection(people.database.configuration())
            try other.executeScript("begin; select from accounts where id = '\(held)' for update")
            #expect(try await Self.sweep(people) == ["1"])
            #expect(try await Self.left(held, people).count == 4)
            #expect(try await Self.left(free, people) == [])
            try other.executeScript("rollback")
            #expect(try await Self.sweep(people) == ["1"])
            #expect(try await Self.left(held, people) == [])
        }
    }

    /// A completed sign-in with one or two factors, by the gateway's statements.
    private static func signIn(_ account: UUID, acr: String, _ people: People) async throws {
        let id = UUID.v7(at: Date(), random: .system)
        let words = try await people.texts(
            """
            select make_session(row(\(id), 'app', 'password', \(Array("digest \(id)".utf8)), now(), array['pwd'], \(acr), 3600, 86400,
                                    null, null, null, null, null, false, 600, 60, 8, null, null, null, true, null, null, null)::session_request,
                                \(account), null, 'signed_in', 'steps_done', null, null)
            """)
        #expect(words == ["signed_in"])
    }

    @Test("U2: proving a factor, or an operator, cancels it; a session without one doesn't")
    func takenBack() async throws {
        try await withPeople { people in
            let admin = try await people.operatorWith(.admin)
            let account = try await Self.person(people)
            for isProved in [true, false] {
                _ = try await Self.care(people).removeFactors(of: account, because: People.reason, by: admin)
                try await Self.signIn(account, acr: "1", people)
                #expect(try await people.texts("select 'waits' from factor_removals") == ["waits"])
                if isProved {
                    try await Self.signIn(account, acr: "2", people)
                } else {
                    try await Self.care(people).keepFactors(of: account, because: People.reason, by: admin)
                }
                #expect(try await people.texts("select 'waits' from factor_removals") == [])
            }
            #expect(try await Self.left(account, people).count == 4)
            #expect(
                try await people.texts(
                    "select reason from audit_events where action = 'factor_removal_cancelled' order by id")
                    == ["factor_proved", "operator"])
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await Self.care(people).keepFactors(of: account, because: People.reason, by: admin)
            }
        }
    }

    @Test("U2: operators cannot remove each other's factors, and a new operator keeps all factors")
    func equals() async throws {
        try await withPeople { people in
            for (mine, theirs) in [(.owner, .owner), (.owner, .viewer), (.admin, .admin), (.admin, .viewer)]
                as [(OperatorRole, OperatorRole)]
            {
                let (actor, other) = (try await people.operatorWith(mine), try await people.operatorWith(theirs))
                let account = try #require(other.account)
                try await people.enrol(account)
                await #expect(throws: AdminRefusal.operatorAccount, "\(mine) \(theirs)") {
                    try await Self.care(people).removeFactors(of: account, because: People.reason, by: actor)
                }
            }
            let asking = try await people.operatorWith(.admin)
            let meanwhile = try await Self.person(people)
            _ = try await Self.care(people).removeFactors(of: meanwhile, because: People.reason, by: asking)
            try await people.change("update factor_removals set due_at = now()")
            try await people.change("insert into operators (account_id, role) values (\(meanwhile), 'viewer')")
            #expect(try await Self.sweep(people) == ["0"])
            #expect(try await people.texts("select 'waits' from factor_removals") == [])
            #expect(try await Self.left(meanwhile, people).count == 4)
            let (support, person) = (try await people.operatorWith(.support), try await Self.person(people))
            await #expect(throws: AdminRefusal.roleTooLow) {
                try await Self.care(people).removeFactors(of: person, because: People.reason, by: support)
            }
            let admin = try await people.operatorWith(.admin)
            await #expect(throws: AdminRefusal.roleTooLow) {
                try await Self.care(people).removeFactors(of: person, now: true, because: People.reason, by: admin)
            }
        }
    }

    /// The accounts that keep their factors, with the reason, in the order of the audit log.
    private static func kept(_ people: People) async throws -> [String] {
        try await people.texts(
            """
            select account_id::text || ' ' || reason from audit_events where action = 'factor_removal_cancelled' order by id
            """)
    }

    @Test("U2: withdrawing or lowering a role cancels only the removals of that operator")
    func withdrawn() async throws {
        try await withPeople { people in
            for lowered in [nil, OperatorRole.support] {
                let (bad, good) = (try await people.operatorWith(.admin), try await people.operatorWith(.admin))
                let (hers, other) = (try await Self.person(people), try await Self.person(people))
                _ = try await Self.care(people).removeFactors(of: hers, because: People.reason, by: bad)
                _ = try await Self.care(people).removeFactors(of: other, because: People.reason, by: good)
                let before = try await Self.kept(people)
                let account = try #require(bad.account)
                if let lowered {
                    try await people.operators.grant(
                        lowered, to: account, because: People.reason, by: People.commandLine)
                } else {
                    try await people.operators.withdraw(
                        from: account, because: People.reason, by: People.commandLine)
                }
                let rows = try await Self.kept(people)
                #expect(rows == before + ["\(hers.uuidString.lowercased()) operator_withdrawn"])
                let notices = try await people.texts(
                    "select kind from outbox where account_id = \(hers) and kind like '%factor_removal%' order by kind")
                #expect(notices == ["notice.factor_removal_asked", "notice.factor_removal_cancelled"])
                try await people.change("update factor_removals set due_at = now()")
                #expect(try await Self.sweep(people) == ["1"])
                #expect(try await Self.left(hers, people).count == 4)
                #expect(try await Self.left(other, people) == [])
            }
            // Withdrawn or lowered: an operator without the right to request a removal has none pending.
            let (bad, hers) = (try await people.operatorWith(.admin), try await Self.person(people))
            _ = try await Self.care(people).removeFactors(of: hers, because: People.reason, by: bad)
            try await people.change("delete from operators where account_id = \(bad.account)")
            try await people.change("update factor_removals set due_at = now()")
            #expect(try await Self.sweep(people) == ["0"])
            #expect(try await Self.left(hers, people).count == 4)
        }
    }

    @Test("U2: no account loses its last sign-in method, and a role cancels a removal")
    func ends() async throws {
        try await withPeople { people in
            let account = try await people.account("Ann", emails: [])
            try await people.change(
                """
                insert into passkeys (id, account_id, user_handle, credential_id, public_key, algorithm, counter, transports, aaguid,
                                      backup_eligible, backed_up, attestation)
                values (\(UUID()), \(account), 'u', 'c', 'k', -7, 0, '{}', \(UUID()), false, false, 'none')
                """)
            let atOnce = Self.care(people, wait: 0)
            await #expect(throws: AdminRefusal.lastCredential) {
                try await atOnce.removeFactors(of: account, because: People.reason, by: People.commandLine)
            }
            #expect(try await people.texts("select 'there' from passkeys") == ["there"])
            let person = try await Self.person(people)
            _ = try await Self.care(people).removeFactors(
                of: person, because: People.reason, by: People.commandLine)
            try await people.operators.grant(.viewer, to: person, because: People.reason, by: People.commandLine)
            #expect(try await people.texts("select 'waits' from factor_removals") == [])
            let rows = try await people.texts(
                """
                select account_id::text || ' ' || reason from audit_events where action = 'factor_removal_cancelled'
                """)
            #expect(rows == ["\(person.uuidString.lowercased()) operator_account"])
            let other = try await people.account("Bob", emails: ["bob@example.com"])
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await atOnce.removeFactors(of: other, because: People.reason, by: People.commandLine)
            }
        }
    }
}
