import Logging
import TestSupport
import Testing

@testable import Postgres

/// Sessions have no foreign keys: locks prevent that they outlive their accounts, and triggers delete them.
@Suite("Sessions and their accounts", .timeLimit(.minutes(5)))
struct SessionOwnerTests {
    @Test("sessions of users have a primary key, one index by account, and no foreign keys")
    func cost() async throws {
        try await withTestDatabase { database in
            let found: [String] = try await database.pool.withConnection { connection in
                try connection.query(
                    """
                    select indexname::text from pg_indexes where tablename = 'sessions' and indexdef not like '%WHERE (actor_id IS NOT NULL)'
                    union all select conname::text from pg_constraint
                     where contype = 'f' and 'sessions'::regclass in (conrelid, confrelid)
                    order by 1
                    """
                ).map { try $0.value(0) }
            }
            #expect(found == ["sessions_owner", "sessions_pkey"])
        }
    }

    @Test("every function that creates a session locks its account, so that a deletion waits")
    func held() async throws {
        try await withTestDatabase { database in
            let (runner, probe) = try (Connection(database.configuration()), Connection(database.configuration()))
            try runner.executeScript(LockFixture.script)
            let before: [String] = try runner.query("select id::text from sessions").map { try $0.value(0) }
            var (makers, broken): (Set<String>, [String]) = ([], [])
            for call in try WritingCall.all(probe) {
                try runner.executeScript("begin")
                do {
                    try runner.executeScript(call.text)
                    let owners: [String] = try runner.query(
                        "select distinct account_id::text from sessions where not id::text = any (\(before))"
                    ).map { try $0.value(0) }
                    if !owners.isEmpty { makers.insert(call.name) }
                    // An account that the call created is not yet visible to others.
                    for owner in owners
                    where try probe.queryOne(
                        "select from accounts where id = \(owner)::uuid for update skip locked") != nil
                    {
                        broken.append("\(call.name) \(call.account)")
                    }
                } catch is PostgresError {}
                try runner.executeScript("rollback")
            }
            #expect(broken == [])
            #expect(
                makers.isSuperset(of: [
                    "sign_in", "sign_in_linking", "sign_in_new_account", "sign_in_with_passkey",
                    "finish_password_sign_in",
                    "sign_up_at_once",
                ]), "\(makers.sorted())")
        }
    }

    /// The statements that delete an account or its identity.
    private static let ends = [
        "select erase_account(fid(1, 1), null, 'test', 'req')", "delete from accounts where id = fid(1, 1)",
        "select operator_unlink(gen_random_uuid(), fid(1, 1), fid(2, 1), array['email_otp'], null, 'net', 'req')",
    ]

    @Test("a sign-in that began before a deletion leaves no session", arguments: ends)
    func before(end: String) async throws {
        try await race(first: { "begin; \(try $0.signIn)" }, then: { _ in end })
    }

    /// The functions that end all sessions of an account, but perhaps the asking one, with arguments in place of the usual ones.
    private static let endings: [(name: String, values: [String: String])] = [
        ("ask_factor_removal", ["p_seconds": "0", "p_words": "'lost'"]), ("begin_deletion", ["p_days": "14"]),
        ("change_password", [:]),
        ("disown_session", [:]), ("grant_role", [:]), ("operator_end_sessions", ["p_session": "null"]),
        ("prefer_address", ["p_key": "'own1@example.org'"]), ("remove_address", [:]), ("require_proof", [:]),
        ("set_account_status", [:]), ("set_password_state", [:]), ("sign_out_everywhere", [:]),
    ]

    @Test("3-B6: a sign-in in flight outlives no function that ends all sessions", arguments: endings.map(\.name))
    func inFlight(name: String) async throws {
        let values = try #require(Self.endings.first { $0.name == name }).values
        try await race(
            first: { "begin; \(try $0.signIn)" }, then: { try $0.text(name, values) }, sparing: "fid(3, 1)")
    }

    /// Calls of the fixture's first account.
    private struct Calls {
        let all: [WritingCall]

        var signIn: String { get throws { try text("sign_in", ["p_link_flow": "null"]) } }

        func text(_ name: String, _ values: [String: String]) throws -> String {
            let call = try #require(all.first { $0.name == name && $0.account == 1 })
            return try values.reduce(call.text) { text, value in
                let usual = try #require(text.firstMatch(of: try Regex("\\b\(value.key) => \\([^:]*\\)::"))).range
                return "\(text[..<usual.lowerBound])\(value.key) => (\(value.value))::\(text[usual.upperBound...])"
            }
        }
    }

    @Test("a sign-in during a deletion creates no session", arguments: ends)
    func after(end: String) async throws {
        // Holds the account before any of its rows is deleted, as every function does.
        try await race(
            first: { _ in "begin; select from accounts where id = fid(1, 1) for update; \(end)" },
            then: { try $0.signIn })
    }

    @Test("no session names a deleted identity, and the current session continues")
    func unlinked() async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            try connection.executeScript(LockFixture.script)
            try connection.executeScript("update sessions set auth_time = now() where id = fid(3, 1)")
            let outcome = try connection.queryOne(
                "select unlink_identity(fid(1, 1), fid(2, 1), fid(3, 1), 600, array['password', 'email_otp'], 'app', 'net', 'req')"
            )
            #expect(try outcome?.value(0, as: String.self) == "unlinked")
            let rows = try connection.query(
                """
                select id = fid(3, 1), ended_at is null, identity_id is null from sessions where account_id = fid(1, 1)
                """)
            let shown = try rows.map { try [$0.value(0, as: Bool.self), $0.value(1), $0.value(2)] }
            #expect(Set(shown) == [[true, true, true], [false, false, true]])
        }
    }

    /// Runs one of two statements up to its commit, and the other until it waits.
    ///
    /// - Parameter asker: a session that may stay open.
    private func race(
        first: (Calls) throws -> String, then: (Calls) throws -> String, sparing asker: String = "null"
    ) async throws {
        try await withTestDatabase { database in
            let pool = ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent)
            let (holder, probe) = try (Connection(database.configuration()), Connection(database.configuration()))
            try holder.executeScript(LockFixture.script)
            // Only sessions may refer to the account, because one of the deletions is a plain `delete`.
            try holder.executeScript("delete from account_changes; update accounts set merged_into = null")
            let calls = Calls(all: try WritingCall.all(probe))
            let backend = try await pool.withConnection {
                try $0.queryOne("select pg_backend_pid()")?.value(0, as: Int32.self)
            }
            let (one, other) = (try first(calls), try then(calls))
            try holder.executeScript(one)
            let waiting = Task { try await pool.withConnection { try $0.executeScript(other) } }
            _ = try await poll(every: .milliseconds(1)) {
                try probe.queryOne(
                    "select from pg_stat_activity where pid = \(try #require(backend)) and wait_event_type = 'Lock'")
            }
            try holder.executeScript("commit")
            try await waiting.value
            try Self.expectNothingOpen(probe, sparing: asker)
            await pool.shutdown()
        }
    }

    /// No open session has the identity, and none belongs to a deleted account.
    private static func expectNothingOpen(_ probe: Connection, sparing asker: String) throws {
        let left = try probe.queryOne(
            """
            select count(*) from sessions s
             where not exists (select from accounts a where a.id = s.account_id)
                or s.account_id = fid(1, 1) and s.ended_at is null and s.id is distinct from \(unsafeSQL: asker)
            """)
        #expect(try left?.value(0, as: Int.self) == 0)
    }
}
