import Clients
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Telemetry

/// The access keys of a client's back end.
extension AdminDoor {
    /// `GET …/clients/{id}/access-keys`.
    @Sendable func listAccessKeys(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { actor, _ in
            let keys = try await services.accessKeys.list(of: Self.clientID(context), by: actor)
            return .json(["access_keys": .array(keys.map(\.json))])
        }
    }

    /// `POST …/clients/{id}/access-keys`: `{role, reach?, reason}`; only this answer contains the secret.
    @Sendable func issueAccessKey(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeAccessKeys, request, context) { actor, _ in
            let client = try Self.clientID(context)
            let sent = try await JSONBody.object(request, of: "role", "reach", "reason")
            guard let role = OperatorRole(rawValue: try Self.text(sent, "role", most: 16)) else {
                throw AdminRefusal.invalidMember(pointer: "/role", reason: "not_a_role")
            }
            let named = sent["reach"].map { $0.string ?? "" } ?? AccessKeyDesk.Reach.pool.rawValue
            guard let reach = AccessKeyDesk.Reach(rawValue: named) else {
                throw AdminRefusal.invalidMember(pointer: "/reach", reason: "must_be_one_of_pool_or_gateway")
            }
            let issued = try await services.accessKeys.issue(
                to: client, as: role, reach: reach, because: Self.reason(sent), by: actor)
            return .json(["id": .string(issued.id), "secret": .string(issued.secret)], status: .created)
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

extension AccessKeyDesk.Entry {
    var json: JSON {
        [
            "id": .string(id), "role": .string(role.rawValue), "reach": .string(reach.rawValue),
            "issued_at": .string(RFC3339.text(issuedAt)),
            "revoked_at": revokedAt.map { .string(RFC3339.text($0)) } ?? .null,
        ]
    }
}
