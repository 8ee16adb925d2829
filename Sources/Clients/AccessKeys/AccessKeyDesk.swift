package import Cryptography
package import Foundation
package import OperatorAccess
import Postgres

/// Issues and revokes the access keys of clients' back ends.
package struct AccessKeyDesk: Sendable {
    private let desk: AdminDesk
    private let box: SealedBox

    package init(desk: AdminDesk, keys: MasterKeys) {
        (self.desk, box) = (desk, SealedBox(keys))
    }

    /// A new key; its secret is shown once.
    package struct Issued: Sendable, Equatable {
        package let id: String
        /// Nil where the client authenticates itself.
        package let secret: String?
        /// Whether it also signs calls (Signature Version 4).
        package let signs: Bool

        /// The bearer token.
        package var key: String? { secret.map { AccessKey.text(id, $0) } }
    }

    /// The keys of a client, newest first.
    package func list(of client: String, by actor: AdminActor) async throws -> [Entry] {
        try await desk.look(.showClients, actor) { connection in
            guard try connection.queryOne("select 1 from clients where id = \(client)") != nil else {
                throw AdminRefusal.notFound
            }
            return try connection.query(
                """
                select k.id, k.actor_id, k.role, k.reach, k.secret_digest is null, k.secret_sealed is not null,
                       k.networks, utc(k.issued_at), utc(k.expires_at), utc(u.used_at), utc(k.revoked_at)
                  from access_keys k left join access_key_uses u on u.key_id = k.id
                 where k.client_id = \(client) order by k.issued_at desc, k.id
                """
            ).map { try Entry($0) }
        }
    }

    /// The client of the key with that id as an actor; nil for any other id.
    package func client(ofActor id: UUID, by actor: AdminActor) async throws -> String? {
        try await desk.look(.showClients, actor) { connection in
            try connection.queryOne("select client_id from access_keys where actor_id = \(id)")?.value(0)
        }
    }

    /// Issues a key; every server accepts it within a second.
    ///
    /// - Parameter once: the single-use value of the request; nil without one.
    /// - Throws: `invalidMember` for a disabled client, and for the means `client_credentials` at a public one.
    package func issue(
        _ key: NewAccessKey, to client: String, once: Once? = nil, because reason: Reason, by actor: AdminActor
    ) async throws -> Issued {
        let (id, secret) = (AccessKey.newID(), AccessKey.newSecret())
        let sealed = AccessKey.seal(secret, of: id, box)
        let digest = key.means == .secret ? AccessKey.digest(of: secret) : nil
        return try await desk.change(.changeAccessKeys, actor, of: [], because: reason) { connection in
            try once?.spend(connection)
            try Self.requireEnabled(client, connection)
            let signs = try Self.signs(key, client, connection)
            let row = try connection.row(
                """
                select issue_access_key(\(id), \(client), \(key.role.rawValue), \(key.reach.rawValue), \(digest), \(signs ? sealed : nil),
                                        \(key.networks), now() + make_interval(days => \(key.days.map(Int32.init))), \(actor.id),
                                        \(actor.address), \(actor.requestID))
                """)
            try row.throwRefusal()
            return Issued(id: id, secret: digest == nil ? nil : secret, signs: signs)
        }
    }

    /// Nobody can use the key of a disabled client, so its issue is a mistake.
    private static func requireEnabled(_ client: String, _ connection: Connection) throws {
        let isDisabled = "select 1 from clients where id = \(client) and disabled_at is not null" as SQL
        guard try connection.queryOne(isDisabled) == nil else {
            throw AdminRefusal.invalidMember(pointer: "/client", reason: "client_disabled")
        }
    }

    /// Whether the key signs calls, too: only Cognito's API asks for that.
    private static func signs(_ key: NewAccessKey, _ client: String, _ connection: Connection) throws -> Bool {
        let row = try connection.queryOne("select type, dialects ? 'cognito' from clients where id = \(client)")
        guard let row else { throw AdminRefusal.notFound }
        guard key.means == .secret else {
            guard try row.value(0, as: String.self) == Client.Kind.confidential.rawValue else {
                throw AdminRefusal.invalidMember(pointer: "/means", reason: "needs_confidential_client")
            }
            return false
        }
        return try row.value(1)
    }

    /// Revokes a key; running calls finish.
    package func revoke(_ id: String, of client: String, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.changeAccessKeys, actor, of: [], because: reason) { connection in
            let row = try connection.row(
                "select revoke_access_key(\(id), \(client), \(actor.id), \(actor.address), \(actor.requestID))")
            try row.throwRefusal()
        }
    }
}
