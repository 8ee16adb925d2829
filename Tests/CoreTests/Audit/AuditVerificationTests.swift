import Cryptography
import Foundation
import Postgres
import Testing

@testable import Audit

@Suite("Verifying the audit log", .serialized)
struct AuditVerificationTests {
    /// A log of eight rows of yesterday in two links, and three of today in a third; ids and positions are 1-based.
    private static func filled(_ audit: AuditFixture) async throws {
        for first in [1, 5] {
            try await audit.run(
                """
                insert into audit_inbox (action, outcome, request_id, at)
                select 'old', 'done', 'r' || n, date_trunc('day', now(), 'UTC') - interval '12 hours' + n * interval '1 second'
                  from generate_series(\(first), \(first + 3)) n
                """)
            try await audit.sealer.sealAll()
        }
        try await audit.append(3)
        try await audit.sealer.sealAll()
    }

    @Test("an honest log has no findings, and a stable head")
    func honest() async throws {
        try await withAudit { audit in
            let (empty, nothing) = try await audit.verify()
            #expect(nothing == [] && empty.events == 0 && empty.head.position == 0)
            try await Self.filled(audit)
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [])
            #expect(verdict.events == 11 && verdict.waiting == 0 && verdict.head.position == 11)
            try await audit.append(2)
            let (later, none) = try await audit.verify(expecting: verdict.head)
            #expect(none == [] && later.waiting == 2 && later.head == verdict.head)
        }
    }

    private static let tamperings: [(String, [AuditFinding])] = [
        ("update audit_sealed set action = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set outcome = 'refused' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set reason = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set account_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set identity_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set session_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set client_id = '' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set provider = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set address = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set request_id = null where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set detail = '{}' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set actor_id = gen_random_uuid() where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set words = 'x' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set at = at + interval '1 microsecond' where id = 4", [.changed(id: 4, position: 4)]),
        ("update audit_sealed set at = '2031-01-01' where id = 4", [.changed(id: 4, position: 4)]),
        // With a changed id, one row is missing and another one is inserted.
        (
            "update audit_sealed set id = -4 where id = 4",
            [.removed(id: 4, position: 4), .inserted(id: -4)]
        ),
        ("delete from audit_sealed where id = 4", [.removed(id: 4, position: 4)]),
        (
            "delete from audit_sealed where id in (1, 11)",
            [.removed(id: 1, position: 1), .removed(id: 11, position: 11)]
        ),
        // Inserted at a used position, before the chain, and after it.
        (put(-4, at: 4), [.inserted(id: -4)]), (put(-4, at: 0), [.inserted(id: -4)]),
        (put(4, at: 99), [.inserted(id: 4)]),
        (
            "update audit_sealed set position = position + 4 where id = 4",
            [.removed(id: 4, position: 4), .inserted(id: 4)]
        ),
        // A link, with and without its events.
        (
            "delete from audit_sealed where position between 5 and 8; delete from audit_chain where position = 8",
            [.missing(positions: 5...8)]
        ),
        (
            """
            delete from audit_sealed where position between 5 and 8; delete from audit_chain where position = 8;
            update audit_sealed set position = position - 4 where position > 8; update audit_chain set position = 7 where position = 11
            """, [.displaced(positions: 5...7)]
        ),
        (
            "delete from audit_chain where position = 8",
            [.missing(positions: 5...8)] + (5...8).map { .inserted(id: $0) }
        ),
        // Two links exchanged with their events.
        (
            """
            update audit_chain set position = 100 where position = 4; update audit_chain set position = 4 where position = 8;
            update audit_chain set position = 8 where position = 100;
            update audit_sealed set position = case when position <= 4 then position + 4 else position - 4 end where position <= 8
            """, [.displaced(positions: 1...4), .displaced(positions: 5...8), .displaced(positions: 9...11)]
        ),
        // Digests inserted without the key.
        (
            """
            update audit_sealed set action = 'x' where id = 4;
            update audit_chain set row_digests = overlay(row_digests placing sha256('x') from 97) where position = 4
            """, [.displaced(positions: 1...4), .changed(id: 4, position: 4)]
        ),
        (
            "update audit_chain set digest = sha256('x') where position = 4",
            [.displaced(positions: 1...4), .displaced(positions: 5...8)]
        ),
        // A removal disguised as a pruned month.
        (
            "update audit_chain set last_at = '2001-01-01' where position = 4; delete from audit_sealed where id = 4",
            [.displaced(positions: 1...4), .removed(id: 4, position: 4)]
        ),
        // The beginning removed like by a prune.
        (
            """
            update audit_checkpoint set position = 4, digest = (select digest from audit_chain where position = 4), pruned_before = now();
            delete from audit_chain where position <= 4; delete from audit_sealed where id <= 4
            """, [.checkpoint]
        ),
        ("update audit_chain set key_id = 'k9'", [.unknownKey(id: "k9")]),
    ]

    private static func put(_ id: Int, at position: Int) -> String {
        """
        insert into audit_sealed (position, id, at, action, outcome) values (\(position), \(id), now() - interval '20 hours', 'x', 'done')
        """
    }

    @Test("an event that the database owner backdated before sealed rows is found")
    func backdated() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            try await audit.run(
                """
                insert into audit_inbox (action, outcome, at) values ('x', 'done', now() - interval '61 minutes'),
                    ('x', 'done', now() - interval '59 minutes')
                """)
            try await audit.sealer.sealAll()
            #expect(try await audit.verify().1 == [.backdated(id: 12, position: 12)])
        }
    }

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

    @Test("a removed end and a rebuilt chain are found by a stored head")
    func head() async throws {
        try await withAudit { audit in
            try await Self.filled(audit)
            let (verdict, _) = try await audit.verify()
            try await audit.tamper(
                "delete from audit_chain where position > 8; delete from audit_sealed where position > 8")
            let (_, unseen) = try await audit.verify()
            #expect(unseen == [])
            let (_, cut) = try await audit.verify(expecting: verdict.head)
            #expect(cut == [.cutOff(position: 11)])
            try await audit.append(5)
            try await audit.sealer.sealAll()
            let (_, rebuilt) = try await audit.verify(expecting: verdict.head)
            #expect(rebuilt == [.anotherHead(position: 11)])
        }
    }

    @Test("links with an older master key verify while it is listed, and new ones use the newest")
    func rotation() async throws {
        try await withAudit { audit in
            try await audit.append(2)
            try await audit.sealer.sealAll()
            let both = "k2:" + Base64URL.encode([UInt8](repeating: 2, count: 32)) + "," + AuditFixture.masterKeys
            let rotated = try AuditFixture(audit.database, keys: both)
            try await rotated.append(2)
            try await rotated.sealer.sealAll()
            let (verdict, findings) = try await rotated.verify()
            #expect(findings == [] && verdict.events == 4)
            #expect(try await audit.number("select count(*) from audit_chain where key_id = 'k2'") == 1)
            let (_, without) = try await audit.verify()
            #expect(without == [.unknownKey(id: "k2")])
        }
    }

    @Test("the check covers several pages and batches")
    func pages() async throws {
        try await withAudit { audit in
            try await audit.append(3_500)
            try await audit.sealer.sealAll()
            try await audit.tamper("update audit_sealed set action = 'x' where id in (1, 1000, 1001, 3500)")
            let (verdict, findings) = try await audit.verify()
            #expect(findings == [1, 1_000, 1_001, 3_500].map { .changed(id: $0, position: $0) })
            #expect(verdict.events == 3_500)
        }
    }
}
