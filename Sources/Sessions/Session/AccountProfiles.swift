package import Foundation
import JSON
package import Postgres
package import Vocabulary

/// Reads the profiles of accounts, for ID tokens and for their owners.
package struct AccountProfiles: Sendable {
    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Nil without such an active account.
    package func profile(_ account: UUID) async throws -> AccountProfile? {
        try await pool.withConnection { connection in
            try connection.queryOne(
                """
                select a.id, a.display_name, e.address, e.proved_at is not null, a.created_at, a.user_name, p.phone_key,
                       p.proved_at is not null, a.attributes::text, a.first_factor, a.deletion_requested_at, a.deletion_due_at, a.guest,
                       (select r.due_at from factor_removals r where r.account_id = a.id)
                  from accounts a
                  left join account_emails e on e.account_id = a.id and e.is_main
                  left join account_phones p on p.account_id = a.id and p.is_main
                 where a.id = \(account) and a.status = 'active'
                """
            ).map(Self.profile)
        }
    }

    private static func profile(_ row: Row) throws -> AccountProfile {
        AccountProfile(
            summary: AccountSummary(
                id: try row.value(0), displayName: try row.value(1), email: try row.value(2),
                emailVerified: try row.value(3), isGuest: try row.value(12), createdAt: try row.value(4),
                deletion: AccountDeletion(requestedAt: try row.value(10), dueAt: try row.value(11))),
            userName: try row.value(5), phone: try row.value(6), phoneVerified: try row.value(7),
            attributes: try JSON(parsing: try row.value(8, as: String.self), limits: .provider).object ?? [:],
            firstFactor: try row.value(9), factorRemovalDue: try row.value(13))
    }
}
