package import Clients
import HTTPServer
package import SignIn
package import Vocabulary

/// A refusal that the browser carries to the app's redirect address (RFC 6749 §4.1.2.1, RFC 9207).
///
/// It goes only to a registered address of the client, and only for a request with OAuth parameters. A website that
/// relies on the session cookie would find no session and send the user here again, unless it asked to be told
/// (`prompt=none`).
package struct AuthorizationRefusal: Sendable {
    let clientID: String
    let answer: AuthorizationAnswer

    /// Nil if our own page must show the refusal.
    init?(
        _ refusal: any Error, of fields: FormBody, clients: ClientRegistry, defaultClient: String?, publicURL: String
    ) {
        guard fields["response_type"] != nil || fields["code_challenge"] != nil || fields["prompt"] == "none",
            let error = Self.error(refusal),
            let client = (fields["client_id"] ?? defaultClient).flatMap(clients.client),
            let uri = fields["redirect_uri"].flatMap(client.redirectURI),
            fields["state"].map(LoginTarget.canEcho) ?? true
        else { return nil }
        clientID = client.id
        // A mode that is refused itself can't carry its refusal.
        let mode = try? ResponseMode(fields["response_mode"], to: uri, carriesCode: true)
        let dialect = fields["dialect"].flatMap(TokenDialect.init(rawValue:)) ?? .gateway
        answer = AuthorizationAnswer(
            Self.parameters(error, client.issuer(in: dialect, at: publicURL), state: fields["state"]), for: client,
            at: uri,
            by: mode ?? .query)
    }

    /// The end of a sign-in that the user cancelled at the provider; nil where no app waits for a code.
    package init?(_ rejection: Rejection, of target: LoginTarget, client: Client, publicURL: String) {
        guard rejection == .providerCancelled, target.challenge != nil, let uri = target.redirectURI else { return nil }
        clientID = client.id
        let error = (name: "access_denied", description: Self.description(rejection))
        answer = AuthorizationAnswer(
            Self.parameters(error, client.issuer(in: target.dialect, at: publicURL), state: target.state), for: client,
            at: uri, by: target.mode)
    }

    private static func parameters(
        _ error: (name: String, description: String), _ issuer: String, state: String?
    ) -> [(name: String, value: String)] {
        let all: [(String, String?)] = [
            ("error", error.name), ("error_description", error.description), ("iss", issuer), ("state", state),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }

    private static func error(_ refusal: any Error) -> (name: String, description: String)? {
        guard let rejection = refusal as? Rejection else {
            // OpenID Connect Core §3.1.2.6.
            guard let refusal = refusal as? WebRefusal, refusal.code == WebRefusal.loginRequired.code else {
                return nil
            }
            return (refusal.code, ErrorCatalogue[refusal.code]?.title ?? "")
        }
        let name: String? =
            switch rejection {
            case .invalidField(.responseType, _): "unsupported_response_type"
            case .codeChallengeRequired, .invalidField(.codeChallenge, _), .invalidField(.codeChallengeMethod, _),
                .invalidField(.responseMode, _), .invalidField(.prompt, _), .invalidField(.state, _),
                .invalidField(.nonce, _):
                "invalid_request"
            default: nil
            }
        return name.map { ($0, description(rejection)) }
    }

    /// The description for the app's developer (RFC 7636 §4.4.1).
    private static func description(_ rejection: Rejection) -> String {
        let problem = Problem(rejection)
        return problem.explanation ?? problem.title
    }
}
