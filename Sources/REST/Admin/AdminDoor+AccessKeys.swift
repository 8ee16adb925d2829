import Clients
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators

/// The access keys of a client's back end.
extension AdminDoor {
    /// `GET …/clients/{id}/access-keys`.
    @Sendable func listAccessKeys(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { actor, _ in
            let keys = try await services.accessKeys.list(of: Self.clientID(context), by: actor)
            return .json(["access_keys": .array(keys.map(\.json))])
        }
    }

    /// `POST …/clients/{id}/access-keys`: `{role, reach?, means?, networks?, expires_in_days?, reason}`; only this answer
    /// contains the key.
    @Sendable func issueAccessKey(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await creating(.changeAccessKeys, request, context) { actor, once in
            let client = try Self.clientID(context)
            let sent = try await JSONBody.changes(request).limited(to: NewAccessKey.members + ["reason"])
            let issued = try await services.accessKeys.issue(
                NewAccessKey(sent), to: client, once: once, because: Self.reason(sent), by: actor)
            return [
                "id": .string(issued.id), "key": issued.key.map(JSON.string) ?? .null,
                "secret": issued.signs ? issued.secret.map(JSON.string) ?? .null : .null,
            ]
        }
    }

    /// `DELETE …/clients/{id}/access-keys/{key}`: `{reason}`.
    @Sendable func revokeAccessKey(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeAccessKeys, request, context) { actor, _ in
            let client = try Self.clientID(context)
            guard let key = context.parameters.get("key") else { throw AdminRefusal.notFound }
            let sent = try await JSONBody.object(request, of: "reason")
            try await services.accessKeys.revoke(key, of: client, because: Self.reason(sent), by: actor)
            return Response(status: .noContent)
        }
    }
}
