package import Clients
package import Foundation
package import JSON
package import Logging
package import Postgres
package import Vocabulary

/// Introspection (RFC 7662) and revocation (RFC 7009) of tokens, for back ends.
///
/// A client can inspect its own tokens, and those for its resources. Any other token gets the same answer as an invented one.
package struct TokenInspector: Sendable {
    let issuer: TokenIssuer
    private let refreshTokens: RefreshTokens
    let directory: SessionDirectory
    private let sessions: SessionService
    private let clients: ClientRegistry
    let pool: ConnectionPool
    let logger: Logger

    package init(
        issuer: TokenIssuer, refreshTokens: RefreshTokens, directory: SessionDirectory, sessions: SessionService,
        clients: ClientRegistry, pool: ConnectionPool, logger: Logger
    ) {
        self.clients = clients
        (self.issuer, self.refreshTokens, self.directory) = (issuer, refreshTokens, directory)
        (self.sessions, self.pool, self.logger) = (sessions, pool, logger)
    }

    /// The members of the introspection answer; `{"active": false}` unless it is a live token of the client.
    package func introspect(_ token: String, client: Client, at now: Date) async throws(Rejection) -> JSONObject {
        if let refresh = refreshTokens.parse(token) { return try await introspect(refresh, client: client) }
        guard let verified = try? issuer.verifyForAny(token, at: now), Self.sees(verified, client),
            try await isLive(verified, at: now)
        else { return Self.inactive }
        var answer = verified.claims
        answer["active"] = true
        let key = AccessTokenFacts.key(in: verified.claims)
        answer["token_type"] = .string(AccessTokenFacts.tokenType(boundTo: key))
        return answer
    }

    /// Ends the session of one of the client's refresh or access tokens, in the form of any dialect.
    ///
    /// Any other text is no error, nor is another client's token (RFC 7009 §2.2).
    ///
    /// - Throws: `tokenTypeUnsupported` for an ID token, which opens nothing, so that nobody believes its session over.
    package func revoke(_ token: String, client: Client, caller: Caller, at now: Date) async throws(Rejection) {
        let named: (session: UUID, subject: String?)
        if let refresh = refreshTokens.parse(token) {
            named = (refresh.session, nil)
        } else if let access = try issuer.revocable(token, at: now) {
            named = (access.session, access.subject)
        } else {
            return
        }
        guard let snapshot = try await directory.session(named.session), snapshot.facts.clientID == client.id,
            named.subject.map({ snapshot.isNamed(by: $0, isOwn: false) }) ?? true
        else { return }
        try await sessions.end(
            named.session, of: snapshot.facts.account, reason: "revoked", client: client.id, caller: caller)
    }

    /// A token of a user lives with the session, one of an app until the app is disabled.
    private func isLive(_ token: TokenIssuer.Verified, at now: Date) async throws(Rejection) -> Bool {
        if let user = token.user {
            let live = try await directory.live(user.session, at: now)
            return live?.isNamed(by: user.subject, isOwn: token.isOwn) == true
        }
        if let key = token.accessKey, clients.accessKey(key) == nil { return false }
        guard let issued = token.claims["iat"]?.integer else { return false }
        return token.claims["client_id"]?.string.flatMap(clients.client)?.accepts(tokenIssued: issued) ?? false
    }

    private static func sees(_ token: TokenIssuer.Verified, _ client: Client) -> Bool {
        token.claims["client_id"] == .string(client.publicID)
            || client.openID.resources.contains { .string($0.identifier) == token.claims["aud"] }
    }

    private static let inactive: JSONObject = ["active": false]

    private func introspect(_ token: RefreshToken, client: Client) async throws(Rejection) -> JSONObject {
        let row: (subject: String, expires: Date, created: Date)? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select coalesce(subject, account_id::text), least(idle_expires_at, expires_at), rotated_at from sessions
                     where id = \(token.session) and client_id = \(client.id) and generation = \(Int32(token.generation))
                       and refresh_digest = \(token.digest) and ended_at is null and idle_expires_at > now() and expires_at > now()
                    """
                ).map { (try $0.value(0), try $0.value(1), try $0.value(2)) }
            }
        }
        guard let row else { return Self.inactive }
        return [
            "active": true, "token_type": "refresh_token", "client_id": .string(client.publicID),
            "sub": .string(row.subject),
            "sid": .string(token.session.text), "iat": .integer(Int(row.created.timeIntervalSince1970)),
            "exp": .integer(Int(row.expires.timeIntervalSince1970)), "iss": .string(issuer.issuer),
        ]
    }
}
