import Foundation

/// What a browser brought back from a provider, as it came: each field at most once.
package struct WebCallback: Sendable, Equatable {
    /// The provider whose callback address it came to.
    package let provider: String
    package var state: String?
    package var code: String?
    package var error: String?
    package var issuer: String?
    package var idToken: String?
    package var user: String?

    package init(
        provider: String, state: String? = nil, code: String? = nil, error: String? = nil, issuer: String? = nil,
        idToken: String? = nil, user: String? = nil
    ) {
        (self.provider, self.state, self.code, self.error) = (provider, state, code, error)
        (self.issuer, self.idToken, self.user) = (issuer, idToken, user)
    }

    /// What the provider says.
    enum Answer: Sendable, Equatable {
        case code(String)
        case error(String)
    }

    /// Exactly one of the two (RFC 6749 §4.1.2).
    var answer: Answer? {
        switch (code, error) {
        case (let code?, nil): .code(code)
        case (nil, let error?): .error(error)
        default: nil
        }
    }

    /// Whether the answer may be listened to: pure, and asked before anybody else is.
    ///
    /// - Parameter isBound: whether the browser holds the cookie of the flow.
    func judge(_ flow: WebFlow, isBound: Bool, at now: Date) throws(Rejection) -> Answer {
        guard flow.provider == provider else { throw .mixup }
        guard flow.expires > now else { throw .flowExpired }
        guard isBound else { throw .stateNotBound }
        guard let answer else { throw .invalidField(.providerAnswer, .codeOrError) }
        return answer
    }
}

/// Why a redirect came to nothing, and what it was for, so that the person can be shown the way on.
package struct WebFailure: Error, Equatable, Sendable {
    package let rejection: Rejection
    /// Nil where the state told nothing.
    package let flow: WebFlow?
}

/// What a redirect came to.
package enum WebFinish: Sendable {
    case signedIn(SignedIn, LoginTarget)
    /// Something is left to do, on a page.
    case step(PendingStep, WebFlow, Client)
    /// The identity is now the account's; false where it was before.
    case linked(isNew: Bool)
}
