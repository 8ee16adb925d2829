import TestSupport
import Testing

@testable import Postgres
@testable import Vocabulary

@Suite("The replay ledger")
struct SpendTests {
    /// Values with their retention in the form of `spend`.
    private typealias Posted = [(name: String, until: Int)]

    private static let end = 4_000_000_000

    /// 0, or the position of the first value that was already spent.
    private static func spend(_ posted: Posted, _ connection: Connection) throws -> Int? {
        let (digests, ends) = (posted.map { Array($0.name.utf8) }, posted.map(\.until))
        do throws(PostgresError) {
            _ = try connection.queryOne("select spend(\(digests), \(ends))")
            return 0
        } catch {
            guard error.isOfSpentThing else { throw error }
            return try connection.queryOne("select spent_position(\(digests), \(ends))")?.value(0)
        }
    }

    private static func count(_ connection: Connection) throws -> [Int] {
        let row = try connection.queryOne("select (select count(*) from spent), (select count(*) from spent_codes)")
        return try [#require(row).value(0), #require(row).value(1)]
    }

    @Test("J-17: a token and a code work once, for every kind of expiry")
    func once() async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            #expect(try Self.spend([("token", Self.end)], connection) == 0)
            #expect(try Self.spend([("token", Self.end)], connection) == 1)
            #expect(try Self.spend([("code", -Self.end)], connection) == 0)
            #expect(try Self.spend([("state", Self.end), ("code", -Self.end - 5)], connection) == 2)
            // The values next to the spent code were not spent.
            #expect(try Self.count(connection) == [1, 1])
            #expect(try Self.spend([("state", Self.end)], connection) == 0)
        }
    }

    @Test(
        "J-16, J-17: one row for token and nonce distinguishes a repeated token from another with its nonce"
    )
    func nonce() async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            #expect(try Self.spend([("token", 0), ("nonce", Self.end)], connection) == 0)
            #expect(try Self.spend([("token", 0), ("nonce", Self.end)], connection) == 1)
            #expect(try Self.spend([("other token", 0), ("nonce", Self.end)], connection) == 2)
            #expect(try Self.spend([("other token", 0), ("other nonce", Self.end)], connection) == 0)
            #expect(try Self.count(connection) == [2, 0])
        }
    }

    @Test("J-17: a credential without a value to store is refused, and so is one without an expiry")
    func nothing() async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            #expect(throws: PostgresError.self) { try Self.spend([("token", 0)], connection) }
            #expect(throws: PostgresError.self) {
                try connection.queryOne("select spend(array['a'::bytea], array[null::bigint])")
            }
            let rows = try Self.count(connection)
            #expect(rows == [0, 0])
        }
    }

    @Test("J-17: of two concurrent spends of one value, the second waits and fails", arguments: [0, 1])
    func race(case index: Int) async throws {
        let posted: Posted = index == 0 ? [("token", 0), ("nonce", Self.end)] : [("code", -Self.end)]
        try await withTestDatabase { database in
            let pool = ConnectionPool(configuration: database.configuration(maximumConnections: 1), logger: .silent)
            let (first, probe) = try (Connection(database.configuration()), Connection(database.configuration()))
            let backend = try await pool.withConnection {
                try $0.queryOne("select pg_backend_pid()")?.value(0, as: Int32.self)
            }
            try first.executeScript("begin")
            #expect(try Self.spend(posted, first) == 0)
            let second = Task { try await pool.withConnection { try Self.spend(posted, $0) } }
            _ = try await poll(every: .milliseconds(1)) {
                try probe.queryOne(
                    "select from pg_stat_activity where pid = \(try #require(backend)) and wait_event_type = 'Lock'")
            }
            try first.executeScript("commit")
            #expect(try await second.value == 1)
            await pool.shutdown()
        }
    }
}
