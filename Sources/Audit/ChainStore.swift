import Foundation
import Postgres

/// The position of the next link.
struct ChainHead: Equatable {
    /// The position of the last sealed event.
    var position: Int
    var digest: [UInt8]
}

/// An event in the inbox, with its position there.
struct WaitingEvent {
    /// A `ctid`: valid within the transaction that read it.
    let place: String
    let event: AuditEvent
}

/// The statements of the sealer.
enum ChainStore {
    /// Whether this transaction holds the sealing lock.
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

    /// The start of the inbox.
    static let firstPlace = "(0,0)"

    /// Committed unsealed events by id, after a position in the inbox, so that no batch rereads the rows of earlier
    /// ones.
    ///
    /// - Returns: also the position of the furthest one; nil without events.
    static func waiting(
        after place: String, limit: Int, _ connection: Connection
    ) throws -> (events: [WaitingEvent], last: String?) {
        let rows = try connection.query(
            """
            select (max(e.place) over ())::text, e.place::text, \(unsafeSQL: AuditEvent.columns)
              from (select i.ctid as place, i.* from audit_inbox i where i.ctid > \(place)::text::tid limit \(limit)) e order by e.id
            """)
        let events = try rows.map { WaitingEvent(place: try $0.value(1), event: try AuditEvent($0, from: 2)) }
        return (events, try rows.first?.value(0))
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
