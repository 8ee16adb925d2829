import Foundation
import Postgres

/// Where the next link goes.
struct ChainHead: Equatable {
    /// The position of the last event that was sealed.
    var position: Int
    var digest: [UInt8]
}

/// An event that waits in the inbox, and its place there.
struct WaitingEvent {
    /// A `ctid`: good within the transaction that read it.
    let place: String
    let event: AuditEvent
}

/// The statements of the sealer.
enum ChainStore {
    /// Whether this transaction is the one that seals.
    static func isOurs(_ connection: Connection) throws -> Bool {
        try connection.queryOne("select pg_try_advisory_xact_lock(hashtextextended('audit chain', 4))")?.value(0)
            ?? false
    }

    static func head(_ connection: Connection) throws -> ChainHead? {
        let row = try connection.queryOne(
            """
            select coalesce(c.position, k.position), coalesce(c.digest, k.digest)
              from audit_checkpoint k
              left join (select position, digest from audit_chain order by position desc limit 1) c on true
            """)
        return try row.map { ChainHead(position: try $0.value(0), digest: try $0.value(1)) }
    }

    /// Events that are committed and not sealed, by their ids.
    static func waiting(limit: Int, _ connection: Connection) throws -> [WaitingEvent] {
        try connection.query(
            "select e.ctid::text, \(unsafeSQL: AuditEvent.columns) from audit_inbox e order by e.id limit \(limit)"
        ).map { WaitingEvent(place: try $0.value(0), event: try AuditEvent($0, from: 1)) }
    }

    /// Moves the events of a link out of the inbox, and appends the link.
    static func seal(_ link: ChainLink, of events: [WaitingEvent], _ connection: Connection) throws {
        _ = try connection.queryOne(
            """
            select seal_audit(\(link.position), \(link.keyID), \(events.map(\.place))::text[]::tid[], \(link.eventIDs),
                              \(link.rowDigests.flatMap(\.self)), \(link.digest))
            """)
    }
}
