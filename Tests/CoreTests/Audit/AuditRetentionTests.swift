import Foundation
import Testing

@testable import Audit
@testable import Postgres

@Suite("The audit log's months", .serialized)
struct AuditRetentionTests {
    /// Eight months in their own partitions, with a row a day each, sealed.
    private static func filled(_ audit: AuditFixture) async throws {
        try await audit.run(
            """
            do $$
            declare
                month timestamptz := date_trunc('month', now(), 'UTC');
                old text;
            begin
                for old in select inhrelid::regclass::text from pg_inherits
                            where inhparent = 'audit_sealed'::regclass and inhrelid <> 'audit_sealed_default'::regclass
                loop
                    execute format('drop table %s', old);
                end loop;
                for ago in -2..8 loop perform make_audit_partition(month - make_interval(months => ago)); end loop;
                for ago in reverse 8..1 loop
                    insert into audit_inbox (at, action, outcome)
                    select month - make_interval(months => ago) + make_interval(days => n), 'x', 'done' from generate_series(1, 27) n;
                end loop;
            end $$
            """)
        try await audit.sealer.sealAll()
    }

    private static func months(_ audit: AuditFixture) async throws -> Int {
        try await audit.number(
            "select count(*) from pg_inherits where inhparent = 'audit_sealed'::regclass and inhrelid::regclass::text <> 'audit_sealed_default'"
        )
    }

    @Test("pruning drops whole months with their links, and the rest still verifies")
    func prune() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            let (before, _) = try await audit.verify()
            let dropped = try await audit.retention.prune(keepMonths: 5, requestID: "test")
            #expect(dropped.count == 3)
            #expect(try await audit.number("select count(*) from audit_events") == 5 * 27 + 1)
            #expect(try await audit.number("select sum(cardinality(event_ids))::bigint from audit_chain") == 5 * 27)
            let pruned = try await audit.number(
                "select count(*) from audit_events where action = 'audit_pruned' and request_id = 'test' and detail->>'position' = '81'"
            )
            #expect(pruned == 1)
            try await audit.sealer.sealAll()
            let (after, findings) = try await audit.verify(expecting: before.head)
            #expect(findings == [] && after.events == 5 * 27 + 1)
            #expect(try await audit.retention.prune(keepMonths: 5, requestID: "test") == [])
            #expect(try await audit.number("select count(*) from audit_events") == 5 * 27 + 1)

            _ = try await audit.retention.prune(keepMonths: 3, requestID: "test")
            try await audit.sealer.sealAll()
            let (_, none) = try await audit.verify(expecting: before.head)
            #expect(none == [])
            let early = AuditHead(position: 100, digest: AuditChain.origin)
            let (_, useless) = try await audit.verify(expecting: early)
            #expect(useless == [.headPruned(position: 100)])
        }
    }

    @Test("rows of a dropped month sealed among rows of a kept one leave a valid chain")
    func interleaved() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            // A late row of five months ago, sealed last.
            try await audit.run(
                """
                insert into audit_inbox (at, action, outcome) values (now() - interval '1 hour', 'x', 'done'),
                    (date_trunc('month', now(), 'UTC') - interval '5 months' + interval '1 day', 'x', 'done'), (now(), 'x', 'done')
                """)
            try await audit.sealer.sealAll()
            _ = try await audit.retention.prune(keepMonths: 3, requestID: "test")
            try await audit.sealer.sealAll()
            let (verdict, findings) = try await audit.verify()
            // Three months, today's two rows, the link without a row, and the row about the pruning.
            #expect(findings == [] && verdict.events == 3 * 27 + 4)
            // The remaining link cannot get another time to hide a removal.
            try await audit.tamper(
                """
                delete from audit_sealed where id = 8 * 27;
                update audit_chain set first_at = '2001-01-01', last_at = '2001-01-01' where position = 8 * 27
                """)
            let (_, found) = try await audit.verify()
            #expect(found.contains(.displaced(positions: 7 * 27 + 1...8 * 27)))
        }
    }

    @Test("at least three months are kept", arguments: [2, 1, 0, -1])
    func tooFew(months: Int) async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            let before = try await Self.months(audit)
            await #expect(throws: PostgresError.self) {
                try await audit.retention.prune(keepMonths: months, requestID: "test")
            }
            #expect(try await Self.months(audit) == before)
        }
    }

    @Test("of two concurrent prunes, one does the work, and both succeed")
    func pruneAtOnce() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            async let left = audit.retention.prune(keepMonths: 3, requestID: "a")
            async let right = audit.retention.prune(keepMonths: 3, requestID: "b")
            let dropped = try await [left, right].map(\.count).sorted()
            #expect(dropped == [0, 5])
            #expect(try await audit.number("select count(*) from audit_events where action = 'audit_pruned'") == 1)
        }
    }

    @Test("a completely pruned chain continues at its position")
    func prunedWhole() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            try await audit.tamper(
                "delete from audit_chain where position > 27; delete from audit_sealed where position > 27")
            _ = try await audit.retention.prune(keepMonths: 3, requestID: "test")
            #expect(try await audit.number("select count(*) from audit_chain") == 0)
            try await audit.append(2)
            try await audit.sealer.sealAll()
            #expect(try await audit.number("select min(position) from audit_sealed") == 28)
            #expect(try await audit.verify().1 == [])
        }
    }

    @Test("months are created ahead, once, by any number of servers")
    func partitions() async throws {
        try await withAudit { audit in
            #expect(try await audit.number("select make_audit_partitions_from('2035-12-31 23:59:59.999999+00')") == 3)
            #expect(try await audit.number("select make_audit_partitions_from('2035-12-31 23:59:59.999999+00')") == 0)
            #expect(try await audit.number("select make_audit_partitions_from('2036-01-01 00:00:00+00')") == 1)
            async let left = audit.number("select make_audit_partitions_from('2041-06-15')")
            async let right = audit.number("select make_audit_partitions_from('2041-06-15')")
            #expect(try await left + right == 3)
            try await audit.run(
                """
                insert into audit_inbox (at, action, outcome) values ('2035-12-31 23:59:59.999999+00', 'x', 'done'), ('2036-01-01 00:00:00+00', 'x', 'done')
                """)
            try await audit.sealer.sealAll()
            #expect(try await audit.number("select count(*) from audit_sealed_2035_12") == 1)
            #expect(try await audit.number("select count(*) from audit_sealed_2036_01") == 1)
            #expect(try await audit.retention.makePartitions() <= 3)
            #expect(try await audit.retention.makePartitions() == 0)
        }
    }

    @Test("rows without a partition are kept, and moved when it is created")
    func defaultPartition() async throws {
        try await withAudit { audit in
            try await audit.run(
                """
                insert into audit_inbox (at, action, outcome) values ('2035-05-05', 'x', 'done'), ('2035-09-09', 'x', 'done')
                """)
            try await audit.sealer.sealAll()
            #expect(try await audit.number("select count(*) from audit_sealed_default") == 2)
            _ = try await audit.number("select make_audit_partitions_from('2035-05-01')")
            #expect(try await audit.number("select count(*) from audit_sealed_2035_05") == 1)
            #expect(try await audit.number("select count(*) from audit_sealed_default") == 1)
            #expect(try await audit.verify().1 == [])
        }
    }

    @Test(
        "nothing is changed, removed or emptied, whichever table is named",
        arguments: ["audit_inbox", "audit_sealed", "audit_sealed_default", "audit_sealed_2037_01", "audit_chain"])
    func appendOnly(table: String) async throws {
        try await withAudit { audit in
            _ = try await audit.number("select make_audit_partitions_from('2037-01-01')")
            let column = table == "audit_chain" ? "key_id" : "action"
            for statement in ["update \(table) set \(column) = 'x'", "delete from \(table)", "truncate \(table)"] {
                await #expect(throws: PostgresError.self, "\(statement)") { try await audit.run(statement) }
            }
        }
    }
}
