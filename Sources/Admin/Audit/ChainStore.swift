import Foundation
import Postgres

/// Where the next row goes.
struct ChainHead: Equatable {
    var position: Int
    var digest: [UInt8]
    /// The greatest id that was sealed.
    var greatestID: Int
    /// The newest link's event, or now if that lies in the future; nil in an empty chain.
    var at: Date?
}

/// The statements of the sealer.
enum ChainStore {
    /// Ids that are looked through for late ones each time.
    private static let span = 5_000

    /// Whether this transaction is the one that seals.
    static func isOurs(_ connection: Connection) throws -> Bool {
        try connection.queryOne("select pg_try_advisory_xact_lock(hashtextextended('audit chain', 4))")?.value(0)
            ?? false
    }

    static func head(_ connection: Connection) throws -> ChainHead? {
        let row = try connection.queryOne(
            """
            select coalesce(c.position, k.position), coalesce(c.digest, k.digest),
                   greatest(k.event_id, (select max(event_id) from audit_chain)),
                   case when c.at is not null then least(c.at, clock_timestamp()) end
              from audit_checkpoint k
              left join (select position, digest, at from audit_chain order by position desc limit 1) c on true
            """)
        return try row.map { row in
            ChainHead(
                position: try row.value(0), digest: try row.value(1), greatestID: try row.value(2),
                at: try row.value(3))
        }
    }

    /// Rows with greater ids than every sealed one, oldest first.
    static func new(after head: ChainHead, limit: Int, _ connection: Connection) throws -> [AuditEvent] {
        try connection.query(
            """
            select \(unsafeSQL: AuditEvent.columns) from audit_events e where e.id > \(head.greatestID)
             order by e.id limit \(limit)
            """
        ).map { try AuditEvent($0) }
    }

    /// Rows whose transactions were committed after greater ids had been sealed: they stand in the holes between sealed
    /// ids, and most holes are transactions that were undone.
    ///
    /// - Parameter far: in the ids of the last hour before the head, not of the last moment only.
    static func late(
        before head: ChainHead, far: Bool, limit: Int, _ connection: Connection
    ) throws -> [AuditEvent] {
        guard let at = head.at else { return [] }
        let hour = at.addingTimeInterval(-3_600)
        var lowest = head.greatestID - span
        if far {
            let first = try connection.queryOne(
                "select id - 1 from audit_events where at >= \(hour) order by at, id limit 1")
            lowest = min(lowest, try first?.value(0) ?? lowest)
        }
        let holes = try holes(above: lowest, connection)
        guard !holes.isEmpty else { return [] }
        return try connection.query(
            """
            select \(unsafeSQL: AuditEvent.columns)
              from unnest(\(holes.map(\.lowerBound)), \(holes.map(\.upperBound))) as hole (first, last)
              cross join lateral (select * from audit_events
                                   where id between hole.first and hole.last and at >= \(far ? .distantPast : hour)
                                   order by id limit \(limit)) e
             order by e.id limit \(limit)
            """
        ).map { try AuditEvent($0) }
    }

    private static func holes(above lowest: Int, _ connection: Connection) throws -> [ClosedRange<Int>] {
        try connection.query(
            """
            select before + 1, event_id - 1
              from (select event_id, lag(event_id, 1, \(lowest)) over (order by event_id) as before
                      from audit_chain where event_id > \(lowest)) as sealed
             where event_id > before + 1
            """
        ).map { try $0.value(0, as: Int.self)...$0.value(1, as: Int.self) }
    }

    static func insert(_ links: [ChainLink], _ connection: Connection) throws {
        try connection.execute(
            """
            insert into audit_chain (position, event_id, at, key_id, row_digest, digest)
            select position, event, timestamptz 'epoch' + at * interval '1 microsecond', key, row_digest, digest
              from unnest(\(links.map(\.position)), \(links.map(\.eventID)), \(links.map(\.at.microseconds)),
                          \(links.map(\.keyID)), \(links.map(\.rowDigest)), \(links.map(\.digest)))
                   as link (position, event, at, key, row_digest, digest)
            """)
    }
}
