package import Clients
package import Foundation
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// What a user granted to another maker's app.
package struct AppGrant: Sendable, Equatable {
    package let client: String
    package let access: GrantedAccess
    package let grantedAt: Date
    package let lastUsedAt: Date?
}

/// The grants of users: asked for on the consent page, remembered for a year, taken back at any time.
package struct AppGrants: Sendable {
    private let pool: ConnectionPool
    private let directory: SessionDirectory
    private let logger: Logger

    /// Seconds after which the user is asked again.
    private static let life: Int32 = 31_536_000

    package init(pool: ConnectionPool, directory: SessionDirectory, logger: Logger) {
        (self.pool, self.directory, self.logger) = (pool, directory, logger)
    }

    /// What an account granted to an app; nil without a grant that still counts.
    package func granted(by account: UUID, to client: String) async throws(Rejection) -> GrantedAccess? {
        let names: [String]? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select scopes from app_grants
                     where account_id = \(account) and client_id = \(client) and expires_at > now()
                    """
                )?.value(0)
            }
        }
        return names.map(GrantedAccess.init(names:))
    }

    /// Remembers a grant, beside an earlier one.
    package func grant(
        _ access: GrantedAccess, by session: SessionSnapshot, to client: Client, caller: Caller
    ) async throws(Rejection) {
        try await rejecting(logger) {
            _ = try await pool.execute(
                """
                select grant_access(\(session.account.id), \(client.id), \(access.names), \(Self.life), \(session.facts.session),
                                    \(caller.address), \(caller.requestID))
                """)
        }
    }

    /// The grants of an account, the newest first.
    package func list(account: UUID) async throws(Rejection) -> [AppGrant] {
        try await rejecting(logger) {
            try await pool.query(
                """
                select g.client_id, g.scopes, g.granted_at,
                       (select max(s.rotated_at) from sessions s
                         where s.account_id = g.account_id and s.client_id = g.client_id and s.browser_id is not null)
                  from app_grants g where g.account_id = \(account) and g.expires_at > now()
                 order by g.granted_at desc, g.client_id
                """
            ) { row in
                AppGrant(
                    client: try row.value(0), access: GrantedAccess(names: try row.value(1)),
                    grantedAt: try row.value(2),
                    lastUsedAt: try row.value(3))
            }
        }
    }

    /// Takes a grant back and ends the sessions that the app got by it; false if there is none.
    package func revoke(_ client: String, of account: UUID, caller: Caller) async throws(Rejection) -> Bool {
        let revoked = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    "select revoke_grant(\(account), \(client), \(caller.address), \(caller.requestID))"
                )?.value(0, as: Bool.self) ?? false
            }
        }
        directory.forget(account: account)
        return revoked
    }
}
