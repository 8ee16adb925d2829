import Foundation
import TestSupport
import Testing

@testable import Audit
@testable import Postgres

/// Hourly counts, compared with the log itself.
@Suite("Counted events", .serialized)
struct CountedEventsTests {
    /// The counts from the log, in the form of ``counted``.
    private static func plain(_ audit: AuditFixture, from moment: Date) async throws -> [String] {
        try await lines(
            audit,
            """
            select date_trunc('hour', at, 'UTC'), action, outcome, coalesce(provider, ''), case when outcome = 'refused' then coalesce(reason, '') else '' end, count(*)
              from audit_events where at >= \(moment) group by 1, 2, 3, 4, 5
            """)
    }

    private static func counted(_ audit: AuditFixture, from moment: Date) async throws -> [String] {
        try await lines(
            audit,
            """
            select hour, action, outcome, provider, reason, sum(count)::bigint from counted_events(\(moment)) group by 1, 2, 3, 4, 5
            """)
    }

    private static func lines(_ audit: AuditFixture, _ statement: SQL) async throws -> [String] {
        try await audit.pool.withConnection { connection in
            try connection.query(statement).map { row in
                let words: [String] = try [row.value(1), row.value(2), row.value(3), row.value(4)]
                let hour = Int(try row.value(0, as: Date.self).timeIntervalSince1970)
                return "\(hour) \(words) \(try row.value(5, as: Int.self))"
            }
        }.sorted()
    }

    /// Rows of all kinds for the last hours, repeated so that counts exceed one.
    private static func write(_ audit: AuditFixture, _ count: Int, hours: Int) async throws {
        _ = try await audit.pool.withConnection { connection in
            try connection.execute(
                """
                insert into audit_inbox (at, action, outcome, reason, provider)
                select now() - interval '1 minute' * (n * 7 % (\(hours) * 60)), (array['signed_in', 'sign_in', 'account_created', 'refreshed'])[n % 4 + 1],
                       case n % 3 when 0 then 'refused' else 'done' end, case n % 5 when 0 then null when 1 then 'throttled' else 'known' end,
                       (array['apple', 'google', null])[n % 3 + 1]
                  from generate_series(1, \(count)) n
                 order by n * 7 % (\(hours) * 60) desc   -- as in a log: a batch of the sealer has one month
                """)
        }
    }

    private static let day = Date(timeIntervalSinceNow: -86_400)

    @Test("equal the log: with nothing, some or all sealed, and from a moment within an hour")
    func sealing() async throws {
        try await withAudit { audit in
            let moments = [Self.day, Date(timeIntervalSinceNow: -5_000), Date(timeIntervalSinceNow: -900)]
            func expectSame(_ when: String) async throws {
                for moment in moments {
                    let expected = try await Self.plain(audit, from: moment)
                    #expect(!expected.isEmpty)
                    #expect(try await Self.counted(audit, from: moment) == expected, "\(when), \(moment)")
                }
            }
            try await Self.write(audit, 1_500, hours: 30)
            try await expectSame("nothing is sealed")
            try await audit.sealer.sealAll()
            try await expectSame("all is sealed")
            try await Self.write(audit, 700, hours: 3)
            try await expectSame("some is sealed")
            try await audit.sealer.sealAll()
            try await expectSame("all is sealed again")
            #expect(try await audit.number("select sum(count)::bigint from audit_counts") == 2_200)
        }
    }

    @Test("a row committed late counts in its own hour, once; a rolled-back one never")
    func late() async throws {
        try await withAudit { audit in
            let (slow, undone) = (
                try Connection(audit.database.configuration()), try Connection(audit.database.configuration())
            )
            let old =
                "insert into audit_inbox (at, action, outcome) values (now() - interval '5 hours', 'late', 'done')"
            for connection in [slow, undone] { try connection.executeScript("begin; \(old)") }
            try await Self.write(audit, 300, hours: 10)
            try await audit.sealer.sealAll()
            try slow.executeScript("commit")
            try undone.executeScript("rollback")
            let late: SQL =
                "select coalesce(sum(count), 0)::bigint from counted_events(now() - interval '1 day') where action = 'late'"
            #expect(try await audit.number(late) == 1)
            try await audit.sealer.sealAll()
            #expect(try await audit.number(late) == 1)
            #expect(try await Self.counted(audit, from: Self.day) == Self.plain(audit, from: Self.day))
        }
    }

    @Test("a rolled-back batch counts nothing, and each row once in the retry")
    func undone() async throws {
        try await withAudit { audit in
            try await Self.write(audit, 200, hours: 4)
            let failing = AuditSealer(pool: audit.pool, keys: audit.keys, followers: [Failing()], logger: .silent)
            await #expect(throws: Failing.Failure.self) { try await failing.sealAll() }
            #expect(try await audit.number("select count(*) from audit_counts") == 0)
            try await audit.sealer.sealAll()
            #expect(try await Self.counted(audit, from: Self.day) == Self.plain(audit, from: Self.day))
        }
    }

    private struct Failing: AuditFollower {
        struct Failure: Error {}

        func follow(_ events: [SealedEvent], on connection: Connection) throws { throw Failure() }
    }

    @Test("pruned months are no longer counted")
    func pruned() async throws {
        try await withAudit { audit in
            try await audit.run(
                """
                insert into audit_inbox (at, action, outcome) select now() - interval '1 month' * n, 'x', 'done' from generate_series(0, 9) n
                """)
            try await audit.sealer.sealAll()
            try await audit.retention.prune(keepMonths: 4, requestID: "test")
            let oldest = try await audit.number(
                "select count(*) from audit_counts where hour < (select pruned_before from audit_checkpoint)")
            #expect(oldest == 0)
            #expect(try await audit.number("select count(*) from audit_counts where action = 'x'") > 0)
        }
    }

    @Test("an overview reads counts, not the log")
    func cost() async throws {
        try await withAudit { audit in
            for _ in 0..<4 { try await Self.write(audit, 5_000, hours: 20) }
            try await audit.sealer.sealAll()
            try await audit.run("vacuum")
            try await audit.run("analyze")
            let plain = try await audit.pages("select count(*) from audit_events")
            let counted = try await audit.pages(
                "select action, sum(count) from counted_events(date_trunc('hour', now() - interval '1 day')) group by 1"
            )
            #expect(plain > 150)
            #expect(counted < plain / 2)
        }
    }
}

extension AuditFixture {
    /// The number of pages that a statement touches.
    func pages(_ statement: String) async throws -> Int {
        try await database.pool.withConnection { try $0.pages(statement) }
    }
}

extension Connection {
    /// The number of pages that a repeated statement touches.
    func pages(_ statement: String) throws -> Int {
        _ = try query("\(unsafeSQL: statement)")
        let rows = try query("explain (analyze, buffers, costs off, timing off, summary off) \(unsafeSQL: statement)")
        let plan: [String] = try rows.map { try $0.value(0) }
        // The first line with the word belongs to the whole statement.
        guard let line = plan.first(where: { $0.contains("Buffers: ") }) else { return 0 }
        return line.split(whereSeparator: { " =".contains($0) }).compactMap { Int($0) }.reduce(0, +)
    }
}
