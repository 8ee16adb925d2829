import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Sessions
import Vocabulary

/// Other makers' apps that the user gave access to.
struct RESTGrantsDoor: RESTDoor {
    let calls: RESTCalls
    let grants: AppGrants

    func mount(on router: Router<GatewayContext>) {
        router.get("v1/account/grants", use: list)
        router.delete("v1/account/grants/{client}", use: revoke)
    }

    /// `GET /v1/account/grants`.
    @Sendable func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_grants", request, context) { _, session in
            let list = try await grants.list(account: session.facts.account)
            return .json(["grants": .array(list.map(json))])
        }
    }

    private func json(_ grant: AppGrant) -> JSON {
        [
            "client_id": .string(grant.client),
            "client_name": .string(clients.client(grant.client)?.name ?? grant.client),
            "scopes": .array(grant.access.scopes.names.map(JSON.string)),
            "resources": .array(grant.access.resources.byIdentifier.sorted { $0.key < $1.key }.map(resource)),
            "granted_at": RESTAnswers.time(grant.grantedAt),
            "last_used_at": grant.lastUsedAt.map(RESTAnswers.time) ?? .null,
        ]
    }

    private func resource(_ identifier: String, _ scopes: Set<String>) -> JSON {
        [
            "identifier": .string(identifier), "name": .string(clients.resources[identifier]?.name ?? identifier),
            "scopes": .array(scopes.sorted().map(JSON.string)),
        ]
    }

    /// `DELETE /v1/account/grants/{client}`: takes access back, and ends the app's sessions.
    @Sendable func revoke(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("revoke_grant", request, context) { call, session in
            let client = context.parameters.get("client") ?? ""
            guard try await grants.revoke(client, of: session.facts.account, caller: call.caller) else {
                throw Rejection.notFound
            }
            return Response(status: .noContent)
        }
    }
}
