import Clients
import HTTPServer
import Hummingbird
import OperatorAccess
import Operators

/// Replacement of a client's secret; only one answer contains it.
extension ConsoleDoor {
    /// `GET …/secret`.
    @Sendable func confirmSecret(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { visit in
            show(secretPage(try await changeable(context, visit), visit), visit.call)
        }
    }

    /// `POST …/secret`: `reason`, `sealed`; only this answer contains the secret.
    @Sendable func replaceSecret(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context, back: ClientsPage.path, counts: false) { visit in
            let client = try await known(context, visit)
            return try await doing(ClientChange.action(toChange: client.members), visit) {
                let made = try await services.clients.replaceSecret(
                    client.id, kept: keepsSealed(visit, client) ? .sealed : .digest, once: visit.once,
                    because: visit.reason(), by: visit.actor)
                return show(secretPage(Facts(made.client), visit, secret: made.secret), visit.call)
            } again: { problem in
                secretPage(client, visit, problem)
            }
        }
    }

    func secretPage(
        _ client: Facts, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil, secret: String? = nil,
        isNew: Bool = false
    ) -> ClientSecretPage {
        ClientSecretPage(
            frame: frame(visit, .clients, problem), client: client, secret: secret, isNew: isNew,
            keepsSealed: keepsSealed(visit, client), reason: visit.fields["reason"] ?? "")
    }

    /// A dialect that uses the secret as a key decides alone.
    private func keepsSealed(_ visit: ConsoleVisit, _ client: Facts) -> Bool {
        ClientChange.needsSealedSecret(client.members) || visit.fields["sealed"]?.isEmpty == false
    }
}
