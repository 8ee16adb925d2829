package import FoundationEssentials
import JSON

/// A provider that a browser is sent to, and that sends it back with a code (RFC 6749 §4.1).
///
/// State, nonce, verifier and redirect address belong to the caller: no adapter invents one, keeps one or compares a
/// state. One instance serves every sign-in.
package protocol RedirectSignIn: IdentityProvider {
    /// Whether the settings suffice for a redirect.
    ///
    /// Where they don't, no button should lead here: ``authorizationURL(_:)`` and ``redeem(_:at:)`` throw `misconfigured`.
    var canRedirect: Bool { get }

    /// How the provider's answer comes back.
    var redirectAnswer: RedirectAnswerMode { get }

    /// Whether an answer to a re-authentication (``RedirectStart/isReauthentication``) always says when the person last
    /// proved themselves.
    ///
    /// Then one that does not is refused.
    var tellsSignInTime: Bool { get }

    /// Where the browser is to go.
    ///
    /// - Throws: ``ProviderError``: `unavailable` when a discovery document is needed and can't be had, `misconfigured`
    ///   when the provider can't be used this way.
    func authorizationURL(_ start: RedirectStart) async throws(ProviderError) -> String

    /// Whether the `iss` parameter of an answer (RFC 9207 §2.4), or its absence, fits this provider.
    func acceptsIssuer(_ issuer: String?) async throws(ProviderError) -> Bool

    /// Whether an `error` of an answer means that the person changed their mind, and nothing is wrong.
    func isCancellation(_ error: String) -> Bool

    /// Exchanges the code and says whom it names.
    ///
    /// - Throws: ``ProviderError``; a nonce that doesn't fit is refused, and so is a token for another client than the
    ///   one that the browser was sent with.
    func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity
}

extension RedirectSignIn {
    package var tellsSignInTime: Bool { false }

    /// The word of RFC 6749 §4.1.2.1 for it.
    package func isCancellation(_ error: String) -> Bool {
        error.hasSameBytes(as: "access_denied")
    }
}

package enum RedirectAnswerMode: Sendable {
    /// A GET with the answer in the query.
    case query
    /// A cross-site POST of a form: no `SameSite=Lax` cookie comes with it.
    case formPost
}

/// What the browser is sent with.
package struct RedirectStart: Sendable {
    /// Our callback, as it is registered at the provider.
    package let redirectURI: String
    package let state: String
    package let nonce: String
    package let codeVerifier: String
    /// BCP 47 tags in the person's order (OpenID Connect Core §3.1.2.1 `ui_locales`).
    package let locales: [String]
    /// The person is to prove themselves anew, though the provider may know who is there.
    package let isReauthentication: Bool

    package init(
        redirectURI: String, state: String, nonce: String, codeVerifier: String, locales: [String] = [],
        isReauthentication: Bool = false
    ) {
        (self.redirectURI, self.state, self.nonce) = (redirectURI, state, nonce)
        (self.codeVerifier, self.locales, self.isReauthentication) = (codeVerifier, locales, isReauthentication)
    }
}

/// What the browser brought back, and what it was sent with; the state has been checked.
package struct RedirectAnswer: Sendable {
    package let code: String
    /// An ID token that came through the browser, beside the code.
    package let idToken: String?
    /// Apple's `user` field: JSON text, the first time only, and untrusted.
    package let user: String?
    package let redirectURI: String
    package let nonce: String
    package let codeVerifier: String

    package init(
        code: String, idToken: String? = nil, user: String? = nil, redirectURI: String, nonce: String,
        codeVerifier: String
    ) {
        (self.code, self.idToken, self.user, self.redirectURI) = (code, idToken, user, redirectURI)
        (self.nonce, self.codeVerifier) = (nonce, codeVerifier)
    }
}
