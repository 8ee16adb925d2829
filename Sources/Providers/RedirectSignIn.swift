package import FoundationEssentials
import JSON

/// A provider that receives a browser by redirect and returns it with a code (RFC 6749 §4.1).
///
/// State, nonce, verifier and redirect address belong to the caller: no adapter creates, stores or compares them. One
/// instance serves every sign-in.
package protocol RedirectSignIn: IdentityProvider {
    /// Whether the settings suffice for a redirect.
    ///
    /// Otherwise pages must not show its button: ``authorizationURL(_:)`` and ``redeem(_:at:)`` throw `misconfigured`.
    var canRedirect: Bool { get }

    /// The way in which the provider returns its answer.
    var redirectAnswer: RedirectAnswerMode { get }

    /// Whether re-authentication answers always contain the time of the last proof.
    ///
    /// An answer to ``RedirectStart/isReauthentication`` without it is then refused.
    var tellsSignInTime: Bool { get }

    /// The destination of the redirect.
    ///
    /// - Throws: ``ProviderError``: `unavailable` when a required discovery document cannot be read, `misconfigured`
    ///   when the settings do not suffice.
    func authorizationURL(_ start: RedirectStart) async throws(ProviderError) -> String

    /// Whether the `iss` parameter of an answer (RFC 9207 §2.4), or its absence, fits this provider.
    func acceptsIssuer(_ issuer: String?) async throws(ProviderError) -> Bool

    /// Whether an `error` of an answer means that the user cancelled, without any failure.
    func isCancellation(_ error: String) -> Bool

    /// Exchanges the code and returns its identity.
    ///
    /// - Throws: ``ProviderError``; a wrong nonce is refused, and so is a token for another client than the redirect's.
    func redeem(_ answer: RedirectAnswer, at now: Date) async throws(ProviderError) -> ExternalIdentity
}

extension RedirectSignIn {
    /// The path of our callback, whose address is registered at the provider.
    package var callbackPath: String { "/login/\(id.rawValue)/callback" }

    package var canRedirect: Bool { true }

    package var redirectAnswer: RedirectAnswerMode { .query }

    package var tellsSignInTime: Bool { false }

    /// The cancellation word of RFC 6749 §4.1.2.1.
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

/// The values of a redirect to a provider.
package struct RedirectStart: Sendable {
    /// Our callback, as registered at the provider.
    package let redirectURI: String
    package let state: String
    package let nonce: String
    package let codeVerifier: String
    /// BCP 47 tags in the user's order (OpenID Connect Core §3.1.2.1 `ui_locales`).
    package let locales: [String]
    /// Demands a new proof from the user, even if the provider has a session.
    package let isReauthentication: Bool

    package init(
        redirectURI: String, state: String, nonce: String, codeVerifier: String, locales: [String] = [],
        isReauthentication: Bool = false
    ) {
        (self.redirectURI, self.state, self.nonce) = (redirectURI, state, nonce)
        (self.codeVerifier, self.locales, self.isReauthentication) = (codeVerifier, locales, isReauthentication)
    }
}

/// The browser's answer with the values of its redirect; the state was checked.
package struct RedirectAnswer: Sendable {
    package let code: String
    /// An ID token that came through the browser with the code.
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
