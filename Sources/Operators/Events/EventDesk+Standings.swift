package import Foundation
package import JSON
package import OperatorAccess
import Postgres

/// The state of the endpoints.
extension EventDesk {
    /// The endpoints with their numbers of pending and failed deliveries (`waiting`, `dead`) and the result of the
    /// newest attempt (`last`).
    package func standings(by actor: AdminActor) async throws -> [JSON] {
        try await desk.look(.showEvents, actor) { connection in
            try connection.query("\(unsafeSQL: Self.standing) order by n.created_at, n.id").map(Self.endpoint)
        }
    }

    package func standing(of id: UUID, by actor: AdminActor) async throws -> JSON {
        try await desk.look(.showEvents, actor) { connection in
            guard let row = try connection.queryOne("\(unsafeSQL: Self.standing) and n.id = \(id)") else {
                throw AdminRefusal.notFound
            }
            return try Self.endpoint(row)
        }
    }

    /// Refuses invalid members.
    package func check(_ members: JSONObject) throws(AdminRefusal) {
        _ = try EndpointChange(members, allowsLocal: allowsLocal)
    }

    private static let standing = """
        select (\(document) || jsonb_build_object(
                   'waiting', (select count(*) from event_deliveries d where d.endpoint_id = n.id and d.state = 'waiting'),
                   'dead', (select count(*) from event_deliveries d where d.endpoint_id = n.id and d.state = 'dead'),
                   'last', (select jsonb_build_object('status', d.last_status, 'error', d.last_error)
                              from event_deliveries d
                             where d.endpoint_id = n.id and (d.last_status is not null or d.last_error is not null)
                             order by d.number desc limit 1)))::text
          from event_endpoints n where n.removed_at is null
        """
}
