package import Clients
import Cryptography
import Foundation
import JSON
package import Logging
package import Postgres
package import Vocabulary

/// Hands the session of an app over by a code, and exchanges the code for it (RFC 6749 §4.1.3, RFC 7636 §4.5).
package final class HandoverService: Sendable {
    /// The members of the app's request.
    package struct Claim: Sendable {
        let code: String
        let verifier: String?
        let redirectURI: String
        /// The resource that the access token is for; nil for the only one, or the app's own API.
        let resource: String?
        let shortestVerifier: Int

        package init(
            code: String, verifier: String?, redirectURI: String, resource: String? = nil, shortestVerifier: Int? = nil
        ) {
            (self.code, self.verifier, self.redirectURI) = (code, verifier, redirectURI)
            self.resource = resource
            self.shortestVerifier = shortestVerifier ?? PKCE.shortestVerifier
        }
    }

    let pool: ConnectionPool
    let codes: HandoverCodes
    let tokens: SessionTokens
    let directory: SessionDirectory
    private let claims: ClaimsService
    let logger: Logger

    package init(
        pool: ConnectionPool, codes: HandoverCodes, tokens: SessionTokens, directory: SessionDirectory,
        claims: ClaimsService, logger: Logger
    ) {
        (self.pool, self.codes, self.tokens) = (pool, codes, tokens)
        (self.directory, self.claims, self.logger) = (directory, claims, logger)
    }

    /// Redeems a code.
    ///
    /// The statement that checks the code also spends it, valid or not.
    ///
    /// - Parameter resources: those of all clients.
    /// - Throws: `handoverCodeInvalid` for every refused code, without the reason; `targetInvalid`; `deletionWaits`;
    ///   `invalidField` for a verifier that can't be one; `keyProofInvalid`.
    package func redeem(
        _ claim: Claim, client: Client, at dialect: TokenDialect, among resources: ResourceCatalogue = .empty,
        caller: Caller
    ) async throws(Rejection) -> IssuedSession {
        try client.requireKey(caller.key, at: dialect)
        let resource = try resources.identifier(claim.resource, by: client)
        if let verifier = claim.verifier, !PKCE.isWellFormed(verifier: verifier, shortest: claim.shortestVerifier) {
            throw .invalidField(.codeVerifier, .malformed)
        }
        guard let code = codes.parse(claim.code) else { throw .handoverCodeInvalid }
        let redeemed = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try Redemption.perform(code, claim, client: client.id, at: dialect, for: resource, caller, connection)
            }
        }
        return try await issue(redeemed, by: code, client, at: dialect, for: resource, among: resources, caller)
    }

    /// The tokens of a redeemed code.
    ///
    /// - Parameter resource: as in ``Claim``, in the spelling of its operator.
    func issue(
        _ redeemed: Redemption, by code: HandoverCode, _ client: Client, at dialect: TokenDialect,
        for resource: String? = nil, among resources: ResourceCatalogue = .empty, _ caller: Caller
    ) async throws(Rejection) -> IssuedSession {
        directory.forget(session: code.session)
        guard case .redeemed(let found) = redeemed else { throw .handoverCodeInvalid }
        let target = try found.resources.target(resource, among: resources)
        let grant = SessionTokens.Grant(
            facts: try await withClaims(found.facts, client, caller).bound(to: caller.key),
            refreshToken: tokens.refreshTokens.first(for: code), refreshTokenLife: found.seconds,
            issuedAt: found.at, scopes: found.scopes, for: target, nonce: found.nonce,
            requested: found.requested.idToken)
        return try await tokens.issue(
            grant, by: try TokenProfile(of: client, at: dialect, administers: found.administers))
    }

    private func withClaims(
        _ facts: AccessTokenFacts, _ client: Client, _ caller: Caller
    ) async throws(Rejection) -> AccessTokenFacts {
        guard client.claims != nil else { return facts }
        guard let session = try await directory.session(facts.session) else { throw .handoverCodeInvalid }
        let begun = try await claims.begin(facts.session, account: session.account, client: client, caller)
        directory.forget(session: facts.session)
        return facts.with(begun ?? [:])
    }
}

/// The result of `web/redeem_handover_code.sql`.
enum Redemption: Sendable {
    case redeemed(Found)
    case refused

    /// The session of a redeemed code.
    struct Found: Sendable {
        let facts: AccessTokenFacts
        let at: Date
        let idleExpiresAt: Date
        /// See ``Client/audiences(administers:)``.
        let administers: Bool
        let scopes: Set<TokenScope>
        let resources: ResourceScopes
        let nonce: String?
        let requested: RequestedClaimNames

        /// The lifetime of the refresh token, in seconds.
        var seconds: Int { Int(idleExpiresAt.timeIntervalSince(at)) }
    }

    static func perform(
        _ code: HandoverCode, _ claim: HandoverService.Claim, client: String, at dialect: TokenDialect,
        for resource: String?, _ caller: Caller, _ connection: Connection
    ) throws -> Redemption {
        let row = try connection.row(
            """
            select outcome, account_id, provider, auth_time, amr, acr, redeemed_at, idle_expires_at, administers, scopes, nonce,
                   requested_claims::text,
                   case when \(dialect == .cognito) then (select proofs::text from sessions where id = \(code.session)) end,
                   actor_id, subject
              from redeem_handover_code(\(code.digest), \(client), \(claim.redirectURI), \(claim.verifier.map(PKCE.challenge)),
                                        \(caller.address), \(caller.userAgent), \(caller.requestID), \(dialect.stored), \(resource), \(caller.key))
            """)
        let scopes = { try row.value(9, as: [String]?.self) ?? [] }
        switch try row.value(0, as: HandoverRedemption.self) {
        case .redeemed: break
        case .invalid, .reused: return .refused
        case .deletionWaits: throw Rejection.deletionWaits
        case .targetRefused: throw Rejection.targetInvalid()
        }
        return .redeemed(
            Found(
                facts: AccessTokenFacts(
                    session: code.session, account: try row.value(1), pairwise: try row.value(14), clientID: client,
                    provider: try row.value(2),
                    authTime: try row.value(3), amr: try row.value(4), acr: try row.value(5),
                    proofs: try Proofs(stored: row.value(12)), actor: try row.value(13)),
                at: try row.value(6), idleExpiresAt: try row.value(7), administers: try row.value(8),
                scopes: Set(names: try scopes()), resources: ResourceScopes(names: try scopes()),
                nonce: try row.value(10),
                requested: try RequestedClaimNames(stored: row.value(11))))
    }
}

/// The outcomes of `redeem_handover_code`.
enum HandoverRedemption: String, OutcomeWord {
    static let functions = ["redeem_handover_code"]

    case redeemed, invalid, reused
    case deletionWaits = "deletion_waits"
    case targetRefused = "target_refused"
}
