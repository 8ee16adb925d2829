package import Cryptography
import Foundation
package import Postgres

/// Recomputes the whole chain and compares it with the log, a page at a time, while servers go on sealing.
package struct AuditVerification: Sendable {
    private let pool: ConnectionPool
    private let chain: AuditChain

    private static let page = 1_000
    private static let timeout = Duration.seconds(300)

    package init(pool: ConnectionPool, keys: MasterKeys) {
        (self.pool, chain) = (pool, AuditChain(keys: keys))
    }

    /// - Parameters:
    ///   - expected: a head that was written down: at its position must stand its digest.
    ///   - progress: rows that were looked at, and about how many there are.
    ///   - found: what is wrong, as it is found.
    package func run(
        expecting expected: AuditHead? = nil, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
        found: (AuditFinding) -> Void
    ) async throws -> AuditVerdict {
        let begin = try await readCheckpoint()
        let last = try await AuditLog(pool: pool).headPosition()
        let total = 2 * (last - begin.head.position)
        var verdict = AuditVerdict(head: begin.head)
        func tell(_ findings: [AuditFinding]) {
            verdict.findings += findings.count
            findings.forEach(found)
        }
        if !begin.isVouchedFor { tell([.checkpoint]) }
        tell(Self.compare(expected, begin.head))

        var walk = ChainWalk(chain, from: begin.head, expected: expected)
        while case let page = try await readLinks(after: walk.head.position), !page.links.isEmpty {
            if page.checkpoint.position > walk.head.position { walk.skip(to: page.checkpoint) }
            for link in page.links where link.position > walk.head.position {
                tell(walk.step(link, rows: page.rows[link.eventID] ?? [], isPruned: link.at < page.prunedBefore))
                verdict.links += 1
            }
            progress(verdict.links, total)
        }
        tell(walk.end())
        verdict.head = walk.head

        let (waiting, inserted) = try await findUnsealed(except: walk.suspects) {
            progress(min(total, verdict.links + $0), total)
        }
        progress(total, total)
        tell(inserted)
        verdict.waiting = waiting
        return verdict
    }

    /// A head that lies at the checkpoint or before it.
    private static func compare(_ expected: AuditHead?, _ checkpoint: AuditHead) -> [AuditFinding] {
        guard let expected, expected.position <= checkpoint.position else { return [] }
        if expected.position < checkpoint.position { return [.headPruned(position: expected.position)] }
        return expected.digest == checkpoint.digest ? [] : [.anotherHead(position: expected.position)]
    }
}

// MARK: - What is read

extension AuditVerification {
    private struct LinkPage {
        var links: [ChainLink] = []
        var rows: [Int: [AuditEvent]] = [:]
        var checkpoint: AuditHead
        var prunedBefore: Date
    }

    /// The checkpoint, and whether the newest row about a pruning tells of the same one.
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

    private func readLinks(after position: Int) async throws -> LinkPage {
        let page = Int(Self.page)
        return try await pool.withConnection(timeout: Self.timeout) { connection in
            let links = try Self.links(after: position, limit: page, connection)
            let rows = try Self.rows(of: links, connection)
            // Last: what was pruned meanwhile must not count as removed.
            let row = try connection.queryOne("select position, digest, pruned_before from audit_checkpoint")
            return LinkPage(
                links: links, rows: rows,
                checkpoint: AuditHead(
                    position: try row?.value(0) ?? 0, digest: try row?.value(1) ?? AuditChain.origin),
                prunedBefore: try row?.value(2) ?? .distantPast)
        }
    }

    private static func links(after position: Int, limit: Int, _ connection: Connection) throws -> [ChainLink] {
        try connection.query(
            """
            select position, event_id, at, key_id, row_digest, digest from audit_chain
             where position > \(position) order by position limit \(limit)
            """
        ).map {
            ChainLink(
                position: try $0.value(0), eventID: try $0.value(1), at: try $0.value(2), keyID: try $0.value(3),
                rowDigest: try $0.value(4), digest: try $0.value(5))
        }
    }

    /// The events of the links' ids: in the months where they should be, and what isn't there, anywhere.
    private static func rows(of links: [ChainLink], _ connection: Connection) throws -> [Int: [AuditEvent]] {
        guard let first = links.map(\.at).min(), let last = links.map(\.at).max() else { return [:] }
        let near = try connection.query(
            """
            select \(unsafeSQL: AuditEvent.columns) from audit_events e
             where e.id = any(\(links.map(\.eventID))) and e.at between \(first) and \(last)
            """
        ).map { try AuditEvent($0) }
        var rows = Dictionary(grouping: near, by: \.id)
        let absent = links.map(\.eventID).filter { rows[$0] == nil }
        guard !absent.isEmpty else { return rows }
        let far = try connection.query(
            "select \(unsafeSQL: AuditEvent.columns) from audit_events e where e.id = any(\(absent))"
        ).map { try AuditEvent($0) }
        rows.merge(Dictionary(grouping: far, by: \.id)) { $0 + $1 }
        return rows
    }

    /// Rows without a link: those that the sealer still looks for wait, the others were put in.
    private func findUnsealed(
        except suspects: Set<Int>, progress: (Int) -> Void
    ) async throws -> (waiting: Int, inserted: [AuditFinding]) {
        let head = try await pool.withConnection { try ChainStore.head($0) }
        let hour = head?.at.map { $0.addingTimeInterval(-3_600) } ?? .distantPast
        let newest = head?.greatestID ?? 0
        var (waiting, seen): (Int, Int) = (0, 0)
        var inserted: [AuditFinding] = []
        var place = AuditCursor(at: .distantPast, id: .min)
        while case let page = try await readUnsealed(after: place), let last = page.last {
            for id in page.unsealed where !suspects.contains(id.id) {
                if id.id > newest || id.at >= hour { waiting += 1 } else { inserted.append(.inserted(id: id.id)) }
            }
            (place, seen) = (last, seen + Self.page)
            progress(seen)
        }
        return (waiting, inserted)
    }

    private func readUnsealed(after place: AuditCursor) async throws -> (unsealed: [AuditCursor], last: AuditCursor?) {
        try await pool.withConnection(timeout: Self.timeout) { connection in
            let rows = try connection.query(
                """
                select e.at, e.id, exists (select from audit_chain c where c.event_id = e.id and c.at = e.at)
                  from audit_events e where e.at >= \(place.at) and (e.at, e.id) > (\(place.at), \(place.id))
                 order by e.at, e.id limit \(Self.page)
                """)
            let places = try rows.map { AuditCursor(at: try $0.value(0), id: try $0.value(1)) }
            let unsealed = try zip(rows, places).filter { row, _ in try !row.value(2, as: Bool.self) }.map(\.1)
            return (unsealed, places.last)
        }
    }
}
