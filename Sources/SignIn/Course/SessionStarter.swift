import Clients
package import Cryptography
package import Foundation
import JSON
package import Sessions
import Vocabulary

/// Prepares the session for a sign-in, and issues its credential once the database has created it.
package final class SessionStarter: Sendable {
    private let tokens: SessionTokens
    private let cookies: SessionCookies
    private let codes: HandoverCodes
    private let claims: ClaimsService
    private let browserSessions: BrowserSessions
    private let mailsNewDevices: Bool
    private let now: @Sendable () -> Date

    /// - Parameter mailsNewDevices: whether a sign-in from a new device is reported by mail.
    package init(
        tokens: SessionTokens, keys: MasterKeys, claims: ClaimsService,
        browserSessions: BrowserSessions = BrowserSessions(idle: 259_200, maximum: 2_592_000),
        mailsNewDevices: Bool = true, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.tokens, self.now) = (tokens, now)
        (self.claims, self.browserSessions, self.mailsNewDevices) = (claims, browserSessions, mailsNewDevices)
        cookies = SessionCookies(keys: keys)
        codes = HandoverCodes(keys: keys)
    }

    /// An id for a new row; ids sort by time.
    func newID() -> UUID { UUID.v7(at: now(), random: .system) }

    /// Always a new session: an existing session id is never reused.
    ///
    /// - Parameters:
    ///   - provedAt: the time of the user's last proof; nil for now.
    ///   - name: the typed name, if any.
    ///   - device: the new mark of the device.
    /// - Throws: `clientUnknown` for a client that does not speak the dialect of the tokens, `keyProofInvalid`.
    func request(
        for request: SignInRequest, provider: String, proofs: Proofs, provedAt: Date? = nil, name: String? = nil,
        device: KnownDevices.Mark? = nil
    ) throws(Rejection) -> SessionRequest {
        try request.requireKey()
        let (credential, digest) = credential(request)
        let now = now()
        return SessionRequest(
            credential: credential, digest: digest, client: request.client,
            profile: try profile(request), order: request.tokens,
            provider: provider,
            authTime: min(provedAt ?? now, now), madeAt: now, proofs: proofs, name: name,
            deviceName: request.device.name,
            caller: request.caller, device: request.device.keepsMark ? device : nil,
            presentedMark: request.device.token.flatMap(KnownDevices.digest),
            presentedSession: request.device.session, mailsNewDevice: mailsNewDevices,
            isBrowsers: request.handing == .browser, wish: request.wish)
    }

    /// A browser's session has lifetimes of its own; one with the permission `administration` has the operators' ones.
    private func profile(_ request: SignInRequest) throws(Rejection) -> TokenProfile {
        let profile = try TokenProfile(of: request.client, at: request.tokens.dialect)
        guard request.handing == .browser, !request.client.audiences.contains(.administration) else { return profile }
        return profile.lasting(browserSessions.idle, browserSessions.maximum)
    }

    private func credential(_ request: SignInRequest) -> (SessionCredential, digest: [UInt8]) {
        switch request.handing {
        case .tokens:
            let secret = RandomBytes.system(RefreshToken.secretLength)
            let token = tokens.refreshTokens.first(session: newID(), secret: secret)
            return (.refreshToken(token), token.digest)
        case .cookie, .browser:
            let cookie = cookies.make(session: newID())
            return (.cookie(cookie), cookie.digest)
        case .code(let binding):
            let code = codes.make(session: newID(), binding, nonce: request.tokens.nonce)
            return (.code(code), tokens.refreshTokens.first(for: code).digest)
        }
    }

    func signedIn(_ session: SessionRequest, person: SignInStore.Person, isNew: Bool) async throws(Rejection)
        -> SignedIn
    {
        try await signedIn(session, account: person.account, identity: person.identity, isNew: isNew, deviceToken: nil)
    }

    /// Completes every sign-in: requests the client's extra claims and issues the session.
    ///
    /// - Parameter ends: the latest expiry, if the session replaces an older one.
    func signedIn(
        _ session: SessionRequest, account: AccountSummary, identity: IdentitySummary?, isNew: Bool,
        deviceToken: String?, recoveryCodes: [String]? = nil, ends: Date? = nil
    ) async throws(Rejection) -> SignedIn {
        SignedIn(
            account: account, identity: identity, method: session.provider,
            session: try await handed(session, account, ends),
            sessionID: session.id, isNewAccount: isNew, deviceToken: deviceToken, recoveryCodes: recoveryCodes)
    }

    /// - Parameter target: the resource of the access token; nil for the app's own API.
    func handed(
        _ session: SessionRequest, _ account: AccountSummary, _ ends: Date?, for target: ResourceTarget? = nil
    ) async throws(Rejection) -> HandedSession {
        let terms = session.profile.refresh
        let left = ends.map { max(0, Int($0.timeIntervalSince(now()))) } ?? terms.maximum
        let longest = min(terms.maximum, left)
        switch session.credential {
        case .refreshToken(let refresh):
            let claims = try await claims(session, account)
            let grant = SessionTokens.Grant(
                facts: session.facts(account: account.id, claims: claims), refreshToken: refresh,
                refreshTokenLife: min(terms.idle, longest), issuedAt: session.madeAt, scopes: session.order.scopes,
                for: target, nonce: session.order.nonce)
            return .tokens(try await tokens.issue(grant, by: session.profile))
        case .cookie(let cookie):
            // The sessions of apps have claims. The browser's session, from which they begin, has none.
            if !session.isBrowsers { _ = try await claims(session, account) }
            return .cookie(cookies.text(cookie), life: longest)
        // The redemption of the code requests the claims.
        case .code(let code): return .code(codes.text(code))
        }
    }

    private func claims(_ session: SessionRequest, _ account: AccountSummary) async throws(Rejection) -> JSONObject {
        try await claims.begin(session.id, account: account, client: session.client, session.caller) ?? [:]
    }
}
