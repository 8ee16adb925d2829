import Sessions

/// A refusal that the browser carries to the app's redirect address (RFC 6749 §4.1.2.1, RFC 9207).
///
/// It goes only to a registered address of the client, and only for a request with OAuth parameters. A website that
/// relies on the session cookie would find no session and send the user here again.
struct AuthorizationRefusal: Sendable {
    let clientID: String
    /// The redirect address, with the error parameters.
    let address: String

    /// Nil if our own page must show the refusal.
    init?(
        _ rejection: Rejection, of fields: FormBody, clients: ClientRegistry, defaultClient: String?, issuer: String
    ) {
        guard fields["response_type"] != nil || fields["code_challenge"] != nil, let error = Self.error(rejection),
            let client = (fields["client_id"] ?? defaultClient).flatMap(clients.client),
            let uri = fields["redirect_uri"].flatMap({ LoginTarget.registered($0, for: client) }),
            fields["state"].map(LoginTarget.canEcho) ?? true
        else { return nil }
        (clientID, address) = (
            client.id, Self.address(uri, error, Self.description(rejection), issuer, state: fields["state"])
        )
    }

    /// The end of a sign-in that the user cancelled at the provider; nil where no app waits for a code.
    init?(_ rejection: Rejection, of target: LoginTarget, client: Client, issuer: String) {
        guard rejection == .providerCancelled, target.challenge != nil, let uri = target.redirectURI else { return nil }
        let text = Self.description(rejection)
        (clientID, address) = (client.id, Self.address(uri, "access_denied", text, issuer, state: target.state))
    }

    private static func address(
        _ uri: RedirectURI, _ error: String, _ description: String, _ issuer: String, state: String?
    ) -> String {
        var parameters: [(name: String, value: String)] = [
            ("error", error), ("error_description", description), ("iss", issuer),
        ]
        if let state { parameters.append(("state", state)) }
        return uri.adding(parameters)
    }

    private static func error(_ rejection: Rejection) -> String? {
        switch rejection {
        case .invalidField(.responseType, _): "unsupported_response_type"
        case .codeChallengeRequired, .invalidField(.codeChallenge, _), .invalidField(.codeChallengeMethod, _),
            .invalidField(.state, _), .invalidField(.nonce, _):
            "invalid_request"
        default: nil
        }
    }

    /// The description for the app's developer (RFC 7636 §4.4.1).
    private static func description(_ rejection: Rejection) -> String {
        let problem = Problem(rejection)
        return problem.errors.first.map { "\($0.pointer.dropFirst()): \($0.detail)" } ?? problem.title
    }
}
