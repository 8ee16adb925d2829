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

    /// The accounts that a key reaches (`reached_accounts`).
    package enum Reach: String, Sendable, CaseIterable {
        /// Those that were created at its app or signed in there, or at another app of the same Cognito pool.
        case pool
        /// Those of every app.
        case gateway
    }

    /// A key in the list, without its secret.
    package struct Entry: Sendable, Equatable {
        package let id: String
        package let client: String
        /// The role with which it acts.
        package let role: OperatorRole
        package let reach: Reach
        package let issuedAt: Date
        /// Nil while it works.
        package let revokedAt: Date?
    }

    /// A new key; its secret is shown once.
    package struct Issued: Sendable, Equatable {
        package let id: String
        package let secret: String
    }

    /// The keys of a client, newest first.
    package func list(of client: String, by actor: AdminActor) async throws -> [Entry] {
        try await desk.look(.showClients, actor) { connection in
            guard try connection.queryOne("select 1 from clients where id = \(client)") != nil else {
                throw AdminRefusal.notFound
            }
            return try connection.query(
                """
                select id, client_id, role, reach, issued_at, revoked_at from access_keys where client_id = \(client)
                 order by issued_at desc, id
                """
            ).map { row in
                Entry(
                    id: try row.value(0), client: try row.value(1),
                    role: OperatorRole(rawValue: try row.value(2)) ?? .viewer,
                    reach: Reach(rawValue: try row.value(3)) ?? .pool, issuedAt: try row.value(4),
                    revokedAt: try row.value(5))
            }
        }
    }

    /// Issues a key; every server accepts it within a second.
    ///
    /// - Parameters:
    ///   - role: any but owner.
    ///   - once: the form's single-use value; nil without a form.
    /// - Throws: `invalidMember` for the role owner.
    package func issue(
        to client: String, as role: OperatorRole, reach: Reach, once: FormOnce? = nil, because reason: Reason,
        by actor: AdminActor
    ) async throws -> Issued {
        guard role < .owner else {
            throw AdminRefusal.invalidMember(pointer: "/role", reason: "must_be_one_of_viewer_support_or_admin")
        }
        let issued = Issued(id: AccessKey.newID(), secret: AccessKey.newSecret())
        let sealed = AccessKey.seal(issued.secret, of: issued.id, box)
        return try await desk.change(.changeAccessKeys, actor, of: [], because: reason) { connection in
            let row = try connection.row(
                """
                select issue_access_key(\(issued.id), \(client), \(role.rawValue), \(reach.rawValue), \(sealed), \(actor.account), \(actor.address),
                                        \(actor.requestID))
                """)
            try row.throwRefusal()
            try once?.spend(connection)
            return issued
        }
    }

    /// Revokes a key; running calls finish.
    package func revoke(_ id: String, of client: String, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.changeAccessKeys, actor, of: [], because: reason) { connection in
            let row = try connection.row(
                "select revoke_access_key(\(id), \(client), \(actor.account), \(actor.address), \(actor.requestID))")
            try row.throwRefusal()
        }
    }
}
