import HTTPTypes
import JSON

/// GitHub with the paths of an Enterprise Server: authorization, token endpoint, and two user calls.
///
/// Plain OAuth 2.0, so no keys, no ID token and no nonce.
/// https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
struct GitHubSimulator: SimulatedProvider {
    /// The data that an access token opens.
    struct Access: Sendable {
        let user: JSONObject
        let emails: [JSON]
        let scopes: [String]
    }

    let name = ProviderName.github
    let endpoints: [Endpoint] = [.token, .profile, .emails, .authorize, .consent]
    let desk = OAuthDesk<Access>(
        of: .github, client: Defaults.githubClient, secret: Defaults.githubSecret,
        newCode: { RandomText.hex(10) }, newToken: { "gho_" + RandomText.hex(18) })

    func route(for path: [String]) -> Route? {
        switch path {
        case ["login", "oauth", "authorize"]: Route(endpoint: .authorize, method: .get)
        case ["login", "oauth", "authorize", "consent"]: Route(endpoint: .consent, method: .post)
        case ["login", "oauth", "access_token"]: Route(endpoint: .token, method: .post)
        case ["api", "v3", "user"]: Route(endpoint: .profile, method: .get)
        case ["api", "v3", "user", "emails"]: Route(endpoint: .emails, method: .get)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        switch route.endpoint {
        case .authorize: try consentPage(request, at: route)
        case .consent: try consent(request, at: route)
        case .profile: try user(request)
        case .emails: try emails(request)
        default: try token(request)
        }
    }

    func body(of refusal: Refusal) -> JSON {
        [
            "error": .string(refusal.error), "error_description": .string(refusal.description),
            "error_uri": "https://docs.github.com/apps",
        ]
    }
}
