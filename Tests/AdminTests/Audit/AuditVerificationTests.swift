import Cryptography
import Foundation
import Postgres
import Testing

@testable import Admin

@Suite("Verifying the audit log", .serialized)
struct AuditVerificationTests {
    /// A log of ten rows with ids and positions from 1, sealed, with later rows so that time has gone on.
    private static func filled(_ audit: AuditFixture) async throws {
        try await audit.run(
            """
            insert into audit_events (action, outcome, request_id, at)
            select 'old', 'done', 'r' || n, now() - interval '1 day' + n * interval '1 second' from generate_series(1, 10) n
            """)
        try await audit.sealer.sealAll(far: true)
        try await audit.append(3)
        try await audit.sealer.sealAll(far: true)
    }

    @Test("an honest log has no finding, and its head is the same each time")
    func honest() async throws {
        try await withAudit { audit in
            let (empty, nothing) = try await audit.verify()
            #expect(nothing == [] && empty.links == 0 && empty.head.position == 0)
            try await Self.filled(audit)
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [])
            #expect(verdict.links == 13 && verdict.waiting == 0 && verdict.head.position == 13)
            try await audit.append(2)
            let (later, none) = try await audit.verify(expecting: verdict.head)
            #expect(none == [] && later.waiting == 2 && later.head == verdict.head)
        }
    }

    private static let tamperings: [(String, [AuditFinding])] = [
        ("update audit_events set action = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set outcome = 'refused' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set reason = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set account_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set identity_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set session_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set client_id = '' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set provider = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set address = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set request_id = null where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set detail = '{}' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set actor_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set words = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set at = at + interval '1 microsecond' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_events set at = '2031-01-01' where id = 4", [.changed(id: 4, position: 4)]),
        // Under another id it is gone, and something else is there.
        (
            "update audit_events set id = -4 where id = 4",
            [.removed(id: 4, position: 4), .inserted(id: -4)]
        ),
        ("delete from audit_events where id = 4", [.removed(id: 4, position: 4)]),
        (
            "delete from audit_events where id in (1, 13)",
            [.removed(id: 1, position: 1), .removed(id: 13, position: 13)]
        ),
        (
            "insert into audit_events (id, at, action, outcome) values (-4, now() - interval '20 hours', 'x', 'done')",
            [.inserted(id: -4)]
        ),
        // The row and its link: the place in the chain is empty, and what follows doesn't fit.
        (
            "delete from audit_events where id = 4; delete from audit_chain where event_id = 4",
            [.missing(positions: 4...4)]
        ),
        (
            """
            delete from audit_events where id = 4; delete from audit_chain where event_id = 4;
            update audit_chain set position = -position; update audit_chain set position = -position - (case when -position > 4 then 1 else 0 end)
            """, (4...12).map { .displaced(id: $0 + 1, position: $0) }
        ),
        ("delete from audit_chain where position = 4", [.missing(positions: 4...4), .inserted(id: 4)]),
        // Two rows exchanged.
        (
            """
            update audit_chain set position = 100 where position = 4; update audit_chain set position = 4 where position = 5;
            update audit_chain set position = 5 where position = 100
            """,
            [.displaced(id: 5, position: 4), .displaced(id: 4, position: 5), .displaced(id: 6, position: 6)]
        ),
        // A digest put in by somebody who has no key.
        (
            "update audit_events set action = 'x' where id = 4; update audit_chain set row_digest = sha256('x') where event_id = 4",
            [.displaced(id: 4, position: 4), .changed(id: 4, position: 4)]
        ),
        (
            "update audit_chain set digest = sha256('x') where event_id = 4",
            [.displaced(id: 4, position: 4), .displaced(id: 5, position: 5)]
        ),
        (
            "update audit_chain set at = '2001-01-01' where event_id = 4; delete from audit_events where id = 4",
            [.displaced(id: 4, position: 4), .removed(id: 4, position: 4)]
        ),
        // The beginning cut off as pruning does it.
        (
            """
            update audit_checkpoint set position = 4, event_id = 4, digest = (select digest from audit_chain where position = 4), pruned_before = now();
            delete from audit_chain where position <= 4; delete from audit_events where id <= 4
            """, [.checkpoint]
        ),
        ("update audit_chain set key_id = 'k9'", [.unknownKey(id: "k9")]),
    ]

    @Test("each kind of tampering is found, and its row is named", arguments: tamperings)
    func tampering(script: String, expected: [AuditFinding]) async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            try await audit.tamper(script)
            let (verdict, findings) = try await audit.verify()
            #expect(findings == expected, "\(script)")
            #expect(verdict.findings == findings.count)
        }
    }

    @Test("an end that was cut off, and a chain that was built anew, are found by a head that was written down")
    func head() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            let (verdict, _) = try await audit.verify()
            try await audit.tamper(
                "delete from audit_chain where position > 11; delete from audit_events where id > 11")
            let (_, unseen) = try await audit.verify()
            #expect(unseen == [])
            let (_, cut) = try await audit.verify(expecting: verdict.head)
            #expect(cut == [.cutOff(position: 13)])
            try await audit.append(5)
            try await audit.sealer.sealAll(far: true)
            let (_, rebuilt) = try await audit.verify(expecting: verdict.head)
            #expect(rebuilt == [.anotherHead(position: 13)])
        }
    }

    @Test("links under an older master key hold while it is listed, and new ones are made under the newest")
    func rotation() async throws {
        try await withAudit { audit in
            try await audit.append(2)
            try await audit.sealer.sealAll(far: true)
            let both = "k2:" + Base64URL.encode([UInt8](repeating: 2, count: 32)) + "," + AuditFixture.masterKeys
            let rotated = try AuditFixture(audit.database, keys: both)
            try await rotated.append(2)
            try await rotated.sealer.sealAll(far: true)
            let (verdict, findings) = try await rotated.verify()
            #expect(findings == [] && verdict.links == 4)
            #expect(try await audit.number("select count(*) from audit_chain where key_id = 'k2'") == 2)
            let (_, without) = try await audit.verify()
            #expect(without == [.unknownKey(id: "k2")])
        }
    }

    @Test("more rows than one page holds, and more than one batch seals")
    func pages() async throws {
        try await withAudit { audit in
            try await audit.append(3_500)
            try await audit.sealer.sealAll(far: true)
            try await audit.tamper("update audit_events set action = 'x' where id in (1, 1000, 1001, 3500)")
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [1, 1_000, 1_001, 3_500].map { .changed(id: $0, position: $0) })
            #expect(verdict.links == 3_500)
        }
    }
}
