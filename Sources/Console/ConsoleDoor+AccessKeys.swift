import Clients
import Foundation
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

    /// `POST …/access-keys`: `reason` with the settings of a key, which issues it, or with `key`, which revokes that one.
    @Sendable func changeAccessKeys(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeAccessKeys, request, context, back: ClientsPage.path, counts: false) { visit in
            let client = try await known(context, visit)
            return try await doing(.changeAccessKeys, visit) {
                if let key = visit.fields["key"] { return try await revoke(key, of: client, visit) }
                let issued = try await services.accessKeys.issue(
                    AccessKeyFields(visit.fields).key, to: client.id, once: visit.once, because: visit.reason(),
                    by: visit.actor)
                return show(try await keysPage(client, visit, issued: issued), visit.call)
            } again: { problem in
                try await keysPage(client, visit, problem)
            }
        }
    }

    /// The page with the key that has this id as an actor, to which the audit log and histories link.
    ///
    /// - Throws: `notFound` for any other id.
    func keys(ofActor id: UUID, _ visit: ConsoleVisit) async throws -> Response {
        guard let client = try await services.accessKeys.client(ofActor: id, by: visit.actor) else {
            throw AdminRefusal.notFound
        }
        return .seeOther(
            ConsoleAddress.of(AccessKeysPage.address(of: client), Site.localesParameter(visit.call.locales)))
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
            fields: AccessKeyFields(visit.fields), reason: visit.fields["reason"] ?? "")
    }
}
