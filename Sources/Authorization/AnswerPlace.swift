package import Clients
package import SignIn
package import Vocabulary

/// Where the answer to an authorization request goes, and by which client.
///
/// It is read first: nothing of a request without a registered address reaches another site.
package struct AnswerPlace: Sendable {
    package let client: Client
    package let redirectURI: RedirectURI
    package let mode: ResponseMode
    /// Returned unchanged, also with a fault (RFC 6749 §4.1.2).
    package let state: String?

    /// - Parameter client: nil for an unknown one.
    /// - Throws: `clientUnknown`, `redirectNotAllowed`: only our own page may show them.
    package init(_ parameters: AuthorizationParameters, of client: Client?) throws(Rejection) {
        guard let client else { throw .clientUnknown(parameters["client_id"].map(SentText.init)) }
        guard let uri = parameters["redirect_uri"].flatMap(client.redirectURI) else {
            throw client.refusal(ofAddress: parameters["redirect_uri"])
        }
        let state = parameters["state"]
        guard state.map(LoginTarget.canEcho) ?? true else { throw .invalidField(.state, .malformed) }
        (self.client, redirectURI, self.state) = (client, uri, state)
        let asked = parameters["response_mode"]
        // A mode that is refused itself can't carry its refusal. A fragment would show the code to scripts.
        let offered = asked.flatMap { try? ResponseMode($0, to: uri, carriesCode: true) }
        mode = offered == .formPost ? .formPost : .query
    }

    /// The parameters of an answer with the issuer (RFC 9207 §2).
    package func answer(_ parameters: [(name: String, value: String)], issuer: String) -> AuthorizationAnswer {
        let all = parameters + [("iss", issuer)] + (state.map { [("state", $0)] } ?? [])
        return AuthorizationAnswer(all, for: client, at: redirectURI, by: mode)
    }

    package func answer(_ fault: AuthorizationFault, issuer: String) -> AuthorizationAnswer {
        answer([("error", fault.word.rawValue), ("error_description", fault.description)], issuer: issuer)
    }
}
