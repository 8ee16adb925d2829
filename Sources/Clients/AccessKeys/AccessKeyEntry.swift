package import Foundation
package import JSON
package import OperatorAccess
import Postgres

extension AccessKeyDesk {
    /// The accounts that a key reaches (`reached_accounts`).
    package enum Reach: String, Sendable, CaseIterable {
        /// Those that were created at its app or signed in there, or at another app of the same Cognito pool.
        case pool
        /// Those of every app.
        case gateway
    }

    /// How a back end proves that it holds a key.
    package enum Means: String, Sendable, CaseIterable {
        /// By the secret of the key.
        case secret
        /// By its client's own authentication at the token endpoint (RFC 6749 §4.4): the key has no secret.
        case clientCredentials = "client_credentials"
    }

    /// A key in the list, without its secret; times are RFC 3339 texts in UTC.
    package struct Entry: Sendable, Equatable {
        package let id: String
        /// Its id as the actor of audit rows.
        package let actor: UUID
        /// The role with which it acts.
        package let role: OperatorRole
        package let reach: Reach
        package let means: Means
        /// Whether it also signs calls (Signature Version 4).
        package let signs: Bool
        /// The only networks from which it works; empty for all.
        package let networks: [String]
        package let issuedAt: String
        /// Nil for never.
        package let expiresAt: String?
        /// To the minute; nil for an unused key.
        package let usedAt: String?
        /// Nil while it works.
        package let revokedAt: String?

        /// The beginning of the key; its id where it has no secret.
        package var prefix: String { means == .secret ? AccessKey.prefix(of: id) : id }

        /// - Parameter row: the columns of ``AccessKeyDesk/list(of:by:)``.
        init(_ row: Row) throws {
            id = try row.value(0)
            actor = try row.value(1)
            role = OperatorRole(rawValue: try row.value(2)) ?? .viewer
            reach = Reach(rawValue: try row.value(3)) ?? .pool
            means = try row.value(4) ? .clientCredentials : .secret
            signs = try row.value(5)
            networks = try row.value(6)
            issuedAt = try row.value(7)
            expiresAt = try row.value(8)
            usedAt = try row.value(9)
            revokedAt = try row.value(10)
        }

        /// The members of `AccessKey` in the administration API.
        package var json: JSON {
            func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
            return [
                "id": .string(id), "prefix": .string(prefix), "actor_id": .string(actor.text),
                "role": .string(role.rawValue), "reach": .string(reach.rawValue), "means": .string(means.rawValue),
                "signs": .bool(signs), "networks": .array(networks.map(JSON.string)), "issued_at": .string(issuedAt),
                "expires_at": text(expiresAt), "used_at": text(usedAt), "revoked_at": text(revokedAt),
            ]
        }
    }
}
