import TestSupport
import Testing

@testable import Postgres

@Suite("The housekeeping's walks")
struct HousekeepingWalkTests {
    /// Flows in the order of their ids; every fifth has expired.
    private static let oneFlowInFive = """
        insert into flows (id, kind, client_id, state, expires_at)
        select lpad(to_hex(n), 32, '0')::uuid, 'sign_in', 'app', '{}',
               now() + case when n % 5 = 0 then interval '-1 second' else interval '10 minutes' end
          from generate_series(1, 100) n
        """

    @Test("expired flows are deleted page by page, with any number of others between")
    func flows() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(Self.oneFlowInFive)
                func sweep() throws -> Int {
                    try connection.queryOne("select sweep_expired(7, 3600, 86400, 3600, 30 * 86400)")?.value(
                        0, as: Int.self) ?? -1
                }
                #expect(try [sweep(), sweep(), sweep(), sweep(), sweep()] == [5, 6, 5, 4, 0])
                let left = try connection.queryOne("select count(*), bool_and(expires_at > now()) from flows")
                #expect(try left?.value(0, as: Int.self) == 80)
                #expect(try left?.value(1, as: Bool.self) == true)
            }
        }
    }

    @Test("the next version of a flow touches no index")
    func flowStep() async throws {
        try await withTestDatabase { database in
            try await database.pool.withTransaction { connection in
                try connection.executeScript(
                    """
                    insert into flows (id, kind, client_id, account_id, address_key, state, expires_at)
                    select lpad(to_hex(n), 32, '0')::uuid, 'provider', 'app', null, 'ann@example.com',
                           jsonb_build_object('filling', repeat('x', 600)), now() + interval '10 minutes'
                      from generate_series(1, 100) n;
                    select keep_flow_step(f.id, 0, 0, f.state || '{"step": "code"}', '\\x01') from flows f
                     where f.id = lpad(to_hex(50), 32, '0')::uuid;
                    """)
                let row = try connection.queryOne(
                    "select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'flows'")
                #expect(try row?.value(0, as: Int.self) == 1)
                #expect(try row?.value(1, as: Int.self) == 1)
            }
        }
    }

    @Test("full buckets are deleted page by page, with any number of others between")
    func buckets() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    insert into throttles (bucket, arrival)
                    select decode(lpad(to_hex(n), 32, '0'), 'hex'),
                           now() - case when n % 5 = 0 then interval '61 minutes' else interval '59 minutes' end
                      from generate_series(1, 100) n
                    """)
                func sweep() throws -> Int {
                    try connection.queryOne("select sweep_expired(7, 3600, 86400, 3600, 30 * 86400)")?.value(
                        0, as: Int.self) ?? -1
                }
                #expect(try [sweep(), sweep(), sweep(), sweep(), sweep()] == [5, 6, 5, 4, 0])
                #expect(try connection.queryOne("select count(*) from throttles")?.value(0, as: Int.self) == 80)
            }
        }
    }
}
