import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Sessions
import Telemetry

/// Operators and their roles.
extension AdminDoor {
    /// `GET …/me`: the caller's account, or access key, and role.
    @Sendable func me(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showRole, request, context) { actor, _ in
            let role = try await services.operators.role(of: actor)
            return .json([
                "account": actor.account.map { .string($0.text) } ?? .null,
                "access_key": actor.keyID.map(JSON.string) ?? .null, "role": .string(role.rawValue),
            ])
        }
    }

    /// `GET …/operators`.
    @Sendable func listOperators(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showOperators, request, context) { actor, _ in
            let list = try await services.operators.list(by: actor)
            return .json(["operators": .array(list.map(Self.json))])
        }
    }

    /// `PUT …/operators/{id}`: `{role, reason}`; the id is the account's.
    ///
    /// 202 means that a second operator with the owner role must grant the same role.
    @Sendable func grantRole(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeRole, request, context) { actor, _ in
            let account = try Self.pathID(context)
            let sent = try await JSONBody.object(request, of: "role", "reason")
            guard let role = OperatorRole(rawValue: try Self.text(sent, "role", most: 16)) else {
                throw AdminRefusal.invalidMember(
                    pointer: "/role", reason: "not_a_role", accepted: OperatorRole.allCases.map(\.rawValue))
            }
            let grant = try await services.operators.grant(role, to: account, because: Self.reason(sent), by: actor)
            directory.forget(account: account)
            return Response(status: grant == .granted ? .noContent : .accepted)
        }
    }

    /// `GET …/operators/{id}/methods`: every sign-in method of the account, with its age.
    @Sendable func showMethods(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showAccount, request, context) { actor, _ in
            let methods = try await services.operators.methods(of: Self.pathID(context), by: actor)
            return .json([
                "methods": .array(
                    methods.map {
                        [
                            "kind": .string($0.kind), "name": $0.name.map(JSON.string) ?? .null,
                            "since": .string($0.since), "by": $0.origin.map(JSON.string) ?? .null,
                        ]
                    })
            ])
        }
    }

    /// `DELETE …/operators/{id}`: `{reason}`.
    @Sendable func withdrawRole(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeRole, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "reason")
            try await services.operators.withdraw(
                from: Self.pathID(context), because: Self.reason(sent), by: actor)
            return Response(status: .noContent)
        }
    }

    private static func json(_ entry: OperatorDesk.Entry) -> JSON {
        [
            "account": .string(entry.account.text), "role": .string(entry.role.rawValue),
            "display_name": entry.displayName.map(JSON.string) ?? .null, "email": entry.email.map(JSON.string) ?? .null,
            "granted_by": entry.grantedBy.map { .string($0.text) } ?? .null,
            "granted_by_name": entry.grantedByName.map(JSON.string) ?? .null,
            "granted_at": .string(RFC3339.text(entry.grantedAt)),
        ]
    }
}
