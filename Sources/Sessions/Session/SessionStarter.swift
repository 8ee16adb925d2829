import Accounts
package import Cryptography
package import Foundation

/// Prepares the session that a way in asks for, and the tokens once the database has made it.
package struct SessionStarter: Sendable {
    private let issuer: TokenIssuer
    private let refreshTokens: RefreshTokens
    private let random: RandomBytes
    private let now: @Sendable () -> Date

    /// One proved factor: the lowest level that we tell.
    static let singleFactor = "1"

    package init(
        issuer: TokenIssuer, refreshTokens: RefreshTokens, random: RandomBytes = .system,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.issuer, self.refreshTokens, self.random, self.now) = (issuer, refreshTokens, random, now)
    }

    /// An id for a new row, in the order of time.
    func newID() -> UUID { UUID.v7(at: now(), random: random) }

    /// Always a new session: no id that anybody knew before is ever taken over.
    func request(for request: SignInRequest, provider: String, amr: [String]) -> SessionRequest {
        SessionRequest(
            refreshToken: refreshTokens.first(session: newID()), client: request.client, provider: provider,
            authTime: now(), amr: amr,
            acr: Self.singleFactor, deviceName: request.device.name, caller: request.caller)
    }

    func signedIn(_ session: SessionRequest, person: SignInStore.Person, isNew: Bool) throws(Rejection) -> SignedIn {
        try signedIn(session, account: person.account, identity: person.identity, isNew: isNew, deviceToken: nil)
    }

    func signedIn(
        _ session: SessionRequest, account: AccountSummary, identity: IdentitySummary?, isNew: Bool,
        deviceToken: String?
    ) throws(Rejection) -> SignedIn {
        SignedIn(
            account: account, identity: identity, session: try issued(session, account: account.id),
            isNewAccount: isNew,
            deviceToken: deviceToken)
    }

    private func issued(_ session: SessionRequest, account: UUID) throws(Rejection) -> IssuedSession {
        guard
            let token = try? issuer.issue(
                session.facts(account: account), generation: 0, at: session.authTime,
                life: session.client.accessTokenLife)
        else { throw .internalError }
        return IssuedSession(
            id: session.id, accessToken: token, accessTokenLife: session.client.accessTokenLife,
            refreshToken: refreshTokens.text(session.refreshToken),
            refreshTokenLife: min(session.client.refreshIdle, session.client.refreshMaximum))
    }
}
