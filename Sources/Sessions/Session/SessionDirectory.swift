package import Clients
import Cryptography
package import Foundation
package import Logging
import Metrics
package import Postgres
import Synchronization
package import Vocabulary

/// Live sessions, with a cache that saves a query per check.
///
/// A cached session is valid until the database notifies of a change (`gateway_sessions`), which reaches every server
/// within a second. While the change feed is down, or silent for longer than ``patience``, the cache is not used.
package final class SessionDirectory: Sendable {
    /// The claims of a token with a verified signature.
    private struct KnownToken {
        let session: UUID
        let expires: Date
        let audiences: Set<Audience>
        /// The thumbprint of the key to which it is bound.
        let key: String?
    }

    private struct Known {
        /// Verified tokens by the digest of their text.
        var tokens: TwoGenerationCache<[UInt8], KnownToken>
        var sessions: TwoGenerationCache<UUID, SessionSnapshot>
        /// Whether the change feed works.
        var isFeedUp = false
        /// The time of the last proof that no notification is missing.
        var feedCompleteAt: ContinuousClock.Instant?

        /// Whether the cache may be used.
        var isFresh: Bool {
            guard isFeedUp, let feedCompleteAt else { return false }
            return .now - feedCompleteAt < SessionDirectory.patience
        }

        /// Counts changes, so that a read during a change is not cached.
        var changes = 0
    }

    /// An ended session must be refused within a second, even if the connection to the database hangs.
    package static let patience = Duration.milliseconds(900)

    private static let sessionBytes = Gauge(label: "session_cache_bytes", dimensions: [("kind", "session")])
    private static let tokenCacheBytes = Gauge(label: "session_cache_bytes", dimensions: [("kind", "token")])

    private let known: Mutex<Known>
    package let issuer: TokenIssuer
    private let pool: ConnectionPool
    private let clock: DatabaseClock
    private let logger: Logger

    /// The memory of one token in bytes: digest, entry and free space in the table.
    private static let tokenBytes = 256

    /// - Parameter memory: the limit for sessions in bytes; a quarter of it is the limit for tokens.
    package init(
        issuer: TokenIssuer, pool: ConnectionPool, clock: DatabaseClock = DatabaseClock(), memory: Int = 16 << 20,
        logger: Logger
    ) {
        (self.issuer, self.pool, self.clock, self.logger) = (issuer, pool, clock, logger)
        known = Mutex(
            Known(
                tokens: TwoGenerationCache(capacity: memory / 4 / Self.tokenBytes),
                sessions: TwoGenerationCache(capacity: memory) { $0.approximateBytes }))
    }

    /// The time of the database, which all stored times refer to.
    package var now: Date { clock.now }

    /// The live session behind an access token.
    ///
    /// - Parameters:
    ///   - audience: the audience that the token must have; nil for the app's own API.
    ///   - now: the time of the database, see ``now``.
    /// - Throws: `audienceNotAllowed` if the token lacks it, `tokenInvalid` for a bound token without a proof of its key.
    package func check(_ token: PresentedToken, for audience: Audience? = nil, at now: Date) async throws(Rejection)
        -> SessionSnapshot
    {
        let digest = SHA256.hash(token.text)
        let cached = known.withLock { known -> SessionSnapshot? in
            guard known.isFresh, let entry = known.tokens[digest], entry.expires > now, entry.key == token.key,
                audience.map(entry.audiences.contains) ?? true
            else { return nil }
            return known.sessions[entry.session]
        }
        if let cached, cached.expiresAt > now { return cached }
        return try await verifyAndLoad(token, digest, audience, now)
    }

    /// The live session of that id.
    package func session(_ id: UUID) async throws(Rejection) -> SessionSnapshot? {
        let before = known.withLock { $0.changes }
        let snapshot = try await rejecting(logger) {
            try await pool.withConnection { connection in try SessionSnapshot.load(id, connection) }
        }
        known.withLock { known in
            if known.isFeedUp, known.changes == before { known.sessions[id] = snapshot }
        }
        measure()
        return snapshot
    }

    /// Records the sizes of both caches, in bytes.
    private func measure() {
        let (sessions, tokens) = known.withLock { ($0.sessions.totalCost, $0.tokens.totalCost) }
        Self.sessionBytes.record(sessions)
        Self.tokenCacheBytes.record(tokens * Self.tokenBytes)
    }

    private func verifyAndLoad(
        _ token: PresentedToken, _ digest: [UInt8], _ audience: Audience?, _ now: Date
    ) async throws(Rejection) -> SessionSnapshot {
        let before = known.withLock { $0.changes }
        let (verified, user) = try issuer.verify(token.text, at: now)
        guard user.key == token.key else { throw .tokenInvalid }
        let session = user.session
        let audiences = issuer.audiences(verified.claims)
        guard audience.map(audiences.contains) ?? true else { throw .audienceNotAllowed }
        guard let live = try await live(session, at: now) else { throw await ending(of: session) }
        guard live.isNamed(by: user.subject, isOwn: true) else { throw .tokenInvalid }
        // Not after a change of the keys: the token's key may have been revoked.
        known.withLock { known in
            if known.changes == before {
                known.tokens[digest] = KnownToken(
                    session: session, expires: verified.expires, audiences: audiences, key: user.key)
            }
        }
        measure()
        return live
    }

    /// A session that is live, from memory where that may be used.
    func live(_ session: UUID, at now: Date) async throws(Rejection) -> SessionSnapshot? {
        let cached = known.withLock { $0.isFresh ? $0.sessions[session] : nil }
        if let cached, cached.expiresAt > now { return cached }
        return try await self.session(session)
    }

    /// The live session behind an access token of Cognito's form, and the scopes of the token.
    ///
    /// Only sessions are cached: RS256 verifies faster than a cache of tokens would pay for.
    ///
    /// - Parameters:
    ///   - scope: the scope that the token must have; nil for any.
    ///   - now: the time of the database, see ``now``.
    /// - Throws: `tokenInvalid` also for a session of another dialect, `audienceNotAllowed` without the scope.
    package func checkCognito(
        _ token: String, for scope: TokenScope? = .cognitoAPI, at now: Date
    ) async throws(Rejection) -> (session: SessionSnapshot, scopes: Set<TokenScope>) {
        let access = try issuer.verifyCognito(token, at: now)
        guard scope.map(access.scopes.contains) ?? true else { throw .audienceNotAllowed }
        let cached = known.withLock { $0.isFresh ? $0.sessions[access.session] : nil }
        var live = cached.flatMap { $0.expiresAt > now ? $0 : nil }
        if live == nil { live = try await session(access.session) }
        guard let live else { throw await ending(of: access.session) }
        guard live.dialect == .cognito else { throw .tokenInvalid }
        return (live, access.scopes)
    }

    /// The refusal of an ended session with its reason, for the holder of an authentic token.
    func ending(of session: UUID) async -> Rejection {
        let statement: SQL = """
            select case when s.ended_at is not null then s.end_reason
                        when a.status <> 'active' then 'account_' || a.status
                        when s.created_at < c.live_since then 'revoked_by_operator'
                        when c.disabled_at is not null then 'client_disabled'
                        when s.expires_at <= now() or s.idle_expires_at <= now() then 'expired' end
              from sessions s
              left join accounts a on a.id = s.account_id
              left join clients c on c.id = s.client_id
             where s.id = \(session)
            """
        let reason: String? = try? await pool.queryOne(statement) { try $0?.value(0) }
        return .sessionEnded(reason.flatMap(SessionEnd.init(recorded:)))
    }

    // MARK: Cookies

    /// The live session of a cookie.
    ///
    /// Use extends its idle timeout.
    ///
    /// - Parameter now: the time of the database, see ``now``.
    /// - Throws: `sessionEnded` if the session is over or idle, or the secret is wrong.
    package func check(_ cookie: SessionCookie, at now: Date) async throws(Rejection) -> SessionSnapshot {
        let cached = known.withLock { $0.isFresh ? $0.sessions[cookie.session] : nil }
        if let cached, holds(cached, cookie, now), !cached.isDueForTouch(now) { return cached }
        guard let loaded = try await session(cookie.session), holds(loaded, cookie, now) else { throw .sessionEnded() }
        return loaded.isDueForTouch(now) ? try await touched(loaded) : loaded
    }

    private func holds(_ session: SessionSnapshot, _ cookie: SessionCookie, _ now: Date) -> Bool {
        session.expiresAt > now && session.standing.idleExpiresAt > now
            && ConstantTime.equal(session.standing.digest, cookie.digest)
    }

    /// Extends the idle timeout.
    private func touched(_ session: SessionSnapshot) async throws(Rejection) -> SessionSnapshot {
        let id = session.facts.session
        let end: Date? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    update sessions
                       set rotated_at = now(), idle_expires_at = least(expires_at, now() + make_interval(secs => idle_seconds))
                     where id = \(id) and ended_at is null and idle_expires_at > now()
                    returning idle_expires_at
                    """
                ).map { try $0.value(0) }
            }
        }
        guard let end else { throw .sessionEnded() }
        let touched = session.standing(until: end)
        known.withLock { known in
            if known.sessions[id] != nil { known.sessions[id] = touched }
        }
        return touched
    }

    // MARK: Change notifications

    package func forget(session: UUID) {
        known.withLock { known in
            known.changes += 1
            known.sessions[session] = nil
        }
    }

    package func forget(account: UUID) {
        known.withLock { known in
            known.changes += 1
            known.sessions.removeAll { $0.account.id == account }
        }
    }

    /// A client was disabled or enabled.
    package func forget(client: String) {
        known.withLock { known in
            known.changes += 1
            known.sessions.removeAll { $0.facts.clientID == client }
        }
    }

    /// Many sessions ended at once.
    func forgetSessions() {
        known.withLock { known in
            known.changes += 1
            known.sessions.removeAll()
        }
    }

    /// The signing keys changed, so every token has to be verified again.
    package func forgetTokens() {
        known.withLock { known in
            known.changes += 1
            known.tokens.removeAll()
        }
    }

    /// Every notification from before `time` has arrived.
    package func feedIsComplete(at time: ContinuousClock.Instant) {
        known.withLock { known in known.feedCompleteAt = max(known.feedCompleteAt ?? time, time) }
    }

    /// Records the start or the loss of the change feed; both empty the cache of sessions.
    package func setFeed(isUp: Bool) {
        known.withLock { known in
            known.changes += 1
            known.isFeedUp = isUp
            known.sessions.removeAll()
        }
    }
}

extension SessionSnapshot {
    /// Whether to store the use: after a tenth of the idle timeout, or an hour if that is less.
    fileprivate func isDueForTouch(_ now: Date) -> Bool {
        let span = min(Double(standing.idleSeconds) / 10, 3_600)
        return standing.idleExpiresAt.timeIntervalSince(now) < Double(standing.idleSeconds) - span
            && standing.idleExpiresAt < expiresAt
    }
}
