import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Audit
@testable import Postgres

@Suite("The audit sealer", .serialized)
struct AuditSealerTests {
    private static let insert = "insert into audit_inbox (action, outcome) values ('x', 'done')"

    /// The ids in the order of their positions, and whether the positions have no gap.
    private static func order(_ audit: AuditFixture) async throws -> (ids: [Int], isWhole: Bool) {
        let links = try await audit.pool.withConnection { connection in
            try connection.query("select position, id from audit_sealed order by position").map {
                (try $0.value(0, as: Int.self), try $0.value(1, as: Int.self))
            }
        }
        return (links.map(\.1), links.map(\.0) == Array(1...max(1, links.count)).prefix(links.count).map(\.self))
    }

    @Test("a row committed late gets a later position, and a rolled-back one gets none")
    func late() async throws {
        try await withAudit { audit in
            let (slow, undone) = (
                try Connection(audit.database.configuration()), try Connection(audit.database.configuration())
            )
            for connection in [slow, undone] { try connection.executeScript("begin; \(Self.insert)") }
            try await audit.append(2)
            try await audit.sealer.sealAll()
            #expect(try await Self.order(audit).ids == [3, 4])
            try slow.executeScript("commit")
            try undone.executeScript("rollback")
            try await audit.sealer.sealAll()
            #expect(try await Self.order(audit) == ([3, 4, 1], true))
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [] && verdict.waiting == 0)
        }
    }

    @Test("a row that is committed thousands of rows late is sealed like any other")
    func veryLate() async throws {
        try await withAudit { audit in
            let slow = try Connection(audit.database.configuration())
            try slow.executeScript("begin; \(Self.insert)")
            try await audit.append(6_000)
            try await audit.sealer.sealAll()
            try slow.executeScript("commit")
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [] && verdict.waiting == 1)
            try await audit.sealer.sealAll()
            #expect(try await Self.order(audit).ids.last == 1)
            #expect(try await audit.number("select count(*) from audit_inbox") == 0)
        }
    }

    @Test("two sealers with writers that commit, roll back and overtake each other miss nothing and leave no gap")
    func concurrent() async throws {
        try await withAudit { audit in
            let writing = Writing()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        while writing.goesOn.withLock({ $0 }) { try await audit.sealer.sealAll() }
                    }
                }
                try await withThrowingTaskGroup(of: Void.self) { writers in
                    for writer in 0..<4 { writers.addTask { try await Self.write(writer, audit.database) } }
                    try await writers.waitForAll()
                }
                writing.goesOn.withLock { $0 = false }
                try await group.waitForAll()
            }
            try await audit.sealer.sealAll()
            let rows = try await audit.number("select count(*) from audit_events")
            let (ids, isWhole) = try await Self.order(audit)
            // Each writer rolls back every third of its 60 transactions.
            #expect(rows == 4 * 40 * 2)
            #expect(isWhole && ids.count == rows && Set(ids).count == rows)
            #expect(ids != ids.sorted(), "nothing overtook anything")
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [] && verdict.events == rows && verdict.waiting == 0)
        }
    }

    private final class Writing: Sendable {
        let goesOn = Mutex(true)
    }

    /// Transactions of two rows, held open for a while in between.
    private static func write(_ writer: Int, _ database: TestDatabase) async throws {
        try await SingleConnection.run(database.configuration()) { connection in
            for round in 0..<60 {
                try connection.executeScript("begin; \(insert)")
                try connection.executeScript("select pg_sleep(\(Double((round * 7 + writer * 3) % 5) / 500))")
                try connection.executeScript(round % 3 == 2 ? "\(insert); rollback" : "\(insert); commit")
            }
        }
    }

    private struct Refusing: AuditFollower {
        struct NotNow: Error {}

        func follow(_ events: [SealedEvent], on connection: Connection) throws {
            throw NotNow()
        }
    }

    private final class Remembering: AuditFollower {
        let seen = Mutex<[SealedEvent]>([])

        func follow(_ events: [SealedEvent], on connection: Connection) throws {
            seen.withLock { $0 += events }
            try connection.execute("insert into audit_inbox (action, outcome) values ('followed', 'done')")
        }
    }

    @Test("a follower gets each row once, in the chain's order, and its writes share the batch's transaction")
    func followers() async throws {
        try await withAudit { audit in
            try await audit.append(3)
            let remembering = Remembering()
            let failing = AuditSealer(
                pool: audit.pool, keys: audit.keys, followers: [Remembering(), Refusing()], logger: .silent)
            await #expect(throws: Refusing.NotNow.self) { try await failing.sealAll() }
            #expect(try await audit.number("select count(*) from audit_events") == 3)
            #expect(try await audit.number("select count(*) from audit_chain") == 0)
            let following = AuditSealer(
                pool: audit.pool, keys: audit.keys, followers: [remembering], logger: .silent)
            try await following.sealAll()
            let seen = remembering.seen.withLock { $0 }
            #expect(seen.map(\.position) == [1, 2, 3] && seen.map(\.event.id) == [1, 2, 3])
            #expect(seen[0].event.action == "signed_in" && seen[0].event.detail == "{\"n\": 1}")
            #expect(try await audit.number("select count(*) from audit_events where action = 'followed'") == 1)
        }
    }

    @Test("while one transaction seals, another server does nothing")
    func oneAtATime() async throws {
        try await withAudit { audit in
            try await audit.append(1)
            let other = try Connection(audit.database.configuration())
            try other.executeScript("begin; select pg_advisory_xact_lock(hashtextextended('audit chain', 4))")
            try await audit.sealer.sealAll()
            #expect(try await audit.number("select count(*) from audit_chain") == 0)
            try other.executeScript("rollback")
            try await audit.sealer.sealAll()
            #expect(try await audit.number("select count(*) from audit_chain") == 1)
        }
    }

    @Test("a batch is one link, of one month, and its events are in the order of their ids")
    func batches() async throws {
        try await withAudit { audit in
            try await audit.run(
                """
                insert into audit_inbox (at, action, outcome)
                select '2031-01-31 23:59:57+00'::timestamptz + n * interval '1 second', 'x', 'done' from generate_series(1, 5) n
                """)
            try await audit.sealer.sealAll()
            let links = try await audit.pool.withConnection { connection in
                try connection.query("select event_ids from audit_chain order by position").map {
                    try $0.value(0, as: [Int].self)
                }
            }
            #expect(links == [[1, 2], [3, 4, 5]])
            #expect(try await audit.verify().1 == [])
        }
    }

    @Test("a request writes neither an index entry for its event nor a second row")
    func requestCost() async throws {
        try await withAudit { audit in
            #expect(
                try await audit.number("select count(*) from pg_index where indrelid = 'audit_inbox'::regclass") == 0)
            let row = try await audit.number(
                """
                select count(*) from pg_trigger where tgrelid = 'audit_inbox'::regclass and tgtype & 4 <> 0
                """)
            #expect(row == 0, "a trigger runs with each event")
        }
    }

    @Test(
        "3-B2: seal_audit moves the given rows, each by its id, or nothing",
        arguments: [
            // A row more than ids, as a thief would remove an event.
            ("{(0\\,1),(0\\,2)}", "{2}"), ("{(0\\,1),(0\\,1)}", "{1,1}"), ("{(0\\,1),(0\\,2)}", "{1,1}"),
            ("{(0\\,1),(0\\,1)}", "{1,2}"), ("{(0\\,1),NULL}", "{1,2}"), ("{(0\\,1),(0\\,2)}", "{1,NULL}"),
            ("{(0\\,1),(0\\,2)}", nil), (nil, "{1,2}"), ("{(0\\,1)}", "{1,2}"), ("{}", "{}"),
        ] as [(String?, String?)])
    func exactly(rows: String?, ids: String?) async throws {
        try await withAudit { audit in
            try await audit.append(3)
            let count = max(ids.map { $0.split(separator: ",").count } ?? 0, 1)
            let (digests, digest) = ([UInt8](repeating: 1, count: 32 * count), [UInt8](repeating: 1, count: 32))
            await #expect(throws: PostgresError.self) {
                try await audit.pool.withConnection { connection in
                    _ = try connection.queryOne(
                        """
                        select seal_audit(\(count), 'k1', \(rows)::text::tid[], \(ids)::text::bigint[], \(digests), \(digest))
                        """)
                }
            }
            #expect(try await audit.number("select count(*) from audit_inbox") == 3)
            #expect(try await audit.number("select count(*) from audit_sealed") == 0)
        }
    }

    @Test("a link out of order, or with events outside the inbox, moves nothing")
    func refusedLinks() async throws {
        try await withAudit { audit in
            try await audit.append(3)
            let digest = "sha256('x')"
            for call in [
                "seal_audit(2, 'k1', array['(0,1)']::tid[], '{1}', \(digest), \(digest))",
                "seal_audit(2, 'k1', array['(0,1)','(0,9)']::tid[], '{1,9}', \(digest) || \(digest), \(digest))",
                "seal_audit(1, 'k1', array['(0,1)']::tid[], '{2}', \(digest), \(digest))",
                "seal_audit(1, 'k1', array['(0,1)']::tid[], '{1}', '', \(digest))",
            ] {
                await #expect(throws: PostgresError.self, "\(call)") { try await audit.run("select \(call)") }
            }
            #expect(try await audit.number("select count(*) from audit_inbox") == 3)
            #expect(try await audit.number("select count(*) from audit_sealed") == 0)
        }
    }
}
