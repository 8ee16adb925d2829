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

    private static func rotate(
        _ generation: Int, next: Int, relaxed: [String] = [], _ connection: Connection
    ) throws -> String? {
        try connection.queryOne(
            """
            select outcome from rotate_refresh_token(\(session), \(Int32(generation)), \(digest(generation)), \(digest(next)), 'app', 10,
                                                     86400, 2, '192.0.2.1', 'request', p_relaxed => \(relaxed))
            """)?.value(0)
    }

    @Test("refreshes touch no index: each new version of the row stays on its page")
    func hot() async throws {
        try await withTestDatabase { database in
            let row: (Int, Int) = try await database.pool.withTransaction { connection in
                try Self.add(connection)
                for generation in 0..<7 {
                    #expect(try Self.rotate(generation, next: generation + 1, connection) == "rotated")
                }
                #expect(try Self.rotate(7, next: 8, relaxed: ["app"], connection) == "kept")
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

    @Test("S-18: relaxed rotation keeps the token of the listed clients only, with an audit row for each use")
    func kept() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try Self.add(connection)
                #expect(try Self.rotate(0, next: 1, relaxed: ["other"], connection) == "rotated")
                for _ in 0..<3 {
                    #expect(try Self.rotate(1, next: 2, relaxed: ["other", "app"], connection) == "kept")
                }
                let row = try connection.row(
                    "select generation, refresh_digest from sessions where id = \(Self.session)")
                #expect(try row.value(0, as: Int32.self) == 1)
                #expect(try row.value(1, as: [UInt8].self) == Self.digest(1))
                let reasons = try connection.query(
                    "select coalesce(reason, '') from audit_events where action = 'refreshed' order by id"
                ).map { try $0.value(0, as: String.self) }
                #expect(reasons == ["", "token_kept", "token_kept", "token_kept"])
                // Back to the default, the next use replaces the token and may be repeated.
                #expect(try Self.rotate(1, next: 2, connection) == "rotated")
                #expect(try Self.rotate(1, next: 2, connection) == "repeated")
            }
        }
    }

    @Test("S-18: the predecessor of a kept token is repeated until the kept one is used; after that it is theft")
    func predecessorOfKept() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try Self.add(connection)
                #expect(try Self.rotate(0, next: 1, connection) == "rotated")
                #expect(try Self.rotate(0, next: 1, relaxed: ["app"], connection) == "repeated")
                #expect(try Self.rotate(1, next: 2, relaxed: ["app"], connection) == "kept")
                #expect(try Self.rotate(0, next: 1, relaxed: ["app"], connection) == "reused")
                #expect(try Self.rotate(1, next: 2, relaxed: ["app"], connection) == "ended")
            }
        }
    }
}
