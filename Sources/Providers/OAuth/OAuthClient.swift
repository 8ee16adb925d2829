import JSON

/// Our client at an OAuth 2.0 provider (RFC 6749): its request for a code, and the exchange of the code.
struct OAuthClient: Sendable {
    /// The request for a code (§4.1.1); it names the client and the provider's page.
    let request: AuthorizationRequest
    /// Parameters of the page that demand a new proof from the user, as far as the provider can.
    var reauthentication: [(String, String)] = []
    /// The `iss` of the provider's answers (RFC 9207); nil if it sends none.
    var issuer: String?
    let authentication: TokenEndpoint.Client
    let endpoint: TokenEndpoint

    var upstream: Upstream { endpoint.upstream }

    /// - Parameter more: parameters that depend on the sign-in.
    func authorizationURL(_ start: RedirectStart, more: [(String, String)] = []) -> String {
        var request = request
        request.more += more
        if start.isReauthentication { request.more += reauthentication }
        return request.url(start)
    }

    /// An answer may lack its issuer, but the issuer of another provider is refused.
    func acceptsIssuer(_ named: String?) -> Bool {
        guard let named else { return true }
        return issuer?.hasSameBytes(as: named) ?? false
    }

    /// Exchanges the code of an answer (§4.1.3).
    func exchange(
        _ answer: RedirectAnswer, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> TokenEndpoint.Answer {
        try await endpoint.exchange(
            code: try answer.checkedCode(), clientID: request.clientID, client: authentication,
            redirectURI: answer.redirectURI, codeVerifier: answer.codeVerifier, by: deadline)
    }
}
