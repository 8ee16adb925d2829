package import Clients
package import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// A session in the list of devices.
package struct DeviceSession: Sendable, Equatable {
    package let id: UUID
    package let clientID: String
    package let provider: String
    package let dialect: TokenDialect
    package let deviceName: String?
    package let address: String?
    package let userAgent: String?
    package let createdAt: Date
    package let lastUsedAt: Date
    /// The end if it is not refreshed.
    package let idleExpiresAt: Date
    /// The absolute end.
    package let expiresAt: Date
    /// The browser's session from which it began; nil without one.
    package let browser: UUID?
}

/// Refreshes, lists and ends sessions.
package final class SessionService: Sendable {
    private let pool: ConnectionPool
    private let tokens: SessionTokens
    private let clients: ClientRegistry
    private let directory: SessionDirectory
    private let claims: ClaimsService
    private let repeats: RefreshRepeats
    private let budget: RefreshBudget
    private let logger: Logger

    package init(
        pool: ConnectionPool, tokens: SessionTokens, clients: ClientRegistry, directory: SessionDirectory,
        claims: ClaimsService, repeats: RefreshRepeats = RefreshRepeats(), budget: RefreshBudget = RefreshBudget(),
        logger: Logger
    ) {
        (self.pool, self.tokens, self.repeats, self.budget) = (pool, tokens, repeats, budget)
        (self.clients, self.directory, self.claims, self.logger) = (clients, directory, claims, logger)
    }

    /// Spends a refresh token and issues its successor, which is derived, so that a lost answer can be repeated.
    ///
    /// Where the profile relaxes the rotation, the token stays the session's.
    ///
    /// - Parameters:
    ///   - owner: the requesting client; nil if the request names none. The statement refuses the session of another
    ///     client, and of a confidential client that was not named, before it spends the token.
    ///   - wish: what the new access token shall cover, within the grant.
    package func refresh(
        _ text: String, of owner: Client? = nil, at dialect: TokenDialect, for wish: RefreshWish = RefreshWish(),
        caller: Caller
    ) async throws(Rejection) -> IssuedSession {
        guard let token = tokens.refreshTokens.parse(text) else {
            throw RefreshTokens.hasShape(text) ? .refreshTokenInvalid : .refreshTokenMalformed
        }
        try await requireKey(of: token, owner, at: dialect, caller)
        let wish = try await checked(wish, of: token, by: owner)
        let link = Link(
            token: token, successor: tokens.refreshTokens.successor(of: token), dialect: dialect,
            resource: wish.resource)
        var rotation = try await rotate(link, owner, nil, caller)
        if case .claimsDue(let account, let clientID) = rotation {
            let renewal = try await renewal(token.session, account, clientID, caller)
            rotation = try await rotate(link, owner, renewal, caller)
            directory.forget(session: token.session)
        }
        switch rotation {
        case .claimsDue: throw .internalError
        case .refused(let rejection):
            if rejection == .refreshTokenReused { directory.forget(session: token.session) }
            throw rejection == .sessionEnded() ? await directory.ending(of: token.session) : rejection
        case .rotated(let session): return try await issue(link.successor, to: session, at: dialect, wish, caller)
        case .kept(let session): return try await issue(token, to: session, at: dialect, wish, caller)
        }
    }

    /// A presented refresh token with its successor.
    private struct Link: Sendable {
        let token: RefreshToken
        let successor: RefreshToken
        let dialect: TokenDialect
        let resource: String?
    }

    /// The app of a refresh that names none is that of the session.
    private func requireKey(
        of token: RefreshToken, _ owner: Client?, at dialect: TokenDialect, _ caller: Caller
    ) async throws(Rejection) {
        if let owner { return try owner.requireKey(caller.key, at: dialect) }
        guard clients.bindsTokens, let session = try await directory.live(token.session, at: directory.now) else {
            return
        }
        try clients.client(session.facts.clientID)?.requireKey(caller.key, at: dialect)
    }

    /// The wish with the resource as its operator spells it; one for more than the grant leaves the token unspent.
    private func checked(
        _ wish: RefreshWish, of token: RefreshToken, by owner: Client?
    ) async throws(Rejection) -> RefreshWish {
        let resource = try owner.flatMap { (owner) throws(Rejection) in
            try clients.resources.identifier(wish.resource, by: owner)
        }
        // The scopes of a session never change.
        if wish.scopes != nil, let session = try await directory.session(token.session) {
            try wish.check(against: session)
        }
        return wish.naming(resource)
    }

    private func rotate(
        _ link: Link, _ owner: Client?, _ renewal: ClaimsUpdate?, _ caller: Caller
    ) async throws(Rejection) -> Rotation {
        try await rejecting(logger) {
            let statement = Rotation.statement(
                link.token, link.successor, owner: owner?.id, repeats: repeats, budget: budget,
                relaxed: clients.withRelaxedRotation(at: link.dialect), at: link.dialect, for: link.resource,
                renewal, caller)
            return try await pool.queryOne(statement) { row in try Rotation(row, of: link.token) }
        }
    }

    /// A refresh repeats no nonce (OpenID Connect Core §12.2).
    private func issue(
        _ token: RefreshToken, to session: Rotation.Refreshed, at dialect: TokenDialect, _ wish: RefreshWish,
        _ caller: Caller
    ) async throws(Rejection) -> IssuedSession {
        guard let client = clients.client(session.facts.clientID) else { throw .clientUnknown() }
        let target = try session.resources.target(wish.resource, among: clients.resources)
        let grant = SessionTokens.Grant(
            facts: session.facts.bound(to: caller.key), refreshToken: token, refreshTokenLife: session.seconds,
            issuedAt: session.at,
            scopes: wish.narrowing(session.scopes), for: wish.narrowing(target))
        return try await tokens.issue(
            grant, by: try TokenProfile(of: client, at: dialect, administers: session.administers))
    }

    /// The claims to store with the rotation.
    ///
    /// If they are unavailable, the token stays unspent.
    private func renewal(
        _ session: UUID, _ account: UUID, _ clientID: String, _ caller: Caller
    ) async throws(Rejection) -> ClaimsUpdate {
        guard let client = clients.client(clientID) else { throw .clientUnknown() }
        guard client.claims != nil else { return .none }
        guard let snapshot = try await directory.session(session) else { throw .sessionEnded() }
        return try await claims.renewed(account: snapshot.account, client: client, caller)
    }

    /// The names of the account behind a refresh token: its id, sign-in names and the user names of its SRP verifiers.
    ///
    /// Empty for an unknown session.
    ///
    /// - Throws: `refreshTokenMalformed` for a token that this service did not issue.
    package func userNames(ofRefreshToken text: String) async throws(Rejection) -> [String] {
        guard let token = tokens.refreshTokens.parse(text) else { throw .refreshTokenMalformed }
        return try await userNames(of: token.session)
    }

    /// The names of the account of a session, as for a refresh token.
    package func userNames(of session: UUID) async throws(Rejection) -> [String] {
        try await rejecting(logger) {
            try await pool.query(
                """
                select n.name
                  from sessions s join accounts a on a.id = s.account_id,
                       lateral (select a.id::text union all select a.user_name
                                union all select v.user_id::text from srp_verifiers v where v.account_id = a.id
                                union all select address from account_emails e where e.account_id = a.id
                                union all select phone_key from account_phones p where p.account_id = a.id) n (name)
                 where s.id = \(session) and n.name is not null
                """
            ) { try $0.value(0) }
        }
    }

    /// The session of a cookie, after renewing claims that are due.
    package func current(_ session: SessionSnapshot, caller: Caller, at now: Date) async throws(Rejection)
        -> SessionSnapshot
    {
        guard let due = session.standing.claimsDueAt, due <= now, let client = clients.client(session.facts.clientID)
        else { return session }
        try await claims.renew(session, client: client, caller)
        directory.forget(session: session.facts.session)
        guard let renewed = try await directory.session(session.facts.session) else { throw .sessionEnded() }
        return renewed
    }

    package func list(account: UUID) async throws(Rejection) -> [DeviceSession] {
        try await rejecting(logger) {
            try await pool.query(
                """
                select id, client_id, provider, device_name, address, user_agent, created_at, rotated_at,
                       least(idle_expires_at, expires_at), expires_at, dialect, browser_id
                  from sessions s
                 where account_id = \(account) and ended_at is null and idle_expires_at > now() and expires_at > now()
                   and not exists (select from clients c
                                    where c.id = s.client_id and (c.disabled_at is not null or s.created_at < c.live_since))
                 order by rotated_at desc, id
                """
            ) { row in
                DeviceSession(
                    id: try row.value(0), clientID: try row.value(1), provider: try row.value(2),
                    dialect: TokenDialect(stored: try row.value(10)),
                    deviceName: try row.value(3),
                    address: try row.value(4), userAgent: try row.value(5), createdAt: try row.value(6),
                    lastUsedAt: try row.value(7),
                    idleExpiresAt: try row.value(8), expiresAt: try row.value(9), browser: try row.value(11))
            }
        }
    }

    /// Ends one session of an account; false if the account has no such open session.
    ///
    /// The end of a browser's session ends the sessions of apps that began from it.
    ///
    /// - Parameter successor: the session of the same browser from which those go on.
    @discardableResult
    package func end(
        _ session: UUID, of account: UUID, reason: String, client: String?, successor: UUID? = nil, caller: Caller
    ) async throws(Rejection) -> Bool {
        let ended = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    "select end_session(\(account), \(session), \(reason), \(client), \(caller.address), \(caller.requestID), \(successor))"
                ).map { try $0.value(0, as: Bool.self) } ?? false
            }
        }
        directory.forget(session: session)
        return ended
    }

    package func endAll(of account: UUID, asking session: UUID, client: String, caller: Caller) async throws(Rejection)
    {
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                _ = try connection.queryOne(
                    "select sign_out_everywhere(\(account), \(session), \(client), \(caller.address), \(caller.requestID))"
                )
            }
        }
        directory.forget(account: account)
    }
}
