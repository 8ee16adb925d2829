import Clients
import HTTPServer
import Hummingbird
import OperatorAccess
import Operators

/// The registered clients.
extension ConsoleDoor {
    /// The days over which the page compares the linking policies.
    private static let linkingDays = 30

    /// `GET /admin/clients`.
    @Sendable func clients(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let clients = try await services.clients.list(by: visit.actor)
            return show(
                ClientsPage(
                    frame: frame(visit, .clients), clients: clients.map { Facts($0) },
                    mayChange: visit.mayDo(.trustClient)), visit.call)
        }
    }

    /// `GET /admin/clients/{id}`: `done`.
    @Sendable func client(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let client = try await known(context, visit)
            return show(
                ClientPage(
                    frame: frame(visit, .clients), client: client, linking: try await linking(client.id, visit),
                    mayChange: visit.mayDo(ClientChange.action(toChange: client.members)), done: visit.fields["done"]),
                visit.call)
        }
    }

    // MARK: Parts

    func known(_ context: GatewayContext, _ visit: ConsoleVisit) async throws -> Facts {
        guard let id = context.parameters.get("id"), ClientID.isValid(id) else { throw AdminRefusal.notFound }
        return Facts(try await services.clients.client(id, by: visit.actor))
    }

    /// A client that this operator may change.
    func changeable(_ context: GatewayContext, _ visit: ConsoleVisit) async throws -> Facts {
        try await services.operators.check(.changeClient, of: [], by: visit.actor)
        let client = try await known(context, visit)
        let action = ClientChange.action(toChange: client.members)
        try await Self.naming(action) { try await services.operators.check(action, of: [], by: visit.actor) }
        return client
    }

    func linking(_ id: String, _ visit: ConsoleVisit) async throws -> [LinkingCount] {
        try await services.linking.outcomes(client: id, days: Self.linkingDays, by: visit.actor).map {
            LinkingCount(policy: $0.policy, links: $0.links, asks: $0.asks, newAccounts: $0.newAccounts)
        }
    }
}
