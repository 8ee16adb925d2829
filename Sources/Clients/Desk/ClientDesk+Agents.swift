package import JSON
package import OperatorAccess
import Postgres

/// The clients that no operator brought.
extension ClientDesk {
    /// A page of agents; `next` is the cursor of the following one, nil at the end.
    package struct AgentPage: Sendable, Equatable {
        /// Clients with the member `agent` (`clients/agent_outline.sql`).
        package let clients: [JSON]
        package let next: AgentCursor?
    }

    /// The agents, newest last use first.
    ///
    /// One without a use counts from its creation.
    ///
    /// - Parameters:
    ///   - typed: a part of a name, an id, the address of a document or a redirect address; empty for all.
    ///   - after: the cursor of the page.
    ///   - limit: 1...100.
    package func agents(
        _ typed: String, after: AgentCursor?, limit: Int, by actor: AdminActor
    ) async throws -> AgentPage {
        let most = min(max(limit, 1), 100)
        return try await desk.look(.showClients, actor) { connection in
            let found = try Self.find(String(typed.prefix(255)), after, most + 1, connection)
            let ids = found.prefix(most).map(\.client)
            let clients = try connection.query(
                """
                \(unsafeSQL: Self.selection) join unnest(\(ids)) with ordinality as found (id, place) on found.id = c.id
                 order by found.place
                """
            ).map(Self.client)
            return AgentPage(clients: clients, next: found.count > most ? found[most - 1] : nil)
        }
    }

    private static func find(
        _ text: String, _ after: AgentCursor?, _ limit: Int, _ connection: Connection
    ) throws -> [AgentCursor] {
        let (moment, client) = (after?.moment ?? .max, after?.client ?? "")
        return try connection.query(
            """
            select moment, id
              from (select c.id, (extract(epoch from coalesce(a.used_at, c.created_at)) * 1000000)::bigint as moment
                      from agents a join clients c on c.id = a.client_id left join client_documents d on d.client_id = c.id
                     where strpos(lower(concat_ws(' ', c.id, c.name, d.url, array_to_string(c.redirect_uris, ' '))), lower(\(text))) > 0) agent
             where (moment, id) < (\(moment), \(client))
             order by moment desc, id desc limit \(limit)
            """
        ).map { AgentCursor(moment: try $0.value(0), client: try $0.value(1)) }
    }
}

/// The end of a page of agents: `<microseconds since 1970>.<client id>`.
package struct AgentCursor: Sendable, Equatable, CustomStringConvertible {
    let moment: Int
    let client: String

    init(moment: Int, client: String) {
        (self.moment, self.client) = (moment, client)
    }

    /// Nil for an invalid cursor.
    package init?(_ cursor: String) {
        let parts = cursor.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let moment = Int(parts[0]), ClientID.isValid(parts[1]) else { return nil }
        self.init(moment: moment, client: parts[1])
    }

    package var description: String { "\(moment).\(client)" }
}
