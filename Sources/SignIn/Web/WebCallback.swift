package import Clients
import Foundation
import Vocabulary

/// The parameters of a provider's answer, unverified: each at most once.
package struct WebCallback: Sendable, Equatable {
    /// The provider of the callback address.
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

    /// The provider's answer.
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

    /// Checks the answer against its flow.
    ///
    /// Pure, and before any request to the provider.
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

/// The end of a redirect.
package enum WebFinish: Sendable {
    case signedIn(SignedIn, LoginTarget)
    /// A step is due, on a page.
    case step(PendingStep, Client)
    case linked
}
