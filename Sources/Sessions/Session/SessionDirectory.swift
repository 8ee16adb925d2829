import Accounts
import Cryptography
package import Foundation
package import Logging
import Metrics
package import Postgres
import Synchronization

/// Who is signed in, without asking the database each time.
///
/// A session that was read once is believed until the database tells of a change (`gateway_sessions`), which reaches
/// every server within a second. While the feed of changes is down, or silent for longer than ``patience``, nothing here is
/// believed and every check reads.
package final class SessionDirectory: Sendable {
    /// What a token says, once its signature was checked.
    private struct KnownToken {
        let session: UUID
        let expires: Date
        let audiences: Set<Audience>
    }

    private struct Known {
        /// Digest of a token's text → what it says.
        ///
        /// Only tokens whose signature was checked get here.
        var tokens: TwoGenerationCache<[UInt8], KnownToken>
        var sessions: TwoGenerationCache<UUID, SessionSnapshot>
        /// Whether changes are heard of.
        var hears = false
        /// When the database last showed that everything it told had arrived.
        var heardAt: ContinuousClock.Instant?

        /// Whether what is known here may be believed.
        var isFresh: Bool {
            guard hears, let heardAt else { return false }
            return .now - heardAt < SessionDirectory.patience
        }

        /// Counts what was heard, so that a read that overlaps a change is not kept.
        var changes = 0
    }

    /// An ended session must not be believed for a second, even where the connection to the database freezes without
    /// breaking.
    package static let patience = Duration.milliseconds(900)

    private static let sessionBytes = Gauge(label: "session_cache_bytes", dimensions: [("kind", "session")])
    private static let tokenCacheBytes = Gauge(label: "session_cache_bytes", dimensions: [("kind", "token")])

    private let known: Mutex<Known>
    private let issuer: TokenIssuer
    private let pool: ConnectionPool
    private let clock: DatabaseClock
    private let logger: Logger

    /// What one token costs: its digest, its entry and the room that a table keeps free.
    private static let tokenBytes = 256

    /// - Parameter memory: bytes that sessions may take, and a quarter as many for tokens.
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

    /// What the database's clock shows: every stored time is compared with it.
    package var now: Date { clock.now }

    /// The live session behind an access token.
    ///
    /// - Parameters:
    ///   - audience: what the token must be good for, beside the app's own API.
    ///   - now: what the database's clock shows, see ``now``.
    /// - Throws: `audienceNotAllowed` where it is not.
    package func check(_ token: String, for audience: Audience? = nil, at now: Date) async throws(Rejection)
        -> SessionSnapshot
    {
        let digest = SHA256.hash(token)
        let cached = known.withLock { known -> SessionSnapshot? in
            guard known.isFresh, let entry = known.tokens[digest], entry.expires > now,
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
            if known.hears, known.changes == before { known.sessions[id] = snapshot }
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
        _ token: String, _ digest: [UInt8], _ audience: Audience?, _ now: Date
    ) async throws(Rejection) -> SessionSnapshot {
        let before = known.withLock { $0.changes }
        let verified = try issuer.verify(token, at: now)
        let session = verified.facts.session
        let audiences = issuer.audiences(verified.claims)
        guard audience.map(audiences.contains) ?? true else { throw .audienceNotAllowed }
        // Not where the keys changed meanwhile: its key may be one that was taken away.
        known.withLock { known in
            if known.changes == before {
                known.tokens[digest] = KnownToken(
                    session: session, expires: verified.expires, audiences: audiences)
            }
        }
        measure()
        let cached = known.withLock { $0.isFresh ? $0.sessions[session] : nil }
        if let cached, cached.expiresAt > now { return cached }
        guard let loaded = try await self.session(session) else { throw .sessionEnded }
        return loaded
    }

    // MARK: Cookies

    /// The live session behind a cookie; using it keeps it alive.
    ///
    /// - Parameter now: what the database's clock shows, see ``now``.
    /// - Throws: `sessionEnded` where it is over, was never of this secret, or has not been used for too long.
    package func check(_ cookie: SessionCookie, at now: Date) async throws(Rejection) -> SessionSnapshot {
        let cached = known.withLock { $0.isFresh ? $0.sessions[cookie.session] : nil }
        if let cached, holds(cached, cookie, now), !cached.isDueForTouch(now) { return cached }
        guard let loaded = try await session(cookie.session), holds(loaded, cookie, now) else { throw .sessionEnded }
        return loaded.isDueForTouch(now) ? try await touched(loaded) : loaded
    }

    private func holds(_ session: SessionSnapshot, _ cookie: SessionCookie, _ now: Date) -> Bool {
        session.expiresAt > now && session.standing.idleExpiresAt > now
            && ConstantTime.equal(session.standing.digest, cookie.digest)
    }

    /// Pushes the end of its idle life away.
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
        guard let end else { throw .sessionEnded }
        let touched = session.standing(until: end)
        known.withLock { known in
            if known.sessions[id] != nil { known.sessions[id] = touched }
        }
        return touched
    }

    // MARK: What the feed tells

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

    /// A client was disabled, or is in use again.
    package func forget(client: String) {
        known.withLock { known in
            known.changes += 1
            known.sessions.removeAll { $0.facts.clientID == client }
        }
    }

    /// Many sessions ended at once.
    package func forgetSessions() {
        known.withLock { known in
            known.changes += 1
            known.sessions.removeAll()
        }
    }

    /// The signing keys changed: which tokens hold is to be checked anew.
    package func forgetTokens() {
        known.withLock { known in
            known.changes += 1
            known.tokens.removeAll()
        }
    }

    /// Everything that the database told before that moment has arrived.
    package func heard(at time: ContinuousClock.Instant) {
        known.withLock { known in known.heardAt = max(known.heardAt ?? time, time) }
    }

    /// From now on changes are heard of, or no longer; either way what was known is no longer known.
    package func hearsChanges(_ hears: Bool) {
        known.withLock { known in
            known.changes += 1
            known.hears = hears
            known.sessions.removeAll()
        }
    }
}

extension SessionSnapshot {
    /// Whether its last use is worth writing down: a tenth of its idle life has gone by, or an hour.
    fileprivate func isDueForTouch(_ now: Date) -> Bool {
        let span = min(Double(standing.idleSeconds) / 10, 3_600)
        return standing.idleExpiresAt.timeIntervalSince(now) < Double(standing.idleSeconds) - span
            && standing.idleExpiresAt < expiresAt
    }
}
