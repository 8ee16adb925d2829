import Foundation
import TestSupport
import Testing

@testable import Postgres

/// The effect of `rotate_refresh_token` on a session's row.
@Suite("A session's row and its rotations")
struct RotationRowTests {
    private static let session = UUID()

    private static func add(_ connection: Connection) throws {
        try connection.execute("insert into clients (id, name) values ('app', 'App')")
        try connection.execute(
            """
            insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                                  idle_expires_at, expires_at, user_agent)
            values (\(session), gen_random_uuid(), 'app', 'apple', now(), '{fed}', '1', \(digest(0)), now(), 3600,
                    now() + interval '1 hour', now() + interval '1 day', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101')
            """)
    }

    private static func digest(_ generation: Int) -> [UInt8] { Array(repeating: UInt8(generation), count: 32) }

    private static func rotate(_ generation: Int, next: Int, _ connection: Connection) throws -> String? {
        try connection.queryOne(
            """
            select outcome from rotate_refresh_token(\(session), \(Int32(generation)), \(digest(generation)), \(digest(next)), 'app', 10,
                                                     86400, 2, '192.0.2.1', 'request')
            """)?.value(0)
    }

    @Test("rotations touch no index: each new version of the row stays on its page")
    func hot() async throws {
        try await withTestDatabase { database in
            let row: (Int, Int) = try await database.pool.withTransaction { connection in
                try Self.add(connection)
                for generation in 0..<8 {
                    #expect(try Self.rotate(generation, next: generation + 1, connection) == "rotated")
                }
                let counts = try connection.queryOne(
                    "select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'sessions'")
                return (try #require(counts).value(0), try #require(counts).value(1))
            }
            #expect(row == (8, 8))
        }
    }

    @Test("S-02, S-04: only the token from which the current one derives is its predecessor")
    func predecessor() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try Self.add(connection)
                #expect(try Self.rotate(0, next: 1, connection) == "rotated")
                #expect(try Self.rotate(0, next: 1, connection) == "repeated")
                #expect(try Self.rotate(0, next: 2, connection) == "reused")
                #expect(try Self.rotate(1, next: 2, connection) == "ended")
            }
        }
    }
}
