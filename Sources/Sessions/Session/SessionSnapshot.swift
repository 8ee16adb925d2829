package import Clients
package import Foundation
import JSON
import Postgres
package import Vocabulary

/// A live session and its account, as of the moment it was read.
package struct SessionSnapshot: Sendable, Equatable {
    package let facts: AccessTokenFacts
    package let account: AccountSummary
    package let createdAt: Date
    /// The absolute end of the session.
    package let expiresAt: Date
    package let deviceName: String?
    /// Whether its client had the permission `administration` when the session began.
    package let administers: Bool
    /// The dialect of its tokens.
    package let dialect: TokenDialect
    package let scopes: Set<TokenScope>
    package let resources: ResourceScopes
    package let requestedClaims: RequestedClaimNames
    /// The digest of its credential, and its idle timeout.
    let standing: Standing

    struct Standing: Sendable, Equatable {
        let digest: [UInt8]
        let idleSeconds: Int
        var idleExpiresAt: Date
        /// When its claims have to be requested again.
        let claimsDueAt: Date?
    }

    /// Nil if the session or its account has ended, or the client is disabled.
    static func load(_ session: UUID, _ connection: Connection) throws -> SessionSnapshot? {
        let row = try connection.queryOne(
            """
            select s.account_id, s.client_id, s.provider, s.auth_time, s.amr, s.acr, s.created_at, s.expires_at, s.device_name,
                   a.display_name, e.address, e.proved_at is not null, a.created_at,
                   s.refresh_digest, s.idle_seconds, s.idle_expires_at, s.claims_due_at, s.claims::text,
                   a.deletion_requested_at, a.deletion_due_at, s.administers, a.guest, s.dialect, s.scopes,
                   s.requested_claims::text, s.proofs::text, s.actor_id, s.subject
              from sessions s
              join accounts a on a.id = s.account_id and a.status = 'active'
              join clients c on c.id = s.client_id and c.disabled_at is null and s.created_at >= c.live_since
              left join account_emails e on e.account_id = a.id and e.is_main
             where s.id = \(session) and s.ended_at is null and s.expires_at > now()
            """)
        return try row.map { row in
            let account: UUID = try row.value(0)
            let scopes = try row.value(23, as: [String]?.self) ?? []
            return SessionSnapshot(
                facts: AccessTokenFacts(
                    session: session, account: account, pairwise: try row.value(27), clientID: try row.value(1),
                    provider: try row.value(2),
                    authTime: try row.value(3), amr: try row.value(4), acr: try row.value(5),
                    proofs: try Proofs(stored: row.value(25)), actor: try row.value(26),
                    claims: try JSONObject(claims: row.value(17))),
                account: AccountSummary(
                    id: account, displayName: try row.value(9), email: try row.value(10),
                    emailVerified: try row.value(11), isGuest: try row.value(21), createdAt: try row.value(12),
                    deletion: AccountDeletion(requestedAt: try row.value(18), dueAt: try row.value(19))),
                createdAt: try row.value(6), expiresAt: try row.value(7), deviceName: try row.value(8),
                administers: try row.value(20), dialect: TokenDialect(stored: try row.value(22)),
                scopes: Set(names: scopes), resources: ResourceScopes(names: scopes),
                requestedClaims: try RequestedClaimNames(stored: row.value(24)),
                standing: Standing(
                    digest: try row.value(13), idleSeconds: Int(try row.value(14, as: Int32.self)),
                    idleExpiresAt: try row.value(15), claimsDueAt: try row.value(16)))
        }
    }

    /// Whether it has a recent proof of the user; that of an acting operator has none.
    package func isFresh(at now: Date) -> Bool {
        facts.actor == nil && facts.acr != Proofs.noFactor
            && now.timeIntervalSince(facts.authTime) < RecentProof.interval
    }

    /// Whether the `sub` of a token of ours is its user's.
    ///
    /// - Parameter isOwn: false for a token of any resource. The subject of its sector is not looked up, because we signed it.
    func isNamed(by subject: String, isOwn: Bool) -> Bool {
        subject == facts.subject || !isOwn && UUID(text: subject) == nil
    }

    func standing(until idleExpiresAt: Date) -> SessionSnapshot {
        var standing = standing
        standing.idleExpiresAt = idleExpiresAt
        return SessionSnapshot(
            facts: facts, account: account, createdAt: createdAt, expiresAt: expiresAt, deviceName: deviceName,
            administers: administers, dialect: dialect, scopes: scopes, resources: resources,
            requestedClaims: requestedClaims,
            standing: standing)
    }

    /// The memory of the session in a table.
    ///
    /// It counts the value, its strings and lists with the allocator's part, and its claims. The tree of claims takes
    /// several times their text.
    var approximateBytes: Int {
        let texts = [
            facts.clientID, facts.pairwise, facts.provider, facts.acr, account.displayName, account.email, deviceName,
        ]
        let proofs = facts.proofs.list.map { $0.address ?? "" }
        let strings = (texts.compactMap(\.self) + facts.amr + proofs).reduce(0) { $0 + 32 + $1.utf8.count }
        let claims = facts.claims.members.isEmpty ? 0 : 8 * JSON.object(facts.claims).text.utf8.count
        return 2 * MemoryLayout<SessionSnapshot>.size + standing.digest.count + strings + claims + 128
    }
}
