import TestSupport
import Testing

@testable import Postgres
@testable import Sessions

/// The writes of `take_from_throttles` and `give_back_after_right_answer`.
@Suite("Rows of throttles")
struct ThrottleRowTests {
    /// A bucket of that burst, with one attempt an hour.
    private static func bucket(_ byte: UInt8, of burst: Int) -> Throttle {
        Throttle(bucket: Array(repeating: byte, count: 16), burst: burst, periodMilliseconds: 3_600_000)
    }

    private static func isTaken(_ price: [Throttle], _ connection: Connection) throws -> Bool {
        try connection.queryOne("select take_from_throttles(\(price)) <= 0")?.value(0) ?? false
    }

    /// The inserts, updates, and updates without an index, in this transaction.
    private static func writes(_ connection: Connection) throws -> [Int] {
        let row = try connection.queryOne(
            "select n_tup_ins, n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'throttles'")
        return try (0..<3).map { try row?.value($0, as: Int.self) ?? -1 }
    }

    /// The used attempts of each bucket, in the order of their names.
    private static func used(_ connection: Connection) throws -> [Int] {
        try connection.query(
            "select round(extract(epoch from arrival - now()) / 3600)::bigint from throttles order by bucket"
        ).map { try $0.value(0) }
    }

    @Test("an attempt writes once to each bucket and touches no index; a refused one writes nothing")
    func writes() async throws {
        let price = [Self.bucket(2, of: 4), Self.bucket(1, of: 2)]
        try await withTestDatabase { database in
            try await database.pool.withTransaction { connection throws in
                #expect(try Self.isTaken(price, connection))
                #expect(try Self.writes(connection) == [2, 0, 0])
                #expect(try Self.isTaken(price, connection))
                #expect(try Self.writes(connection) == [2, 2, 2])
                // The first bucket is empty, so the second one is not charged.
                #expect(try !Self.isTaken(price, connection))
                #expect(try !Self.isTaken([price[1], price[0]], connection))
                #expect(try Self.writes(connection) == [2, 2, 2])
                #expect(try Self.used(connection) == [2, 2])
            }
        }
    }

    @Test("a request that waited and finds an empty bucket is charged to none")
    func emptied() async throws {
        let (shared, own) = (Self.bucket(2, of: 1), Self.bucket(1, of: 5))
        try await withTestDatabase { database in
            let one = try Connection(database.configuration())
            try one.executeScript("begin")
            #expect(try Self.isTaken([shared], one))
            async let second = database.pool.withTransaction { try Self.isTaken([own, shared], $0) }
            _ = try await poll {
                let waiting = try one.queryOne(
                    "select count(*) from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))"
                )
                return try waiting?.value(0, as: Int.self) == 1 ? true : nil
            }
            try one.executeScript("commit")
            #expect(try await !second)
            #expect(try Self.used(one) == [0, 1])
        }
    }

    @Test("a right answer refunds buckets that are more than half used, and writes to no other")
    func halves() async throws {
        let price = [Self.bucket(1, of: 4), Self.bucket(2, of: 100), Self.bucket(3, of: 1)]
        try await withTestDatabase { database in
            try await database.pool.withTransaction { connection in
                for number in 1...20 {
                    #expect(try Self.isTaken(price, connection))
                    try connection.execute("select give_back_after_right_answer(\(price))")
                    #expect(try Self.used(connection) == [min(number, 2), number, 0])
                }
                // Inserted, then charged and refunded: the first bucket from the third attempt on, the last one always.
                #expect(try Self.writes(connection) == [3, 3 * 19 + 18 + 20, 3 * 19 + 18 + 20])
            }
        }
    }
}
