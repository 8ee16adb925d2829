import Foundation
import Postgres
import TestSupport
import Testing

@testable import Sessions

@Suite("Ending many sessions")
struct SessionRevocationTests {
    private static func order(_ moment: Date, client: String? = nil) -> SessionRevocation.Order {
        SessionRevocation.Order(issuedBefore: moment, client: client, reason: "a test", requestID: "test")
    }

    /// Sessions that began that many minutes ago.
    private static func add(
        _ count: Int, client: String = "app", minutesAgo: Int = 60, isOpen: Bool = true, _ connection: Connection
    ) throws {
        let account = UUID()
        try connection.execute("insert into accounts (id) values (\(account))")
        try connection.execute("insert into clients (id, name) values (\(client), 'App') on conflict do nothing")
        try connection.execute(
            """
            insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                                  idle_seconds, idle_expires_at, expires_at, created_at, ended_at)
            select gen_random_uuid(), \(account), \(client), 'password', now(), '{pwd}', '1', '\\x01', now(), 3600,
                   now() + interval '1 hour', now() + interval '1 day',
                   now() - make_interval(mins => \(Int32(minutesAgo))),
                   case when not \(isOpen) then now() end
              from generate_series(1, \(Int32(count)))
            """)
    }

    private static func numbers(_ statement: SQL, _ database: TestDatabase) async throws -> [Int] {
        try await database.pool.withConnection { try $0.query(statement).map { try $0.value(0) } }
    }

    private static func open(_ database: TestDatabase) async throws -> Int? {
        try await numbers("select count(*) from sessions where ended_at is null", database).first
    }

    @Test("they end page by page, each in its own transaction with its audit row, and no others end")
    func pages() async throws {
        try await withTestDatabase { database in
            try await database.pool.withTransaction { connection in
                try Self.add(25, connection)
                try Self.add(3, client: "other", connection)
                try Self.add(2, minutesAgo: -60, connection)
                try Self.add(4, isOpen: false, connection)
            }
            let revocation = SessionRevocation(pool: database.pool, pageSize: 10)
            let order = Self.order(Date(), client: "app")
            #expect(try await revocation.revoke(order) == 25)
            #expect(try await Self.open(database) == 5)
            let told = try await Self.numbers(
                "select (detail->>'sessions')::int8 from audit_events where action = 'sessions_revoked'", database)
            #expect(told.reduce(0, +) == 25)
            #expect(told.count >= 3 && told.allSatisfy { 1...10 ~= $0 }, "\(told)")
            let transactions = try await Self.numbers(
                "select count(distinct xmin::text) from audit_inbox where action = 'sessions_revoked'", database)
            #expect(transactions == [told.count])
            #expect(try await revocation.revoke(order) == 0)
            #expect(try await Self.numbers("select count(*) from audit_events", database) == [told.count])
        }
    }

    @Test("its progress only grows, and ends with all sessions")
    func progress() async throws {
        try await withTestDatabase { database in
            try await database.pool.withTransaction { try Self.add(25, $0) }
            try await database.pool.withConnection { try $0.executeScript("analyze sessions") }
            var shown: [Int] = []
            let revocation = SessionRevocation(pool: database.pool, pageSize: 10)
            _ = try await revocation.revoke(Self.order(Date())) { looked, total in
                #expect(total == 25)
                shown.append(looked)
            }
            #expect(shown == shown.sorted() && shown.last == 25)
            #expect(Set(shown).count > 3, "\(shown)")
        }
    }

    @Test("a sign-in that began before the moment and is committed behind the walk ends too")
    func committedLate() async throws {
        try await withTestDatabase { database in
            try await database.pool.withTransaction { try Self.add(1, $0) }
            let (isMade, made) = AsyncStream<Void>.makeStream()
            async let late: Void = database.pool.withTransaction { connection in
                defer { made.finish() }
                try Self.add(1, minutesAgo: 0, connection)
                made.finish()
                try Self.untilSomebodyLooks(connection)
            }
            for await _ in isMade {}
            let ended = try await SessionRevocation(pool: database.pool).revoke(Self.order(Date()))
            try await late
            #expect(ended == 2)
            #expect(try await Self.open(database) == 0)
        }
    }

    /// Blocks until another session reads the running transactions: it has then walked all committed rows.
    private static func untilSomebodyLooks(_ connection: Connection) throws {
        for _ in 0..<2_000 {
            // Within a transaction, the view would keep its first state.
            try connection.execute("select pg_stat_clear_snapshot()")
            let looking = try connection.queryOne(
                """
                select count(*) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid() and query like '%xact_start <%'
                """)
            if try looking?.value(0, as: Int.self) ?? 0 > 0 { return }
            usleep(10_000)
        }
        Issue.record("nobody waited for the transactions that were under way")
    }
}
