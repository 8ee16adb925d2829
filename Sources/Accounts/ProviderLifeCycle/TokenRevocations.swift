import Cryptography
package import Foundation
package import Postgres

/// The queue of tokens to revoke at their providers (`provider_life_cycle/queue_provider_revocations.sql`).
///
/// The schema fills it: every deletion of an identity queues its tokens in the same transaction.
package struct TokenRevocations: Sendable {
    /// One token, as shown to an operator.
    package struct Entry: Sendable, Equatable {
        package let id: UUID
        package let provider: String
        package let clientID: String
        package let identity: UUID
        /// The account may no longer exist.
        package let account: UUID
        /// `waiting`, `revoked`, `refused` or `given_up`.
        package let state: String
        package let tries: Int
        /// A stable word; nil without a failure.
        let lastError: String?
        package let queuedAt: Date
        /// The time of the next attempt, for a waiting token.
        package let dueAt: Date?
    }

    /// A token that only this server may revoke until its lease expires.
    struct Claim: Sendable {
        let id: UUID
        /// Counts the leases, including this one: a server with a lost lease settles nothing.
        let tries: Int
        let token: StoredToken
    }

    enum Outcome: Sendable, Equatable {
        case revoked
        /// Refused permanently.
        case refused(String)
        case failed(String, retry: Double)
    }

    private let pool: ConnectionPool
    /// Longer than the deadline of any provider.
    static let leaseSeconds = 120

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Oldest first.
    package func list(state: String = "waiting", atMost limit: Int = 100) async throws -> [Entry] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select id, provider, client_id, identity_id, account_id, state, tries, last_error, queued_at,
                       case when state = 'waiting' then greatest(not_before, claimed_until) end
                  from provider_revocations where state = \(state) order by queued_at, id limit \(Int32(limit))
                """
            ).map { row in
                Entry(
                    id: try row.value(0), provider: try row.value(1), clientID: try row.value(2),
                    identity: try row.value(3), account: try row.value(4), state: try row.value(5),
                    tries: try row.value(6), lastError: try row.value(7), queuedAt: try row.value(8),
                    dueAt: try row.value(9))
            }
        }
    }

    func claim(of providers: [String], atMost limit: Int) async throws -> [Claim] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select id, tries, provider, client_id, kind, sealed
                  from claim_revocations(\(providers), \(Int32(limit)), \(Int32(Self.leaseSeconds)))
                """
            ).map { row in
                Claim(
                    id: try row.value(0), tries: try row.value(1),
                    token: StoredToken(
                        provider: try row.value(2), clientID: try row.value(3), kind: try row.value(4),
                        sealed: try row.value(5)))
            }
        }
    }

    func settle(_ claim: Claim, _ outcome: Outcome) async throws {
        let (state, error, retry): (String, String?, Double) =
            switch outcome {
            case .revoked: ("revoked", nil, 0)
            case .refused(let word): ("refused", word, 0)
            case .failed(let word, let seconds): ("waiting", word, seconds)
            }
        _ = try await pool.withConnection { connection in
            try connection.execute(
                "select settle_revocation(\(claim.id), \(Int32(claim.tries)), \(state), \(error), \(retry))")
        }
    }
}
