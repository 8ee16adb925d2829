import Foundation
import TestSupport
import Testing

@testable import Operators
@testable import Postgres
@testable import Sessions

@Suite("Housekeeping")
struct HousekeepingTests {
    @Test("only expired remembered devices and expired undo data are deleted")
    func forgotten() async throws {
        try await withTestDatabase { database in
            let account = UUID()
            try await database.pool.withTransaction { connection in
                try connection.execute("insert into accounts (id) values (\(account))")
                try connection.execute(
                    """
                    insert into remembered_devices (id, account_id, digest, name, expires_at)
                    select gen_random_uuid(), \(account), decode(d.name, 'escape'), d.name, now() + d.life
                      from (values ('gone', interval '-1 second'), ('kept', interval '1 day')) d (name, life)
                    """)
                try connection.execute(
                    """
                    insert into account_changes (id, kind, account_id, undo_until, state, after)
                    select gen_random_uuid(), d.kind, \(account), now() - d.age, '{}', '{}'
                      from (values ('link', interval '31 days'), ('move', interval '29 days')) d (kind, age)
                    """)
            }
            let keyStore = SigningKeyStore(pool: database.pool, keys: try TestKeys.keys("k1"))
            let housekeeping = Housekeeping(
                pool: database.pool, keyStore: keyStore, rotationDays: 0, overlap: 0, logger: .silent)
            #expect(try await housekeeping.sweep() == 2)
            let left: [String] = try await database.pool.withConnection { connection in
                try connection.query("select name from remembered_devices union all select kind from account_changes")
                    .map { try $0.value(0) }
            }
            #expect(left == ["kept", "move"])
        }
    }

    @Test("a request of a device is deleted a day after its expiry")
    func devices() async throws {
        try await withTestDatabase { database in
            try await database.pool.withTransaction { connection in
                try connection.execute(
                    """
                    insert into device_requests (id, client_id, device_digest, user_code_digest, scopes, interval_seconds, expires_at)
                    select gen_random_uuid(), d.name, d.name::bytea, d.name::bytea, '{}', 5, now() - d.age
                      from (values ('gone', interval '25 hours'), ('expired', interval '1 hour'), ('live', interval '-1 minute'))
                           d (name, age)
                    """)
            }
            let keyStore = SigningKeyStore(pool: database.pool, keys: try TestKeys.keys("k1"))
            let housekeeping = Housekeeping(
                pool: database.pool, keyStore: keyStore, rotationDays: 0, overlap: 0, logger: .silent)
            #expect(try await housekeeping.sweep() == 1)
            let left: [String] = try await database.pool.withConnection { connection in
                try connection.query("select client_id from device_requests order by client_id").map { try $0.value(0) }
            }
            #expect(left == ["expired", "live"])
        }
    }

    @Test("a failing sweep doesn't stop due deletions of accounts")
    func apart() async throws {
        try await withTestDatabase { database in
            let account = UUID()
            try await database.pool.withTransaction { connection in
                try connection.execute(
                    """
                    insert into accounts (id, deletion_requested_at, deletion_due_at)
                    values (\(account), now() - interval '1 day', now() - interval '1 second')
                    """)
                try connection.execute(
                    """
                    create or replace function sweep_expired(
                        p_limit integer, p_spent_seconds integer, p_code_seconds integer, p_throttle_seconds integer,
                        p_session_seconds integer)
                    returns integer language plpgsql as $$
                    begin
                        raise exception 'broken';
                    end $$
                    """)
            }
            let keyStore = SigningKeyStore(pool: database.pool, keys: try TestKeys.keys("k1"))
            let housekeeping = Housekeeping(
                pool: database.pool, keyStore: keyStore, rotationDays: 0, overlap: 0, logger: .silent)
            await #expect(throws: PostgresError.self) { _ = try await housekeeping.sweep() }
            await housekeeping.keepHouse()
            let left = try await database.pool.withConnection { connection in
                try connection.queryOne("select count(*) from accounts where id = \(account)")?.value(0, as: Int.self)
            }
            #expect(left == 0)
        }
    }

    @Test("N3: the signing key is rotated when the database's clock says so", arguments: [(-2.0, false), (2.0, true)])
    func rotation(daysBeside: Double, isDue: Bool) async throws {
        try await withTestDatabase { database in
            let keyStore = SigningKeyStore(pool: database.pool, keys: try TestKeys.keys("k1"))
            try await keyStore.ensureKeys()
            // A day before or after the thirtieth day, by this server's own clock.
            let age = isDue ? 29 : 31
            try await database.pool.withConnection { connection in
                _ = try connection.execute(
                    "update signing_keys set activates_at = now() - make_interval(days => \(Int32(age))) where activates_at is not null"
                )
            }
            let before = try #require(try await keyStore.newestActivation())
            let clock = DatabaseClock()
            clock.note(daysBeside * 86_400)
            await Housekeeping(
                pool: database.pool, keyStore: keyStore, rotationDays: 30, overlap: 60, clock: clock, logger: .silent
            ).keepHouse()
            let after = try #require(try await keyStore.newestActivation())
            #expect((after > before) == isDue)
        }
    }

    @Test("N3: a spent token stays in the ledger for an hour after its expiry")
    func margin() async throws {
        try await withTestDatabase { database in
            let left = try await database.pool.withConnection { connection in
                try connection.execute(
                    """
                    with ledger (digest, expires_at) as (
                      values ('\\x01'::bytea, now() - interval '59 minutes'), ('\\x02', now() - interval '61 minutes')
                    ), codes as (insert into spent_codes (digest, expires_at) select digest, expires_at from ledger)
                    insert into spent (digest, expires_at) select digest, expires_at from ledger
                    """)
                try connection.execute("select sweep_expired(10, 3600, 86400, 3600, 30 * 86400)")
                return try connection.query("select digest from spent union all select digest from spent_codes")
                    .map { try $0.value(0, as: [UInt8].self) }
            }
            #expect(left == [[1], [1]])
        }
    }

    /// Sessions in the order of their ids; every fifth ended more than a month ago.
    private static let oneInFive = """
        insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                              idle_seconds, idle_expires_at, expires_at)
        select lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), 'app', 'password', now(), '{pwd}', '1', '\\x01', now(), 3600, now(),
               now() - case when n % 5 = 0 then interval '31 days' else interval '29 days' end
          from generate_series(1, 100) n
        """

    @Test("sessions are deleted a month after their end, page by page, with any number of others between")
    func sessions() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(Self.oneInFive)
                func sweep() throws -> Int {
                    try connection.queryOne("select sweep_sessions(7, 30 * 86400)")?.value(0, as: Int.self) ?? -1
                }
                // 28 at a time: 5, 10 … 25 are in the first page.
                #expect(try [sweep(), sweep(), sweep()] == [5, 6, 5])
                // The last page was short, so the next walk begins at the first session.
                #expect(try [sweep(), sweep(), sweep()] == [4, 0, 0])
                let left = try connection.queryOne(
                    "select count(*), bool_and(expires_at > now() - interval '30 days') from sessions")
                #expect(try left?.value(0, as: Int.self) == 80)
                #expect(try left?.value(1, as: Bool.self) == true)
                try connection.executeScript(
                    "update sessions set expires_at = now() - interval '31 days' where id = lpad(to_hex(1), 32, '0')::uuid"
                )
                #expect(try sweep() + sweep() + sweep() == 1)
            }
        }
    }

    @Test("one server at a time walks through the sessions, and waits for no locked session")
    func oneWalk() async throws {
        try await withTestDatabase { database in
            let (one, two) = try (Connection(database.configuration()), Connection(database.configuration()))
            try one.executeScript(Self.oneInFive)
            try one.executeScript("begin; select from sweep_places where name = 'sessions' for update")
            #expect(try two.queryOne("select sweep_sessions(100, 30 * 86400)")?.value(0, as: Int.self) == 0)
            try one.executeScript(
                "rollback; begin; select from sessions where expires_at < now() - interval '30 days' limit 1 for update"
            )
            #expect(try two.queryOne("select sweep_sessions(100, 30 * 86400)")?.value(0, as: Int.self) == 19)
            try one.executeScript("rollback")
            #expect(try two.queryOne("select sweep_sessions(100, 30 * 86400)")?.value(0, as: Int.self) == 1)
        }
    }
}
