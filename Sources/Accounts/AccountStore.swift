package import Foundation
import JSON
package import Postgres
package import Vocabulary

/// Accounts and their identities in PostgreSQL.
package struct AccountStore: Sendable {
    private let pool: ConnectionPool

    package init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Changes the profile, unless the session has ended (`change_profile`); every server drops its cached copy.
    package func change(_ account: UUID, _ change: ProfileChange, session: UUID, client: String, caller: Caller)
        async throws
    {
        try await pool.execute(
            """
            select change_profile(\(account), \(JSONText(JSON.object(change.json).text)), \(session), \(client),
                                  \(caller.address), \(caller.requestID))
            """)
    }

    package func identities(_ account: UUID) async throws -> [LinkedIdentity] {
        try await pool.query(
            """
            select id, provider, subject, email, email_verified, linked_at, linked_by from identities
             where account_id = \(account) order by linked_at, id
            """
        ) { row in
            LinkedIdentity(
                id: try row.value(0), provider: try row.value(1), subject: try row.value(2),
                email: try row.value(3),
                emailVerified: try row.value(4), linkedAt: try row.value(5),
                isLinkedByPolicy: try row.value(6) == LinkingPolicy.Rule.bothProved.rawValue)
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
}
