package import Clients
import Cryptography
package import Sessions
package import Vocabulary

/// The destination after a sign-in on a hosted page, and the delivery of the session to it.
///
/// It is checked at the start and the end of the flow, because a registration may be removed in between.
package struct LoginTarget: Sendable, Equatable {
    /// The app's redirect address; nil for a page of our own.
    package let redirectURI: RedirectURI?
    /// The return path if there is no redirect address; nil for the account page.
    package let returnPath: ReturnPath?
    /// The app's state, to be returned unchanged.
    package let state: String?
    /// The PKCE challenge of an app, which gets a code; a website gets a cookie.
    package let challenge: String?
    /// The tokens that the code is redeemed for.
    package let tokens: TokenOrder
    /// How the answer reaches the app.
    package let mode: ResponseMode
    /// The dialect of the request, whose issuer the answer names.
    package let dialect: TokenDialect

    /// The app's `state`, `nonce` and `scope` together may have this many bytes.
    ///
    /// They travel to providers inside our own state, whose encoding is a third longer. Microsoft accepts a state of some
    /// 1,800 bytes.
    static let maximumStateLength = 1_024
    /// A longer state still returns with a refusal, as long as it fits into an address.
    private static let longestEcho = 4_096

    /// The parameters of a request, unverified.
    package struct Asked: Sendable, Equatable {
        package var redirectURI: String?
        package var state: String?
        package var challenge: String?
        package var challengeMethod: String?
        package var returnTo: String?
        package var scope: String?
        package var nonce: String?
        package var responseMode: String?
        /// The dialect of the door that began the sign-in; nil for the gateway's own pages.
        package var dialect: String?

        package init(
            redirectURI: String? = nil, state: String? = nil, challenge: String? = nil,
            challengeMethod: String? = nil, returnTo: String? = nil, scope: String? = nil, nonce: String? = nil,
            responseMode: String? = nil, dialect: String? = nil
        ) {
            (self.redirectURI, self.state, self.returnTo) = (redirectURI, state, returnTo)
            (self.challenge, self.challengeMethod) = (challenge, challengeMethod)
            (self.scope, self.nonce) = (scope, nonce)
            (self.responseMode, self.dialect) = (responseMode, dialect)
        }
    }

    /// - Parameter ownOrigin: scheme, host and port of our public address.
    /// - Throws: `redirectNotAllowed` for an unregistered address, `codeChallengeRequired` if the session would have to
    ///   be in the address, `invalidField` for a malformed value.
    package init(_ asked: Asked, client: Client, ownOrigin: String) throws(Rejection) {
        if let method = asked.challengeMethod, method != "S256" {
            throw .invalidField(.codeChallengeMethod, .mustBeS256)
        }
        if let challenge = asked.challenge, !PKCE.isChallenge(challenge) {
            throw .invalidField(.codeChallenge, .malformed)
        }
        if let state = asked.state, !Self.isState(state) {
            throw .invalidField(.state, .malformed)
        }
        guard let text = asked.redirectURI else {
            guard asked.challenge == nil else { throw .invalidField(.redirectURI, .required) }
            (redirectURI, state, challenge, tokens) = (nil, nil, nil, .gateway)
            (mode, dialect) = (.query, .gateway)
            returnPath = try Self.ownPage(asked.returnTo)
            return
        }
        if let other = asked.returnTo { throw .redirectNotAllowed(SentText(other)) }
        returnPath = nil
        guard let uri = client.redirectURI(text) else { throw client.refusal(ofAddress: text) }
        guard asked.challenge != nil || Self.takesCookie(uri, client, ownOrigin) else { throw .codeChallengeRequired }
        (redirectURI, state, challenge) = (uri, asked.state, asked.challenge)
        mode = try ResponseMode(asked.responseMode, to: uri, carriesCode: asked.challenge != nil)
        dialect = TokenDialect(stored: asked.dialect)
        tokens = asked.challenge == nil ? .gateway : try Self.tokens(asked)
    }

    /// The ID token of an app's session; a cookie's session has none.
    private static func tokens(_ asked: Asked) throws(Rejection) -> TokenOrder {
        let order = try TokenOrder(at: .gateway, scope: asked.scope, nonce: asked.nonce)
        let length = [asked.state, order.nonce, order.scope].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        guard length <= maximumStateLength else { throw .invalidField(.state, .tooLong) }
        return order
    }

    /// Whether a state can return to its app with a refusal.
    package static func canEcho(_ state: String) -> Bool {
        state.utf8.count <= longestEcho && isVisible(state)
    }

    /// The delivery of the session: from a browser's one begins that of the app that waits for a code.
    package var handing: SessionHanding { challenge != nil || returnPath?.isRequest == true ? .browser : .cookie }

    /// The session that an app's request asks for; nil where no code is asked for.
    package func appSession(of client: Client) -> AppSession? {
        guard let redirectURI, let challenge else { return nil }
        let binding = CodeBinding(redirectURI: redirectURI.text, challenge: challenge)
        let tokens = tokens.at(dialect).limited(to: client.openID.scopes)
        return AppSession(of: client, binding, tokens: tokens, outlivesBrowser: true)
    }

    /// The parameters for the next page or request.
    package var asked: Asked {
        Asked(
            redirectURI: redirectURI?.text, state: state, challenge: challenge, returnTo: returnPath?.text,
            scope: tokens.scope, nonce: tokens.nonce, responseMode: mode == .query ? nil : mode.rawValue,
            dialect: dialect.stored)
    }

    private static func ownPage(_ asked: String?) throws(Rejection) -> ReturnPath? {
        guard let asked else { return nil }
        guard let path = ReturnPath(asked) else { throw .redirectNotAllowed(SentText(asked)) }
        return path
    }

    /// A cookie works for pages that can ask us for the session: our own, and the registered websites of the client.
    ///
    /// That answer names the account, so a client without the gateway's own API gets a code.
    private static func takesCookie(_ uri: RedirectURI, _ client: Client, _ ownOrigin: String) -> Bool {
        guard uri.kind == .https || uri.kind == .localhost, let origin = uri.origin else { return false }
        return origin == ownOrigin || client.usesOwnAPI && client.takes(origin: origin)
    }

    private static func isState(_ text: String) -> Bool {
        (1...maximumStateLength).contains(text.utf8.count) && isVisible(text)
    }

    private static func isVisible(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
