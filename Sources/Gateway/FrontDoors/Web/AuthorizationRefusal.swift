import Sessions

/// A refusal that goes to the app, to the address at which it waits for its code (RFC 6749 §4.1.2.1, RFC 9207).
///
/// Never to an address that isn't the client's, and only to an app that asks as OAuth has it: a website that waits for
/// the session cookie would find nobody signed in, and send the person here again.
struct AuthorizationRefusal: Sendable {
    let clientID: String
    /// With what the app is told.
    let address: String

    /// Nil where the person has to be told, on a page of ours.
    init?(
        _ rejection: Rejection, of fields: FormBody, clients: ClientRegistry, defaultClient: String?, issuer: String
    ) {
        guard fields["response_type"] != nil || fields["code_challenge"] != nil, let error = Self.error(rejection),
            let client = (fields["client_id"] ?? defaultClient).flatMap(clients.client),
            let uri = fields["redirect_uri"].flatMap({ LoginTarget.registered($0, for: client) }),
            fields["state"].map(LoginTarget.canEcho) ?? true
        else { return nil }
        var parameters: [(name: String, value: String)] = [
            ("error", error), ("error_description", Self.description(rejection)), ("iss", issuer),
        ]
        if let state = fields["state"] { parameters.append(("state", state)) }
        (clientID, address) = (client.id, uri.adding(parameters))
    }

    private static func error(_ rejection: Rejection) -> String? {
        switch rejection {
        case .invalidField(.responseType, _): "unsupported_response_type"
        case .codeChallengeRequired, .invalidField(.codeChallenge, _), .invalidField(.codeChallengeMethod, _),
            .invalidField(.state, _):
            "invalid_request"
        default: nil
        }
    }

    /// For whoever writes the app (RFC 7636 §4.4.1).
    private static func description(_ rejection: Rejection) -> String {
        let problem = Problem(rejection)
        return problem.errors.first.map { "\($0.pointer.dropFirst()): \($0.detail)" } ?? problem.title
    }
}
