import Cryptography
import JSON
import Outbound

/// The authorization request of a redirect (RFC 6749 §4.1.1), bound to a verifier of ours (RFC 7636).
struct AuthorizationRequest: Sendable {
    /// The provider's page; it may have its own query.
    let endpoint: String
    let clientID: String
    let scope: String
    /// Nil if the page knows only one kind of answer and no parameter for it.
    var responseType: String? = "code"
    /// Parameters that only this provider accepts.
    var more: [(String, String)] = []

    /// The challenge's method is always named: without it a verifier would be compared unchanged.
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
    /// The code from the browser: visible ASCII (RFC 6749 appendix A.11) of a usual length.
    func checkedCode() throws(ProviderError) -> String {
        try CredentialReader(["code": .string(code)], of: "code").required("code", maximumLength: 4_096)
    }
}
