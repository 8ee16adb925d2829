import Cryptography
import JSON

/// What a browser is sent with for a code (RFC 6749 §4.1.1), bound to a verifier of ours (RFC 7636).
struct AuthorizationRequest: Sendable {
    /// The provider's page; it may have a query of its own.
    let endpoint: String
    let clientID: String
    let scope: String
    /// Nil where the page knows one kind of answer only and no parameter for it.
    var responseType: String? = "code"
    /// What only this provider takes.
    var more: [(String, String)] = []

    /// The challenge's method is always named: without it a verifier would be compared as it is.
    func url(_ start: RedirectStart) -> String {
        let usual = [
            ("client_id", clientID), ("redirect_uri", start.redirectURI), ("scope", scope), ("state", start.state),
            ("code_challenge", PKCE.challenge(start.codeVerifier)), ("code_challenge_method", "S256"),
        ]
        let kind = responseType.map { [("response_type", $0)] } ?? []
        return FormEncoding.appending(usual + kind + more, to: endpoint)
    }
}

extension RedirectAnswer {
    /// The code, which came through a browser: visible ASCII (RFC 6749 appendix A.11) of a length that providers use.
    func checkedCode() throws(ProviderError) -> String {
        try CredentialReader(["code": .string(code)]).required("code", maximumLength: 4_096)
    }
}
