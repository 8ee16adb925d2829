import Clients
import HTTPServer
import Hummingbird
import OperatorAccess
import Operators
import Pages

/// The access keys of a client's back end.
extension ConsoleDoor {
    /// `GET …/access-keys`: `key` (to revoke it), `done`.
    @Sendable func accessKeys(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let client = try await known(context, visit)
            return show(try await keysPage(client, visit), visit.call)
        }
    }

    /// `POST …/access-keys`: `reason` with `role` and `reach`, which issue a key, or with `key`, which revokes it.
    @Sendable func changeAccessKeys(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeAccessKeys, request, context, back: ClientsPage.path, counts: false) { visit in
            let client = try await known(context, visit)
            return try await doing(.changeAccessKeys, visit) {
                if let key = visit.fields["key"] { return try await revoke(key, of: client, visit) }
                guard let role = visit.fields["role"].flatMap(OperatorRole.init(rawValue:)) else {
                    throw AdminRefusal.invalidMember(pointer: "/role", reason: "not_a_role")
                }
                guard let reach = AccessKeyDesk.Reach(rawValue: visit.fields["reach"] ?? "pool") else {
                    throw AdminRefusal.invalidMember(pointer: "/reach", reason: "must_be_one_of_pool_or_gateway")
                }
                let issued = try await services.accessKeys.issue(
                    to: client.id, as: role, reach: reach, once: visit.once, because: visit.reason(), by: visit.actor)
                return show(try await keysPage(client, visit, issued: issued), visit.call)
            } again: { problem in
                try await keysPage(client, visit, problem)
            }
        }
    }

    private func revoke(_ key: String, of client: Facts, _ visit: ConsoleVisit) async throws -> Response {
        try await services.accessKeys.revoke(key, of: client.id, because: visit.reason(), by: visit.actor)
        return .seeOther(
            ConsoleAddress.of(
                AccessKeysPage.address(of: client.id),
                [(name: "done", value: "revoked")] + Site.localesParameter(visit.call.locales)))
    }

    private func keysPage(
        _ client: Facts, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil, issued: AccessKeyDesk.Issued? = nil
    ) async throws -> AccessKeysPage {
        let keys = try await services.accessKeys.list(of: client.id, by: visit.actor)
        let named = visit.fields["key"]
        return AccessKeysPage(
            frame: frame(visit, .clients, problem), client: client, keys: keys, issued: issued,
            revoking: keys.first { $0.id == named && $0.revokedAt == nil }?.id,
            mayChange: visit.mayDo(.changeAccessKeys), isDone: visit.fields["done"] == "revoked",
            role: visit.fields["role"] ?? OperatorRole.viewer.rawValue,
            reach: visit.fields["reach"] ?? AccessKeyDesk.Reach.pool.rawValue, reason: visit.fields["reason"] ?? "")
    }
}
