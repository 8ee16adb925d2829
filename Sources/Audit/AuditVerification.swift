package import Cryptography
import Foundation
package import Postgres

/// Recomputes the whole chain and compares it with the log, page by page, while servers continue to seal.
package struct AuditVerification: Sendable {
    private let pool: ConnectionPool
    private let chain: AuditChain

    /// The maximum number of events per page, except for a larger batch.
    private static let page = 2_000
    private static let timeout = Duration.seconds(300)

    package init(pool: ConnectionPool, keys: MasterKeys) {
        (self.pool, chain) = (pool, AuditChain(keys: keys))
    }

    /// - Parameters:
    ///   - expected: a stored head: its position must have its digest.
    ///   - progress: the number of checked events, and an estimate of their total.
    ///   - found: the violations, as they are found.
    package func run(
        expecting expected: AuditHead? = nil, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
        found: (AuditFinding) -> Void
    ) async throws -> AuditVerdict {
        let begin = try await readCheckpoint()
        let total = try await AuditLog(pool: pool).headPosition() - begin.head.position
        var verdict = AuditVerdict(head: begin.head)
        func tell(_ findings: [AuditFinding]) {
            verdict.findings += findings.count
            findings.forEach(found)
        }
        if !begin.isVouchedFor { tell([.checkpoint]) }
        tell(Self.compare(expected, begin.head))

        var walk = ChainWalk(chain, from: begin.head, expected: expected)
        while case let page = try await readPage(after: walk.head.position), !page.links.isEmpty {
            if page.checkpoint.position > walk.head.position { walk.skip(to: page.checkpoint) }
            var events = page.events.drop { $0.position <= walk.head.position }
            for link in page.links where link.position > walk.head.position {
                let own = events.prefix { $0.position <= link.position }
                events = events.dropFirst(own.count)
                tell(walk.step(link, events: Array(own), isPruned: link.lastAt < page.prunedBefore))
                verdict.events += link.eventIDs.count
            }
            progress(verdict.events, max(total, verdict.events))
        }
        tell(walk.end())
        verdict.head = walk.head
        let (waiting, outside) = try await readRest()
        tell(outside)
        verdict.waiting = waiting
        verdict.waitingSeconds = try await AuditInboxWatch.oldest(in: pool)
        return verdict
    }

    /// A head at the checkpoint or before it.
    private static func compare(_ expected: AuditHead?, _ checkpoint: AuditHead) -> [AuditFinding] {
        guard let expected, expected.position <= checkpoint.position else { return [] }
        if expected.position < checkpoint.position { return [.headPruned(position: expected.position)] }
        return expected.digest == checkpoint.digest ? [] : [.anotherHead(position: expected.position)]
    }
}

// MARK: - What is read

extension AuditVerification {
    private struct Page {
        var links: [ChainLink] = []
        /// In the order of their positions.
        var events: [SealedEvent] = []
        var checkpoint: AuditHead
        var prunedBefore: Date
    }

    /// The checkpoint, and whether it matches the newest pruning record.
    private func readCheckpoint() async throws -> (head: AuditHead, isVouchedFor: Bool) {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select k.position, k.digest,
                       case when e.id is null then k.position = 0 and k.digest = \(AuditChain.origin) and k.pruned_before = '-infinity'
                            else (e.detail->>'position')::bigint = k.position and e.detail->>'digest' = encode(k.digest, 'hex')
                                 and e.detail->>'before' = to_char(k.pruned_before, 'YYYY-MM-DD') end
                  from audit_checkpoint k
                  left join (select id, detail from audit_events where action = 'audit_pruned' and outcome = 'done'
                              order by at desc, id desc limit 1) e on true
                """)
            guard let row else { return (AuditHead(position: 0, digest: AuditChain.origin), false) }
            let head = AuditHead(position: try row.value(0), digest: try row.value(1))
            return (head, try row.value(2, as: Bool?.self) ?? false)
        }
    }

    private func readPage(after position: Int) async throws -> Page {
        let page = Int(Self.page)
        return try await pool.withConnection(timeout: Self.timeout) { connection in
            let links = try Self.links(after: position, page: page, connection)
            let events = try links.last.map { try Self.events(after: position, to: $0.position, connection) } ?? []
            // Last, so that events pruned meanwhile don't count as removed.
            let row = try connection.queryOne("select position, digest, pruned_before from audit_checkpoint")
            let checkpoint = AuditHead(position: try row?.value(0) ?? 0, digest: try row?.value(1) ?? AuditChain.origin)
            return Page(
                links: links, events: events, checkpoint: checkpoint, prunedBefore: try row?.value(2) ?? .distantPast)
        }
    }

    /// Links up to that many positions ahead; at least one, if there is one.
    private static func links(after position: Int, page: Int, _ connection: Connection) throws -> [ChainLink] {
        try connection.query(
            """
            select position, first_at, last_at, key_id, event_ids, row_digests, digest from audit_chain
             where position > \(position)
               and position <= greatest(\(position + page), (select min(position) from audit_chain where position > \(position)))
             order by position
            """
        ).map {
            let digests: [UInt8] = try $0.value(5)
            return ChainLink(
                position: try $0.value(0), firstAt: try $0.value(1), lastAt: try $0.value(2), keyID: try $0.value(3),
                eventIDs: try $0.value(4),
                rowDigests: stride(from: 0, to: digests.count, by: 32).map { Array(digests[$0..<$0 + 32]) },
                digest: try $0.value(6))
        }
    }

    private static func events(after position: Int, to last: Int, _ connection: Connection) throws -> [SealedEvent] {
        try connection.query(
            """
            select e.position, \(unsafeSQL: AuditEvent.columns) from audit_sealed e
             where e.position > \(position) and e.position <= \(last) order by e.position, e.id
            """
        ).map { SealedEvent(position: try $0.value(0), event: try AuditEvent($0, from: 1)) }
    }

    /// The number of unsealed events, and the events outside the chain: before its start or after its end.
    private func readRest() async throws -> (waiting: Int, outside: [AuditFinding]) {
        try await pool.withConnection(timeout: Self.timeout) { connection in
            let waiting = try connection.queryOne("select count(*) from audit_inbox")?.value(0, as: Int.self)
            let outside = try connection.query(
                """
                select e.id from audit_checkpoint k cross join lateral (
                    select id from audit_sealed where position <= k.position
                    union all
                    select id from audit_sealed where position > (select coalesce(max(position), k.position) from audit_chain)) e
                 order by e.id
                """)
            return (waiting ?? 0, try outside.map { .inserted(id: try $0.value(0)) })
        }
    }
}
