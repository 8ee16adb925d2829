package import Clients
import Cryptography
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
                try self.redemption(of: code, claim, client, at: dialect, for: resource, caller, connection)
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
