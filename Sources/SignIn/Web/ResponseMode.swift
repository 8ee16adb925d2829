package import Clients
import Outbound
package import Vocabulary

/// How the browser carries an authorization answer to the app (`response_mode`).
package enum ResponseMode: String, Sendable, CaseIterable {
    /// In the query or the fragment of the address (OAuth 2.0 Multiple Response Type Encoding Practices §2.1).
    case query, fragment
    /// In a form that the browser posts (OAuth 2.0 Form Post Response Mode).
    case formPost = "form_post"

    /// The mode of a request; `query` where it names none.
    ///
    /// - Throws: `invalidField` for an unknown mode, and for one that can't reach the address: an app's own scheme takes no
    ///   forms, and a website without a code gets no parameters.
    package init(_ asked: String?, to uri: RedirectURI, carriesCode: Bool) throws(Rejection) {
        guard let mode = ResponseMode(rawValue: asked ?? Self.query.rawValue) else {
            throw .invalidField(.responseMode, .unknown.accepting(Self.allCases.map(\.rawValue)))
        }
        guard mode == .query || carriesCode, mode != .formPost || uri.kind != .customScheme else {
            let offered: [Self] = carriesCode ? [.query, .fragment] : [.query]
            throw .invalidField(.responseMode, .notOffered.accepting(offered.map(\.rawValue)))
        }
        self = mode
    }
}

/// An answer to an app's authorization request: a code, or an error (RFC 6749 §4.1.2).
package struct AuthorizationAnswer: Sendable {
    package let client: Client
    package let redirectURI: RedirectURI
    package let mode: ResponseMode
    package let parameters: [(name: String, value: String)]

    package init(
        _ parameters: [(name: String, value: String)], for client: Client, at redirectURI: RedirectURI,
        by mode: ResponseMode
    ) {
        (self.client, self.redirectURI, self.mode, self.parameters) = (client, redirectURI, mode, parameters)
    }

    /// The address for a redirect; nil for an answer that is posted.
    package var address: String? {
        guard !parameters.isEmpty else { return redirectURI.text }
        return switch mode {
        case .query: redirectURI.adding(parameters)
        // A registered address has no fragment of its own.
        case .fragment: redirectURI.text + "#" + FormEncoding.encode(parameters.map { ($0.name, $0.value) })
        case .formPost: nil
        }
    }
}
