import Accounts
package import Cryptography
package import Foundation

/// Prepares the session that a way in asks for, and what its owner gets once the database has made it.
package struct SessionStarter: Sendable {
    private let issuer: TokenIssuer
    private let refreshTokens: RefreshTokens
    private let cookies: SessionCookies
    private let codes: HandoverCodes
    private let random: RandomBytes
    private let now: @Sendable () -> Date

    package init(
        issuer: TokenIssuer, refreshTokens: RefreshTokens, keys: MasterKeys, random: RandomBytes = .system,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.issuer, self.refreshTokens, self.random, self.now) = (issuer, refreshTokens, random, now)
        cookies = SessionCookies(keys: keys, random: random)
        codes = HandoverCodes(keys: keys, random: random)
    }

    /// An id for a new row, in the order of time.
    func newID() -> UUID { UUID.v7(at: now(), random: random) }

    /// `name`: what was typed, where something was.
    ///
    /// Always a new session: no id that anybody knew before is ever taken over.
    func request(for request: SignInRequest, provider: String, proofs: Proofs, name: String? = nil) -> SessionRequest {
        let (credential, digest) = credential(request.handing)
        return SessionRequest(
            credential: credential, digest: digest, client: request.client, provider: provider, authTime: now(),
            proofs: proofs, name: name, deviceName: request.device.name,
            caller: request.caller)
    }

    private func credential(_ handing: SessionHanding) -> (SessionCredential, digest: [UInt8]) {
        switch handing {
        case .tokens:
            let token = refreshTokens.first(session: newID())
            return (.refreshToken(token), token.digest)
        case .cookie:
            let cookie = cookies.make(session: newID())
            return (.cookie(cookie), cookie.digest)
        case .code(let binding):
            let code = codes.make(session: newID())
            return (.code(code, binding), refreshTokens.first(for: code).digest)
        }
    }

    func signedIn(_ session: SessionRequest, person: SignInStore.Person, isNew: Bool) throws(Rejection) -> SignedIn {
        try signedIn(session, account: person.account, identity: person.identity, isNew: isNew, deviceToken: nil)
    }

    func signedIn(
        _ session: SessionRequest, account: AccountSummary, identity: IdentitySummary?, isNew: Bool,
        deviceToken: String?, recoveryCodes: [String]? = nil
    ) throws(Rejection) -> SignedIn {
        SignedIn(
            account: account, identity: identity, session: try handed(session, account: account.id),
            sessionID: session.id, isNewAccount: isNew, deviceToken: deviceToken, recoveryCodes: recoveryCodes)
    }

    private func handed(_ session: SessionRequest, account: UUID) throws(Rejection) -> HandedSession {
        let life = min(session.client.refreshIdle, session.client.refreshMaximum)
        switch session.credential {
        case .refreshToken(let refresh):
            guard
                let token = try? issuer.issue(
                    session.facts(account: account), generation: 0, at: session.authTime,
                    life: session.client.accessTokenLife)
            else { throw .internalError }
            return .tokens(
                IssuedSession(
                    id: session.id, accessToken: token, accessTokenLife: session.client.accessTokenLife,
                    refreshToken: refreshTokens.text(refresh), refreshTokenLife: life))
        case .cookie(let cookie): return .cookie(cookies.text(cookie), life: session.client.refreshMaximum)
        case .code(let code, let binding): return .code(codes.text(code), binding)
        }
    }
}
