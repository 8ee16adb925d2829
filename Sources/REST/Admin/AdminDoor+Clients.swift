import Clients
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators

/// The registered clients.
extension AdminDoor {
    /// `GET …/clients`: those of operators; with `origin=agent` the others: `q`, `cursor`, `limit`.
    @Sendable func listClients(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let origin = request.uri.queryParameters["origin"] ?? "operator"
        let parameters = origin == "agent" ? ["origin", "q", "cursor", "limit"] : ["origin"]
        return try await answer(.showClients, request, context, parameters: parameters) { actor, _ in
            switch origin {
            case "operator":
                return .json(["clients": .array(try await services.clients.list(by: actor)), "next_cursor": .null])
            case "agent":
                return .json(try await agents(request, actor))
            default:
                throw AdminRefusal.invalidMember(pointer: "/origin", reason: "must_be_one_of_operator_or_agent")
            }
        }
    }

    private func agents(_ request: Request, _ actor: AdminActor) async throws -> JSON {
        let query = request.uri.queryParameters
        let cursor = query["cursor"].map { AgentCursor(String($0)) }
        if case .some(nil) = cursor { throw AdminRefusal.invalidMember(pointer: "/cursor", reason: "malformed") }
        let page = try await services.clients.agents(
            query["q"].map { String($0) } ?? "", after: cursor ?? nil, limit: Self.number(request, "limit") ?? 25,
            by: actor)
        return ["clients": .array(page.clients), "next_cursor": page.next.map { .string($0.description) } ?? .null]
    }

    /// `GET …/clients/{id}`.
    @Sendable func showClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { actor, _ in
            .json(["client": try await services.clients.client(Self.clientID(context), by: actor)])
        }
    }

    /// `POST …/clients`: `{id, confidential, reason, …}`; only this answer contains the secret.
    @Sendable func createClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await creating(.trustClient, request, context) { actor, once in
            var sent = try await JSONBody.changes(request)
            let id = try Self.text(sent, "id", most: 64)
            guard ClientID.isValid(id) else { throw AdminRefusal.invalidMember(pointer: "/id", reason: "malformed") }
            let isConfidential = sent["confidential"]?.bool ?? false
            sent["name"] = sent["name"] ?? .string(id)
            (sent["id"], sent["confidential"]) = (nil, nil)
            let made = try await services.clients.create(
                id, ClientChange(sent), isConfidential: isConfidential, once: once, because: Self.reason(sent),
                by: actor)
            return ["client": made.client, "secret": made.secret.map(JSON.string) ?? .null]
        }
    }

    /// `PATCH …/clients/{id}`: the members to change, and `reason`.
    @Sendable func changeClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { actor, _ in
            let sent = try await JSONBody.changes(request)
            let client = try await services.clients.change(
                Self.clientID(context), ClientChange(sent), because: Self.reason(sent), by: actor)
            return .json(["client": client])
        }
    }

    /// `POST …/clients/{id}/secret`: `{reason, kept}`; only this answer contains the secret.
    @Sendable func replaceClientSecret(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "kept", "reason")
            let made = try await services.clients.replaceSecret(
                Self.clientID(context), kept: Self.storage(sent), because: Self.reason(sent), by: actor)
            return .json(["client": made.client, "secret": .string(made.secret)])
        }
    }

    /// `GET …/clients/{id}/linking`: `days`; the result that each linking policy would have given.
    @Sendable func rehearseLinking(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context, parameters: ["days"]) { actor, _ in
            let outcomes = try await services.linking.outcomes(
                client: Self.clientID(context), days: Self.number(request, "days") ?? 30, by: actor)
            return .json([
                "policies": .array(
                    outcomes.map {
                        [
                            "policy": .string($0.policy), "link": .integer($0.links), "link_account": .integer($0.asks),
                            "create_account": .integer($0.newAccounts),
                        ]
                    })
            ])
        }
    }

    /// `kept`: `digest`, the default, or `sealed`.
    private static func storage(_ sent: JSONObject) throws(AdminRefusal) -> ClientSecret.Storage {
        guard let kept = sent["kept"] else { return .digest }
        guard let storage = kept.string.flatMap(ClientSecret.Storage.init(rawValue:)) else {
            throw .invalidMember(pointer: "/kept", reason: "must_be_one_of_digest_or_sealed")
        }
        return storage
    }

    static func clientID(_ context: GatewayContext) throws(AdminRefusal) -> String {
        guard let id = context.parameters.get("id"), ClientID.isValid(id) else { throw .notFound }
        return id
    }
}
