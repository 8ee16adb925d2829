import Accounts
import Foundation
import TestSupport
import Testing

@testable import OperatorAccess
@testable import Postgres
@testable import Vocabulary

@Suite("The permissions of access keys")
struct AccessKeyAdmissionTests {
    /// A key of an app; the id has twenty letters.
    private static func key(
        _ people: People, _ role: OperatorRole, reach: String = "pool", letter: String = "A"
    ) async throws -> AdminActor {
        let (id, actor) = (String(repeating: letter, count: 20), UUID())
        try await people.change("insert into clients (id, name) values ('shop', 'Shop') on conflict do nothing")
        try await people.change(
            """
            insert into access_keys (id, actor_id, client_id, role, reach, secret_digest)
            values (\(id), \(actor), 'shop', \(role.rawValue), \(reach), sha256('s'))
            """)
        return .accessKey(id, actor, Caller(address: "192.0.2.1", requestID: "r"))
    }

    @Test(
        "each role of a key has the permissions of the role, except those about operators",
        arguments: OperatorRole.allCases.filter { $0 < .owner })
    func roles(role: OperatorRole) async throws {
        try await withPeople { people in
            let key = try await Self.key(people, role, reach: "gateway")
            for action in AdminAction.allCases {
                let answer = try await people.refusal(of: action, key)
                let expected: AdminRefusal? =
                    action.reach == .people ? .outOfReach : action.least > role ? .roleTooLow : nil
                #expect(answer == expected, "\(action)")
            }
        }
    }

    @Test("a key of an app performs actions on accounts only, and on those of its app")
    func reach() async throws {
        try await withPeople { people in
            let key = try await Self.key(people, .admin)
            for action in AdminAction.allCases {
                let answer = try await people.refusal(of: action, key)
                #expect(answer == (action.reach == .accounts ? nil : .outOfReach), "\(action)")
            }
            let (mine, other) = (try await people.account("Ann"), try await people.account("Bob"))
            try await people.change("update accounts set client_id = 'shop' where id = \(mine)")
            #expect(try await people.refusal(of: .disableAccount, key, changing: [mine]) == nil)
            #expect(try await people.refusal(of: .mergeAccounts, key, changing: [mine, other]) == .notFound)
            let viewer = try await people.operatorWith(.viewer)
            let whole = try await Self.key(people, .admin, reach: "gateway", letter: "B")
            #expect(try await people.refusal(of: .disableAccount, whole, changing: [other]) == nil)
            let account = try #require(viewer.account)
            #expect(try await people.refusal(of: .disableAccount, whole, changing: [account]) == .notFound)
        }
    }

    @Test("a revoked or expired key, and one of a disabled app, is no operator")
    func dead() async throws {
        try await withPeople { people in
            let key = try await Self.key(people, .admin)
            for (kill, revive) in [
                ("access_keys set revoked_at = now()", "access_keys set revoked_at = null"),
                ("access_keys set expires_at = now()", "access_keys set expires_at = null"),
                ("clients set disabled_at = now()", "clients set disabled_at = null"),
            ] {
                try await people.change("update \(unsafeSQL: kill)")
                #expect(try await people.refusal(of: .searchAccounts, key) == .notAnOperator, "\(kill)")
                try await people.change("update \(unsafeSQL: revive)")
                #expect(try await people.refusal(of: .searchAccounts, key) == nil, "\(revive)")
            }
        }
    }

    @Test("K-04: a call that runs while its app is disabled leaves no session that lives, then or later")
    func disabledMeanwhile() async throws {
        try await withPeople { people in
            let key = try await Self.key(people, .admin)
            let id = try #require(key.keyID)
            let account = try await people.account("Ann")
            let running = try Connection(people.database.configuration())
            func refusal() throws -> String? {
                try running.queryOne("select access_key_refusal(\(id), 'viewer', 'accounts', '{}')")?.value(0)
            }
            try running.executeScript("begin")
            #expect(try refusal() == nil)
            // It does not wait for the call.
            try await people.change("update clients set disabled_at = now() where id = 'shop'")
            let session = UUID()
            try running.execute(
                """
                insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                      idle_seconds, idle_expires_at, expires_at)
                values (\(session), \(account), 'shop', 'password', now(), '{pwd}', '1', 'digest', now(), 3600,
                        now() + interval '1 hour', now() + interval '1 day')
                """)
            #expect(try refusal() == "not_an_operator")
            try running.executeScript("commit")
            func lives() async throws -> [String] {
                try await people.texts("select session_lives(\(account), \(session))::text")
            }
            #expect(try await lives() == ["false"])
            #expect(try await people.refusal(of: .searchAccounts, key) == .notAnOperator)
            try await people.change("update clients set disabled_at = null where id = 'shop'")
            #expect(try await people.refusal(of: .searchAccounts, key) == nil)
            #expect(try await lives() == ["false"])
            // The row is otherwise that of a living session.
            try await people.change("update sessions set created_at = clock_timestamp() where id = \(session)")
            #expect(try await lives() == ["true"])
        }
    }

    @Test("D9: the revocation of a key waits for the key's change of its own app, which does not wait for it")
    func revokedMeanwhile() async throws {
        try await withPeople { people in
            let key = try await Self.key(people, .admin, reach: "gateway")
            let id = try #require(key.keyID)
            let changing = try Connection(people.database.configuration())
            try changing.executeScript(
                "begin; select access_key_refusal('\(id)', 'admin', 'gateway', '{}')")
            async let revocation = people.texts(
                "select coalesce(revoke_access_key(\(id), 'shop', null, null, null), 'done')")
            try await poll {
                let waiting = try await people.texts(
                    "select state from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                )
                return waiting.isEmpty ? nil : ()
            }
            let refused: String? = try changing.queryOne("select client_refusal(null, 'shop')")?.value(0)
            #expect(refused == nil)
            try changing.executeScript("commit")
            #expect(try await revocation == ["done"])
            #expect(try await people.refusal(of: .searchAccounts, key) == .notAnOperator)
        }
    }

    @Test("a removal of second factors that a key asked for is executed only while the key works")
    func factorRemoval() async throws {
        try await withPeople { people in
            let key = try await Self.key(people, .admin, reach: "gateway")
            let accounts = [
                try await people.account("Ann", emails: ["ann@example.com"], password: true),
                try await people.account("Bob", emails: ["bob@example.com"], password: true),
            ]
            let care = AccountCare(desk: people.desk, signInMethods: People.signInMethods, factorWait: 3_600)
            for (account, isLive) in zip(accounts, [true, false]) {
                try await people.enrol(account)
                _ = try await care.removeFactors(of: account, because: People.reason, by: key)
                if !isLive { try await people.change("update access_keys set revoked_at = now()") }
                try await people.change("update factor_removals set due_at = now() where account_id = \(account)")
                _ = try await people.database.pool.withConnection {
                    try $0.queryOne("select sweep_factor_removals(10, \(People.signInMethods), 'r', 600)")
                }
                let left = try await people.texts("select id::text from factors where account_id = \(account)")
                #expect(left.isEmpty == isLive)
            }
        }
    }
}
