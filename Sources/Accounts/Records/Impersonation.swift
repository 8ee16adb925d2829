package import Clients
import Cryptography
package import Foundation
package import OperatorAccess
import Postgres
package import Sessions
package import Vocabulary

/// Sessions in which an operator acts for a user, to see apps and pages as the user sees them.
///
/// Such a session is short and changes nothing in the account (``Rejection/operatorActs``). Each of its tokens names the
/// operator (`act`, RFC 8693 §4.1). The user gets a notice, and the audit log keeps the reason.
package struct Impersonation: Sendable {
    private let desk: AdminDesk
    private let cookies: SessionCookies
    private let tokens: SessionTokens
    private let directory: SessionDirectory
    private let clients: ClientRegistry

    /// The length of a session, in seconds.
    package static let seconds = 1_800

    package init(
        desk: AdminDesk, cookies: SessionCookies, tokens: SessionTokens, directory: SessionDirectory,
        clients: ClientRegistry
    ) {
        (self.desk, self.cookies, self.tokens) = (desk, cookies, tokens)
        (self.directory, self.clients) = (directory, clients)
    }

    /// Begins the session of a browser, from which the sessions of apps begin.
    ///
    /// - Returns: the value of the session cookie.
    package func begin(
        for account: UUID, because reason: Reason, by actor: AdminActor
    ) async throws -> String {
        let cookie = cookies.make(session: desk.newID())
        try await begin(cookie.session, cookie.digest, nil, Self.seconds, for: account, because: reason, by: actor)
        return cookies.text(cookie)
    }

    /// The request of an operator's tool (RFC 8693 §2.1).
    package struct Asked: Sendable {
        let subject: PresentedToken
        let account: UUID
        let reason: Reason

        /// - Parameters:
        ///   - subject: the operator's access token for administration.
        ///   - account: the account of the user for whom the operator acts.
        package init(subject: PresentedToken, account: UUID, reason: Reason) {
            (self.subject, self.account, self.reason) = (subject, account, reason)
        }
    }

    /// A token for the API of an app, without a refresh token.
    ///
    /// - Throws: a ``Rejection`` for a token that is no live one of this client for administration, and the refusals of
    ///   ``AdminDesk``.
    package func token(_ asked: Asked, at client: Client, caller: Caller) async throws -> IssuedSession {
        try client.requireKey(caller.key)
        let now = directory.now
        let session = try await directory.check(asked.subject, for: .administration, at: now)
        try clients.require(.administration, of: session)
        guard session.facts.clientID == client.id else { throw Rejection.subjectTokenInvalid }
        let profile = try TokenProfile(of: client, at: .gateway, administers: false)
        let life = min(profile.access.life, Self.seconds)
        let refresh = tokens.refreshTokens.first(session: desk.newID(), secret: RandomBytes.system(32))
        let actor = AdminActor.session(account: session.facts.account, session: session.facts.session, caller)
        try await begin(
            refresh.session, refresh.digest, client.id, life, for: asked.account, because: asked.reason, by: actor)
        let facts = AccessTokenFacts(
            session: refresh.session, account: asked.account, clientID: client.id, provider: Self.provider,
            authTime: now, amr: [], acr: Proofs.noFactor, actor: session.facts.account, key: caller.key)
        return try await tokens.issue(
            SessionTokens.Grant(
                facts: facts, refreshToken: refresh, refreshTokenLife: life, issuedAt: now, scopes: []), by: profile)
    }

    /// The `idp` of its tokens.
    private static let provider = "operator"

    private func begin(
        _ session: UUID, _ digest: [UInt8], _ client: String?, _ seconds: Int, for account: UUID,
        because reason: Reason, by actor: AdminActor
    ) async throws {
        guard case .session(let operatorAccount, let own, let caller) = actor else { throw AdminRefusal.notAnOperator }
        try await desk.change(.impersonate, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select begin_impersonation(\(operatorAccount), \(own), \(account), \(session), \(client), \(digest), \(Int32(seconds)),
                                           \(caller.address), \(caller.userAgent), \(caller.requestID))
                """)
            _ = try row.operatorAnswer(as: ImpersonationWord.self)
        }
    }
}

/// The outcomes of `begin_impersonation`.
enum ImpersonationWord: String, OutcomeWord {
    static let functions = ["begin_impersonation"]

    case begun
}
