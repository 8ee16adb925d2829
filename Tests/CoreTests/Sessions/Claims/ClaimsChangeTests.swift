import Foundation
import TestSupport
import Testing

@testable import Postgres

/// A change of an app's claims during a request to its service: the answer is that of the old configuration.
@Suite("Concurrent changes of claims")
struct ClaimsChangeTests {
    /// An app with recently changed claims.
    private func withApp(_ body: (TestDatabase) async throws -> Void) async throws {
        try await withTestDatabase { database in
            try await database.pool.withTransaction { connection in
                try connection.execute("insert into clients (id, name) values ('app', 'App')")
                try connection.execute("insert into client_claims (client_id) values ('app')")
            }
            try await body(database)
        }
    }

    private static func session(_ connection: Connection) throws -> UUID {
        let (account, session) = (UUID(), UUID())
        try connection.execute("insert into accounts (id) values (\(account))")
        try connection.execute(
            """
            insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                  idle_seconds, idle_expires_at, expires_at)
            values (\(session), \(account), 'app', 'password', now(), '{pwd}', '1', '\\x01', now(), 3600,
                    now() + interval '1 hour', now() + interval '1 day')
            """)
        return session
    }

    /// Stores the service's answer, valid for that time.
    private static func keep(_ session: UUID, for seconds: Int?, _ connection: Connection) throws {
        try connection.execute(
            "select set_session_claims(\(session), '{}', '{}', 1024, \(seconds.map { Int32($0) }))")
    }

    /// Seconds until the claims are due; nil for never.
    private static func due(_ session: UUID, _ connection: Connection) throws -> Double? {
        try connection.queryOne(
            "select extract(epoch from claims_due_at - now())::float8 from sessions where id = \(session)"
        )?.value(0, as: Double?.self)
    }

    /// Dates the change before any running request.
    private static let age: SQL = "update clients set claims_changed_at = now() - interval '61 seconds'"
    private static let change: SQL = "update client_claims set refresh_seconds = 600"

    @Test(
        "claims requested during a change are requested again after a minute",
        arguments: [nil, 3_600, 30] as [Int?])
    func around(seconds: Int?) async throws {
        try await withApp { database in
            let due = try await database.pool.withConnection { connection in
                let session = try Self.session(connection)
                try Self.keep(session, for: seconds, connection)
                return try Self.due(session, connection)
            }
            let soon = try #require(due)
            #expect((seconds == 30 ? 0.0...30 : 31.0...60) ~= soon)
        }
    }

    @Test("a late retry with due claims requests them first, and contains them")
    func repeatedLate() async throws {
        try await withApp { database in
            let outcomes = try await database.pool.withConnection { connection in
                let session = try Self.session(connection)
                func present(_ renews: Bool) throws -> [String?] {
                    let row = try connection.queryOne(
                        """
                        select outcome, claims->>'tier'
                          from rotate_refresh_token(\(session), 0, '\\x01', '\\x02', 'app', 10, 86400, 2, null, 'test', \(renews),
                                                    '{"tier": "gold"}', '{}', 1024, 3600)
                        """)
                    return [try row?.value(0), try row?.value(1)]
                }
                _ = try present(true)
                try connection.execute(
                    """
                    update sessions set rotated_at = now() - interval '1 hour', claims_due_at = now(), claims = '{}'
                     where id = \(session)
                    """)
                return [try present(false), try present(true)]
            }
            #expect(outcomes == [["claims_due", nil], ["repeated", "gold"]])
        }
    }

    @Test("a refresh with new claims does the same")
    func refreshed() async throws {
        try await withApp { database in
            let due = try await database.pool.withConnection { connection in
                let session = try Self.session(connection)
                try connection.execute(
                    """
                    select rotate_refresh_token(\(session), 0, '\\x01', '\\x02', null, 10, 0, 2, null, 'test', true, '{}',
                                                '{}', 1024, 3600)
                    """)
                return try Self.due(session, connection)
            }
            let soon = try #require(due)
            #expect(31.0...60 ~= soon)
        }
    }

    @Test("claims requested after a change are valid for the full period", arguments: [nil, 3_600] as [Int?])
    func longAfter(seconds: Int?) async throws {
        try await withApp { database in
            let due = try await database.pool.withConnection { connection in
                try connection.execute(Self.age)
                let session = try Self.session(connection)
                try Self.keep(session, for: seconds, connection)
                return try Self.due(session, connection)
            }
            #expect((due == nil) == (seconds == nil))
            if let due { #expect(3_500.0...3_600 ~= due) }
        }
    }

    @Test("an uncommitted change counts, even for a session that it cannot see")
    func uncommitted() async throws {
        try await withApp { database in
            let configuration = database.configuration()
            try await database.pool.withConnection { _ = try $0.execute(Self.age) }
            let due = try await database.pool.withTransaction { changing in
                try changing.execute(Self.change)
                let asking = try Connection(configuration)
                let session = try Self.session(asking)
                try Self.keep(session, for: nil, asking)
                return try Self.due(session, asking)
            }
            let soon = try #require(due)
            #expect(31.0...60 ~= soon)
        }
    }

    @Test("a change during the storage of claims waits, and then makes them due")
    func waits() async throws {
        try await withApp { database in
            let (isKept, kept) = AsyncStream<Void>.makeStream()
            async let asking: UUID = database.pool.withTransaction { connection in
                defer { kept.finish() }
                let session = try Self.session(connection)
                try Self.keep(session, for: nil, connection)
                kept.finish()
                try Self.untilSomebodyWaits(connection)
                return session
            }
            for await _ in isKept {}
            try await database.pool.withConnection { _ = try $0.execute(Self.change) }
            let session = try await asking
            let due = try await database.pool.withConnection { try Self.due(session, $0) }
            let soon = try #require(due)
            #expect(soon <= 0)
        }
    }

    private static func untilSomebodyWaits(_ connection: Connection) throws {
        for _ in 0..<2_000 {
            let waiting = try connection.queryOne(
                "select count(*) from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))")
            if try waiting?.value(0, as: Int.self) ?? 0 > 0 { return }
            usleep(10_000)
        }
        Issue.record("nobody waited: the change went ahead without this session")
    }
}
