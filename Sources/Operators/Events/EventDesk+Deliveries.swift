import Cryptography
package import Foundation
package import JSON
package import OperatorAccess
import Postgres

extension EventDesk {
    /// A filter for deliveries.
    package struct Filter: Sendable {
        package var endpoint: UUID?
        /// Written out, so that PostgreSQL can choose the index.
        fileprivate let condition: String

        /// - Parameter state: `waiting`, `delivered` or `dead`; nil for all.
        package init(endpoint: UUID? = nil, state: String? = nil) throws(AdminRefusal) {
            self.endpoint = endpoint
            switch state {
            case nil: condition = ""
            case "waiting": condition = "and d.state = 'waiting'"
            case "delivered": condition = "and d.state = 'delivered'"
            case "dead": condition = "and d.state = 'dead'"
            default: throw .invalidMember(pointer: "/state", reason: "must_be_waiting_or_delivered_or_dead")
            }
        }
    }

    /// Deliveries, newest first, before a cursor; `next` is nil at the end.
    package func deliveries(_ filter: Filter, before: Int?, limit: Int, by actor: AdminActor) async throws
        -> (deliveries: [JSON], next: Int?)
    {
        let most = min(max(limit, 1), 200)
        let rows = try await desk.look(.showEvents, actor) { connection in
            try connection.query(
                """
                select d.number, \(unsafeSQL: Self.deliveryDocument)
                  from event_endpoints n
                 cross join lateral (
                        select * from event_deliveries d
                         where d.endpoint_id = n.id and d.number < \(before ?? Int.max) \(unsafeSQL: filter.condition)
                         order by d.number desc limit \(most)) d
                 where n.removed_at is null and (\(filter.endpoint) is null or n.id = \(filter.endpoint))
                 order by d.number desc limit \(most)
                """
            ).map { (try $0.value(0, as: Int.self), try AdminDesk.document(try $0.value(1))) }
        }
        return (rows.map(\.1), rows.count == most ? rows.last?.0 : nil)
    }

    /// One delivery by its id.
    package func delivery(_ id: String, by actor: AdminActor) async throws -> JSON {
        try await desk.look(.showEvents, actor) { connection in
            let row = try connection.queryOne(
                """
                select \(unsafeSQL: Self.deliveryDocument)
                  from event_deliveries d join event_endpoints n on n.id = d.endpoint_id and n.removed_at is null
                 where d.id = \(id)
                """)
            return try AdminDesk.document(row?.value(0))
        }
    }

    /// For a statement in which `d` is the table.
    private static let deliveryDocument = """
        jsonb_build_object(
            'id', d.id, 'endpoint', d.endpoint_id, 'event_id', d.event_id, 'type', d.type, 'state', d.state,
            'account', d.account_id, 'occurred_at', utc(d.occurred_at), 'tries', d.tries,
            'next_try_at', case when d.state = 'waiting' then utc(d.not_before) end,
            'last_status', d.last_status, 'last_error', d.last_error, 'settled_at', utc(d.settled_at),
            'payload', d.payload)::text
        """

    /// Retries one settled delivery with the same id.
    package func replay(delivery id: String, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.changeEvents, actor, of: [], because: reason) { connection in
            let row = try connection.queryOne(
                "select replay_events(null, \(id), null, null, \(EventDeliveryStore.lifeSeconds))")
            guard try row?.value(0, as: Int32.self) == 1 else { throw AdminRefusal.notFound }
            try Self.audit("events_replayed", ["delivery": .string(id)], actor, connection)
        }
    }

    /// Replays the events of a period or, without one, retries failed deliveries; returns their number.
    package func replay(endpoint: UUID, from: Date?, to: Date?, because reason: Reason, by actor: AdminActor)
        async throws -> Int
    {
        try await desk.change(.changeEvents, actor, of: [], because: reason) { connection in
            _ = try Self.load(endpoint, connection)
            let row = try connection.queryOne(
                "select replay_events(\(endpoint), null, \(from), \(to), \(EventDeliveryStore.lifeSeconds))")
            let count = Int(try row?.value(0, as: Int32.self) ?? 0)
            let detail: JSON = ["endpoint": .string(endpoint.text), "count": .integer(count)]
            try Self.audit("events_replayed", detail, actor, connection)
            return count
        }
    }

    /// Sends a test event and returns its id.
    package func test(_ endpoint: UUID, because reason: Reason?, by actor: AdminActor) async throws -> String {
        let id = "msg_" + Hex.encode(RandomBytes.system(16))
        return try await desk.change(.changeEvents, actor, of: [], because: reason) { connection in
            let found = try Self.load(endpoint, connection)
            guard found["disabled"] == false else {
                throw AdminRefusal.invalidMember(pointer: "", reason: "endpoint_disabled")
            }
            try connection.execute(
                """
                insert into event_deliveries (id, endpoint_id, type, occurred_at, payload, give_up_at)
                values (\(id), \(endpoint), 'test', now(),
                        jsonb_build_object('type', 'test', 'timestamp', utc(now()), 'data', '{}'::jsonb),
                        now() + make_interval(secs => \(EventDeliveryStore.lifeSeconds)))
                """)
            let detail: JSON = ["endpoint": .string(endpoint.text), "delivery": .string(id)]
            try Self.audit("event_test_sent", detail, actor, connection)
            return id
        }
    }
}
