package import Foundation
import JSON
package import Postgres

/// Accounts and their identities in PostgreSQL.
package struct AccountStore: Sendable {
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

    /// Changes the profile, unless the session has ended (`change_profile`); every server drops its cached copy.
    package func change(_ account: UUID, _ change: ProfileChange, session: UUID, client: String, caller: Caller)
        async throws
    {
        try await pool.withConnection { connection in
            try connection.execute(
                """
                select change_profile(\(account), \(JSONText(JSON.object(change.json).text)), \(session), \(client),
                                      \(caller.address), \(caller.requestID))
                """)
        }
    }

    package func hasPassword(_ account: UUID) async throws -> Bool {
        try await pool.withConnection { connection in
            try connection.queryOne("select exists (select from passwords where account_id = \(account))").map {
                try $0.value(0)
            } ?? false
        }
    }

    package func identities(_ account: UUID) async throws -> [LinkedIdentity] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select id, provider, subject, email, email_verified, linked_at, linked_by from identities
                 where account_id = \(account) order by linked_at, id
                """
            ).map { row in
                LinkedIdentity(
                    id: try row.value(0), provider: try row.value(1), subject: try row.value(2),
                    email: try row.value(3),
                    emailVerified: try row.value(4), linkedAt: try row.value(5),
                    isLinkedByPolicy: try row.value(6) == LinkingPolicy.Rule.bothProved.rawValue)
            }
        }
    }

    /// The outcomes of unlinking an identity (`unlink_identity`).
    package enum Unlinking: String, OutcomeWord {
        package static let functions = ["unlink_identity"]

        case unlinked
        case notFound = "not_found"
        case lastCredential = "last_credential"
        /// Nothing was checked: the asking session has ended, its proof is too old, or the second factor is missing.
        case sessionEnded = "session_ended"
        case reauthRequired = "reauth_required"
        case stepUpRequired = "step_up_required"
    }

    /// Why a session may not add a sign-in method; nil if it may.
    package func refusalOfAddition(by session: UUID, of account: UUID) async throws -> RefusalWord? {
        try await pool.queryOne("select may_change_account(\(account), \(session), \(RecentProof.seconds))") {
            try $0?.value(0)
        }
    }

    /// `usableProviders` are those that work today; identities elsewhere are no sign-in methods.
    package func unlink(
        _ identity: UUID, from account: UUID, session: UUID, usableProviders: [String], client: String, caller: Caller
    ) async throws -> Unlinking {
        try await pool.withConnection { connection in
            try connection.row(
                """
                select unlink_identity(\(account), \(identity), \(session), \(RecentProof.seconds), \(usableProviders), \(client), \(caller.address),
                                       \(caller.requestID))
                """
            ).value(0)
        }
    }

    /// The outcomes of creating an account by an operator or a back end (`create_account`).
    package enum Creation: String, OutcomeWord {
        package static let functions = ["create_account"]

        case created
        case emailInUse = "email_in_use"
        case phoneInUse = "phone_in_use"
        case userNameTaken = "user_name_taken"
    }

    /// Creates an account for an operator, who vouches for the address.
    package func create(
        _ account: UUID, address: EmailAddress, displayName: String?, password: PasswordVerifiers?, requestID: String
    ) async throws -> Creation {
        var state: JSONObject = ["email": .string(address.text), "email_key": .string(address.key)]
        state["display_name"] = displayName.map(JSON.string)
        state["password"] = password?.json
        let form = JSONText(JSON.object(state).text)
        return try await pool.withConnection { connection in
            try connection.row(
                """
                select create_account(\(account), \(form), \([address.key]), 'usable', null, 'operator', null, \(requestID))
                """
            ).value(0)
        }
    }
}
