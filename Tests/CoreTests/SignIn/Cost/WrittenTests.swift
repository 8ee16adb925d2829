import TestSupport
import Testing

@testable import Postgres

/// The write-ahead log of the hot statements.
///
/// `bench/README.md` has the figures.
@Suite("Writes of a sign-in")
struct WrittenTests {
    struct Work: Sendable, CustomTestStringConvertible {
        let name: String
        let base: Int
        let mostRecords: Int
        let mostBytes: Int
        let mostEntries: Int
        var testDescription: String { name }
    }

    /// The writes of one transaction.
    private struct Written {
        let records: Int
        let bytes: Int
        let entries: Int
    }

    /// The maximum for each; the bytes of a new account exclude page splits.
    static let works = [
        Work(name: "sign_in_known", base: 1_000_000, mostRecords: 8, mostBytes: 1_100, mostEntries: 5),
        Work(name: "sign_in_new", base: 2_000_000, mostRecords: 18, mostBytes: 2_400, mostEntries: 10),
        Work(name: "refresh", base: 3_000_000, mostRecords: 4, mostBytes: 600, mostEntries: 0),
    ]

    @Test("one statement writes no more than its share of records, bytes and index entries", arguments: works)
    func written(_ work: Work) async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            try connection.executeScript("create extension pg_walinspect; set synchronous_commit = on")
            let script = try BenchScript(work.name)
            try connection.executeScript(script.preparation(base: work.base))
            var runs: [Written] = []
            for turn in 0..<41 {
                let written = try Self.transaction(script.text(turn: turn, base: work.base), connection)
                // The first turns make plans and begin pages.
                if turn >= 10 { runs.append(written) }
            }
            // The median, because some turns split a page or reserve sequence numbers.
            #expect(Self.middle(runs.map(\.records)) <= work.mostRecords)
            #expect(Self.middle(runs.map(\.bytes)) <= work.mostBytes)
            #expect(Self.middle(runs.map(\.entries)) <= work.mostEntries)
        }
    }

    private static func middle(_ numbers: [Int]) -> Int { numbers.sorted()[numbers.count / 2] }

    /// Runs a statement in its own transaction and counts the records with the transaction's number.
    private static func transaction(_ statement: String, _ connection: Connection) throws -> Written {
        let start: String = try connection.row("select pg_current_wal_insert_lsn()::text").value(0)
        let (outcome, number): (String, String) = try connection.transaction { connection in
            let outcome: String = try connection.row(SQL(unsafeSQL: statement)).value(0)
            return (outcome, try connection.row("select pg_current_xact_id()::xid::text").value(0))
        }
        #expect(["signed_in", "rotated"].contains(outcome))
        let row = try connection.row(
            """
            select count(*), sum(record_length - fpi_length),
                   count(*) filter (where resource_manager = 'Btree' and record_type like any ('{INSERT_LEAF,INSERT_POST,SPLIT_%}')
                                       or resource_manager in ('Gin', 'Hash'))
              from pg_get_wal_records_info(\(start)::text::pg_lsn, pg_current_wal_flush_lsn())
             where xid::text = \(number)
            """)
        return Written(
            records: try row.value(0), bytes: try row.value(1), entries: try row.value(2))
    }
}
