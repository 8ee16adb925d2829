import Clients
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages

/// The apps that no operator brought, and their revocation.
extension ConsoleDoor {
    private static let agentsPerPage = 25

    /// `GET /admin/agents`: `q`, `cursor`.
    @Sendable func agents(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let typed = visit.fields["q"] ?? ""
            // An invalid cursor shows the first page.
            let cursor = visit.fields["cursor"].flatMap { AgentCursor($0) }
            let page = try await services.clients.agents(
                typed, after: cursor, limit: Self.agentsPerPage, by: visit.actor)
            return show(
                AgentsPage(
                    frame: frame(visit, .clients), typed: typed, agents: page.clients.map { Facts($0) },
                    next: page.next?.description, isFirst: cursor == nil, mayRevoke: visit.mayDo(.changeClient)),
                visit.call)
        }
    }

    /// `GET …/revoke`.
    @Sendable func confirmRevocation(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { visit in
            show(revocation(of: try await agent(context, visit), visit), visit.call)
        }
    }

    /// `POST …/revoke`: `reason`.
    @Sendable func revokeAgent(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context, back: AgentsPage.path, counts: false) { visit in
            let client = try await agent(context, visit)
            return try await doing(ClientChange.action(toChange: client.members), visit) {
                _ = try await services.clients.change(
                    client.id, ClientChange(["disabled": true]), because: visit.reason(), by: visit.actor)
                return .seeOther(
                    ConsoleAddress.of(
                        ClientsPage.address(of: client.id),
                        [(name: "done", value: "revoked")] + Site.localesParameter(visit.call.locales)))
            } again: { problem in
                revocation(of: client, visit, problem)
            }
        }
    }

    // MARK: Parts

    /// An agent that this operator may change.
    private func agent(_ context: GatewayContext, _ visit: ConsoleVisit) async throws -> Facts {
        let client = try await changeable(context, visit)
        guard client.members["agent"]?.object != nil else { throw AdminRefusal.notFound }
        return client
    }

    private func revocation(
        of client: Facts, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil
    ) -> AgentRevocationPage {
        AgentRevocationPage(
            frame: frame(visit, .clients, problem), client: client, reason: visit.fields["reason"] ?? "")
    }
}
