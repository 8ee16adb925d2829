package import Audit
import Foundation
import JSON
package import Postgres

/// Queues audit events for subscribed endpoints, in the transaction that seals their rows: no event is lost or
/// invented, and no request waits.
package struct EventFeed: AuditFollower {
    package init() {}

    package func follow(_ events: [SealedEvent], on connection: Connection) throws {
        let isWanted = try connection.queryOne("select exists (select from event_endpoints where disabled_at is null)")
        guard try isWanted?.value(0) ?? false else { return }
        let outgoing = events.flatMap { Self.outgoing($0.event) }
        guard !outgoing.isEmpty else { return }
        _ = try connection.queryOne(
            "select queue_events(\(JSONText(JSON.array(outgoing).text)), \(EventDeliveryStore.lifeSeconds))")
    }

    /// In the format of `events/queue_events.sql`.
    static func outgoing(_ event: AuditEvent) -> [JSON] {
        let data = JSON.object(data(of: event))
        return EventType.types(of: event).map { type in
            [
                "event_id": .integer(event.id), "type": .string(type.rawValue), "at": .integer(event.at.microseconds),
                "account_id": event.accountID.map { .string($0.text) } ?? .null,
                "client_id": event.clientID.map(JSON.string) ?? .null, "data": data,
            ]
        }
    }

    // MARK: Events

    /// Only ids and codes: receivers request names and addresses through the API, if they still exist.
    private static func data(of event: AuditEvent) -> JSONObject {
        var data: JSONObject = [:]
        data["account_id"] = event.accountID.map { .string($0.text) }
        data["identity_id"] = event.identityID.map { .string($0.text) }
        // That row names the asking or reported session, but all sessions ended.
        let endsAll =
            event.action == "session_ended" && ["signed_out_everywhere", "disowned"].contains(event.reason)
        if !endsAll { data["session_id"] = event.sessionID.map { .string($0.text) } }
        data["client_id"] = event.clientID.flatMap(code)
        data["provider"] = event.provider.flatMap(code)
        data["reason"] = event.reason.flatMap(code)
        if event.action.hasPrefix("provider_") { data["event"] = code(String(event.action.dropFirst(9))) }
        guard let detail = event.detail.flatMap({ try? JSON(parsing: $0) }) else { return data }
        for (name, told) in details {
            // Two names may map to one.
            if let value = detail[name].flatMap(idOrCount) { data[told] = value }
        }
        return data
    }

    /// The published members of a row's detail, and their names.
    private static let details = [
        ("absorbed", "absorbed_account_id"), ("new", "new_account_id"), ("split_from", "split_from_account_id"),
        ("from", "from_account_id"), ("moved_to", "to_account_id"), ("change", "change_id"), ("factor", "factor_id"),
        ("count", "sessions"), ("sessions", "sessions"), ("days", "days"),
    ]

    private static func idOrCount(_ value: JSON) -> JSON? {
        if let count = value.integer { return .integer(count) }
        return value.string.flatMap { UUID(uuidString: $0) }.map { .string($0.text) }
    }

    /// Nil for anything except letters, digits, `_`, `-`, `.`, such as an address.
    private static func code(_ text: String) -> JSON? {
        let isCode =
            text.utf8.count <= 100
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        return isCode ? .string(text) : nil
    }
}
