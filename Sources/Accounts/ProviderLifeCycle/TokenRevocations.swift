import Foundation
import Postgres

/// The queue of tokens to revoke at their providers (`provider_life_cycle/queue_provider_revocations.sql`).
///
/// The schema fills it: every deletion of an identity queues its tokens in the same transaction.
struct TokenRevocations: Sendable {
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

    init(pool: ConnectionPool) { self.pool = pool }

    func claim(of providers: [String], atMost limit: Int) async throws -> [Claim] {
        try await pool.query(
            """
            select id, tries, provider, client_id, kind, sealed
              from claim_revocations(\(providers), \(Int32(limit)), \(Int32(Self.leaseSeconds)))
            """
        ) { row in
            Claim(
                id: try row.value(0), tries: try row.value(1),
                token: StoredToken(
                    provider: try row.value(2), clientID: try row.value(3), kind: try row.value(4),
                    sealed: try row.value(5)))
        }
    }

    func settle(_ claim: Claim, _ outcome: Outcome) async throws {
        let (state, error, retry): (String, String?, Double) =
            switch outcome {
            case .revoked: ("revoked", nil, 0)
            case .refused(let word): ("refused", word, 0)
            case .failed(let word, let seconds): ("waiting", word, seconds)
            }
        try await pool.execute(
            "select settle_revocation(\(claim.id), \(Int32(claim.tries)), \(state), \(error), \(retry))")
    }
}
