import Foundation
import Postgres
import TestSupport
import Testing

@testable import Accounts

@Suite("Importing accounts")
struct AccountImportTests {
    private static let bcrypt = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"

    /// A temporary file.
    private final class Lines {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

        init(_ lines: [String]) throws { try write(lines) }

        func write(_ lines: [String]) throws {
            try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: url)
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private static func run(
        _ lines: Lines, _ pool: ConnectionPool, run: String? = "first", source: String = "old"
    ) async throws -> (summary: ImportSummary, refused: [ImportRefused]) {
        var reader = LineReader(try FileHandle(forReadingFrom: lines.url))
        let work = AccountImport(
            store: ImportStore(pool: pool), run: run, source: source, firebase: nil, requestID: "test")
        var refused: [ImportRefused] = []
        let summary = try await work.run(&reader, progress: { _, _, _ in }, refused: { refused.append($0) })
        return (summary, refused)
    }

    private static func count(_ query: SQL, _ pool: ConnectionPool) async throws -> Int {
        try await pool.withConnection { try $0.queryOne(query)?.value(0) ?? -1 }
    }

    private static func people(_ range: Range<Int>) -> [String] {
        range.map {
            #"{"id":"\#($0)","email":"p\#($0)@example.com","email_verified":true,"password_hash":"\#(bcrypt)"}"#
        }
    }

    /// Conflicting lines, and the result of each.
    private static let mixed: [(line: String, refusal: ImportRefusal?)] = [
        (#"{"id":"1","email":"ann@example.com","email_verified":true,"created_at":"2020-01-02T03:04:05Z"}"#, nil),
        (#"{"id":"1","email":"other@example.com"}"#, .alreadyImported),
        (#"{"id":"2","email":"ANN@example.com"}"#, .emailInUse),
        ("", nil), ("  \r", nil),
        (#"{"id":"3","identities":[{"provider":"google","realm":"g","subject":"1"}]}"#, nil),
        (
            #"{"id":"4","email":"cy@example.com","identities":[{"provider":"google","realm":"g","subject":"1"}]}"#,
            .identityInUse
        ),
        (#"{"id":"5","email":"cy@example.com","disabled":true}"#, nil),
        ("oops", .notJSON),
        (String(repeating: "x", count: 70_000), .lineTooLong),
        (#"{"email":"dee@example.com"}"#, nil), (#"{"email":"dee@example.com"}"#, .alreadyImported),
        (#"{"id":"6","email":"dee@example.com"}"#, nil),
    ]

    @Test("each line is an account or is refused with its number, in the rehearsal too")
    func lines() async throws {
        try await withTestDatabase { database in
            let file = try Lines(Self.mixed.map(\.line))
            let expected = Self.mixed.enumerated().compactMap { index, item in
                item.refusal.map { ImportRefused(line: index + 1, reason: $0) }
            }
            let rehearsal = try await Self.run(file, database.pool, run: nil)
            #expect(rehearsal.refused == expected)
            #expect(rehearsal.summary.accounts == 5)
            #expect(try await Self.count("select count(*) from accounts", database.pool) == 0)
            #expect(try await Self.count("select count(*) from import_runs", database.pool) == 0)

            let real = try await Self.run(file, database.pool)
            #expect(real.refused == expected)
            #expect(real.summary == rehearsal.summary)
            #expect(try await ImportStore(pool: database.pool).refusals("first", after: 0) == expected)
            let after = try #require(expected.first).line
            #expect(
                try await ImportStore(pool: database.pool).refusals("first", after: after)
                    == Array(expected.dropFirst()))
        }
    }

    @Test("an account matches its line, and its audit rows record it")
    func rows() async throws {
        try await withTestDatabase { database in
            _ = try await Self.run(try Lines(Self.mixed.map(\.line) + Self.people(10..<11)), database.pool)
            for (query, expected) in [
                ("select count(*) from accounts where status = 'disabled'", 1),
                ("select count(*) from accounts where created_at = '2020-01-02T03:04:05Z'", 1),
                ("select count(*) from account_emails where proved_at is not null and source = 'import'", 2),
                ("select count(*) from passwords where hash like '$2b$04$%'", 1),
                ("select count(*) from imported_accounts where source = 'old' and external_id = '10'", 1),
                ("select count(*) from audit_events where action = 'account_created' and reason = 'import'", 6),
                (
                    "select count(*) from audit_events where detail @> '{\"run\": \"first\", \"line\": 14, \"hash\": \"bcrypt\"}'",
                    1
                ),
                (
                    """
                    select count(*) from audit_events e join identities i on i.id = e.identity_id
                     where e.action = 'identity_linked' and i.linked_by = 'import' and i.account_id = e.account_id
                    """, 1
                ),
                ("select count(*) from audit_events where detail::text like '%$2b$%'", 0),
            ] as [(SQL, Int)] {
                #expect(try await Self.count(query, database.pool) == expected, "\(query)")
            }
        }
    }

    @Test("a repeated import resumes at its position and does nothing twice")
    func goesOn() async throws {
        try await withTestDatabase { database in
            let file = try Lines(Self.people(0..<1_200))
            #expect(try await Self.run(file, database.pool).summary.accounts == 1_200)
            #expect(try await Self.run(file, database.pool).summary == ImportSummary(accounts: 1_200))
            try file.write(Self.people(0..<1_300) + ["x"])
            let more = try await Self.run(file, database.pool)
            #expect(more.summary == ImportSummary(accounts: 1_300, refused: [.notJSON: 1]))
            #expect(more.refused == [ImportRefused(line: 1_301, reason: .notJSON)])
            #expect(try await Self.count("select count(*) from accounts", database.pool) == 1_300)
        }
    }

    @Test("an import doesn't resume with another file")
    func anotherFile() async throws {
        try await withTestDatabase { database in
            let file = try Lines(Self.people(0..<10))
            _ = try await Self.run(file, database.pool)
            for other in [Self.people(1..<20), Self.people(0..<9), Array(Self.people(0..<10).reversed())] {
                try file.write(other)
                await #expect(throws: ImportError.anotherFile(run: "first")) { try await Self.run(file, database.pool) }
            }
            #expect(try await Self.count("select count(*) from accounts", database.pool) == 10)
        }
    }

    @Test("another run recognizes ids of the same source, not of another source")
    func sources() async throws {
        try await withTestDatabase { database in
            let file = try Lines([#"{"id":"1","email":"ann@example.com"}"#, #"{"id":"2","email":"ann@example.com"}"#])
            _ = try await Self.run(file, database.pool)
            let again = try await Self.run(file, database.pool, run: "second")
            #expect(again.summary == ImportSummary(accounts: 0, refused: [.alreadyImported: 2]))
            let other = try await Self.run(file, database.pool, run: "third", source: "another")
            #expect(other.summary.accounts == 2)
        }
    }

    @Test("of two concurrent imports of one run, one stops, and every line is imported once")
    func twoAtOnce() async throws {
        try await withTestDatabase { database in
            let file = try Lines(Self.people(0..<3_000))
            let pool = database.pool
            let outcomes = await withTaskGroup(of: ImportError?.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            _ = try await Self.run(Lines(Self.people(0..<3_000)), pool)
                            return nil
                        } catch {
                            return error as? ImportError ?? .anotherFile(run: "\(error)")
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.allSatisfy { $0 == nil || $0 == .movedOn(run: "first") })
            #expect(try await Self.run(file, pool).summary == ImportSummary(accounts: 3_000))
            #expect(try await Self.count("select count(*) from accounts", pool) == 3_000)
        }
    }

    @Test("a proved address removes unproved claims, like any proof; a proved one stays")
    func claims() async throws {
        try await withTestDatabase { database in
            _ = try await Self.run(
                try Lines([#"{"id":"1","email":"ann@example.com","password_hash":"\#(Self.bcrypt)"}"#]), database.pool)
            let proof = #"{"id":"2","email":"ann@example.com","email_verified":true}"#
            _ = try await Self.run(try Lines([proof]), database.pool, run: "second")
            let third = try await Self.run(
                try Lines([proof.replacing("\"2\"", with: "\"3\"")]), database.pool, run: "third")
            #expect(third.refused == [ImportRefused(line: 1, reason: .emailInUse)])
            #expect(try await Self.count("select count(*) from account_emails", database.pool) == 1)
            #expect(try await Self.count("select count(*) from passwords", database.pool) == 0)
            #expect(
                try await Self.count(
                    "select count(*) from audit_events where action = 'address_claim_cleared'", database.pool) == 1)
        }
    }
}
