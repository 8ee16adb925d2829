package import Clients
package import Foundation
package import Logging
package import Vocabulary

/// Issues the tokens of sessions by their profiles.
package struct SessionTokens: Sendable {
    /// One set of tokens of a session.
    package struct Grant: Sendable {
        let facts: AccessTokenFacts
        let refreshToken: RefreshToken
        /// In seconds.
        let refreshTokenLife: Int
        let issuedAt: Date
        /// Empty: no ID token.
        let scopes: Set<TokenScope>
        /// Nil for a token at the app's own API.
        let target: ResourceTarget?
        var nonce: String?
        /// The claims that the request names for the ID token.
        var requested: Set<String>

        package init(
            facts: AccessTokenFacts, refreshToken: RefreshToken, refreshTokenLife: Int, issuedAt: Date,
            scopes: Set<TokenScope>, for target: ResourceTarget? = nil, nonce: String? = nil,
            requested: Set<String> = []
        ) {
            (self.facts, self.refreshToken, self.refreshTokenLife) = (facts, refreshToken, refreshTokenLife)
            (self.issuedAt, self.scopes, self.nonce, self.requested) = (issuedAt, scopes, nonce, requested)
            self.target = target
        }
    }

    let issuer: TokenIssuer
    package let refreshTokens: RefreshTokens
    private let profiles: AccountProfiles
    private let subjects: PairwiseSubjects
    private let keyStore: SigningKeyStore
    private let logger: Logger

    package init(
        issuer: TokenIssuer, refreshTokens: RefreshTokens, profiles: AccountProfiles, subjects: PairwiseSubjects,
        keyStore: SigningKeyStore, logger: Logger
    ) {
        (self.issuer, self.refreshTokens, self.profiles, self.logger) = (issuer, refreshTokens, profiles, logger)
        (self.subjects, self.keyStore) = (subjects, keyStore)
    }

    /// Signs the tokens.
    ///
    /// - Throws: `sessionEnded` if an ID token needs the data of an account that is no longer active.
    package func issue(_ grant: Grant, by profile: TokenProfile) async throws(Rejection) -> IssuedSession {
        let scopes = grant.scopes.intersection(profile.id.scopes)
        // No token of an impersonation outlives its session.
        let longest = grant.facts.actor == nil ? nil : grant.refreshTokenLife
        let access = profile.reaching(grant.target).access.ending(within: longest)
        // RSA keys are made when the first token needs one.
        try await rejecting(logger) { try await keyStore.ready(access.algorithm, in: issuer.keys) }
        let facts = try await subjects.facts(grant.facts, at: grant.target?.resource)
        guard
            let token = try? issuer.issue(
                facts, scopes, generation: grant.refreshToken.generation, at: grant.issuedAt, by: access)
        else { throw .internalError }
        return IssuedSession(
            id: grant.facts.session, account: grant.facts.account,
            hasTwoFactors: grant.facts.acr == Proofs.multiFactor, accessToken: token, accessTokenLife: access.life,
            refreshToken: refreshTokens.text(grant.refreshToken), refreshTokenLife: grant.refreshTokenLife,
            idToken: try await idToken(grant, scopes, token, profile.id.ending(within: longest)), scopes: scopes,
            resourceScopes: grant.target?.scopes ?? [],
            tokenType: AccessTokenFacts.tokenType(boundTo: grant.facts.key))
    }

    private func idToken(
        _ grant: Grant, _ scopes: Set<TokenScope>, _ access: String, _ terms: TokenProfile.IDToken
    ) async throws(Rejection) -> String? {
        guard terms.isIssued(for: scopes) else { return nil }
        try await rejecting(logger) { try await keyStore.ready(terms.algorithm, in: issuer.keys) }
        let facts = IDTokenFacts(
            session: grant.facts, scopes: terms.stated(scopes), nonce: grant.nonce, requested: grant.requested,
            profile: terms.needsProfile(for: scopes, and: grant.requested)
                ? try await profile(of: grant.facts.account).keeping(terms.attributes) : nil)
        guard
            let token = try? issuer.idToken(
                facts, generation: grant.refreshToken.generation, beside: access, at: grant.issuedAt, by: terms)
        else { throw .internalError }
        return token
    }

    /// The account's data.
    private func profile(of account: UUID) async throws(Rejection) -> AccountProfile {
        let profile = try await rejecting(logger) { try await profiles.profile(account) }
        guard let profile else { throw .sessionEnded() }
        return profile
    }
}
