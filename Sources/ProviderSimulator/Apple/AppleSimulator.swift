import FoundationEssentials
import HTTPTypes
import JSON
import Synchronization

/// Sign in with Apple: authorization, key set, token and revocation endpoint, ID tokens of apps and of the web.
///
/// Apple has no reliable discovery, accepts only a signed client secret, and answers 400 to every refused request.
/// https://developer.apple.com/documentation/signinwithapplerestapi
struct AppleSimulator: SimulatedProvider {
    struct RefreshGrant: Sendable {
        let clientID: String
        let claims: JSONObject
    }

    let name = ProviderName.apple
    let endpoints: [Endpoint] = [.keys, .token, .revoke, .migration, .authorize, .consent]
    let secrets: AppleClientSecrets
    let forge = TokenForge(keys: KeyRing(style: .apple), type: nil)
    let codes = CodeStore<JSONObject>()
    let refreshTokens = TokenTable<RefreshGrant>()
    /// The team of each access token for moving users.
    let migrationTokens = TokenTable<MigrationGrant>()
    /// The user of each transfer subject.
    let transfers = TokenTable<Transfer>()
    let redirects = RedirectAddresses(of: .apple)
    let introductions = Introductions()

    func route(for path: [String]) -> Route? {
        switch path {
        case ["auth", "keys"]: Route(endpoint: .keys, method: .get)
        case ["auth", "token"]: Route(endpoint: .token, method: .post)
        case ["auth", "revoke"]: Route(endpoint: .revoke, method: .post)
        case ["auth", "usermigrationinfo"]: Route(endpoint: .migration, method: .post)
        case ["auth", "authorize"]: Route(endpoint: .authorize, method: .get)
        case ["auth", "authorize", "consent"]: Route(endpoint: .consent, method: .post)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        switch route.endpoint {
        case .token: return try token(request)
        case .revoke: return try revoke(request)
        case .migration: return try migrate(request)
        case .authorize: return try consentPage(request, at: route)
        case .consent: return try consent(request, at: route)
        default:
            try request.expectNoQuery()
            try request.expectNoBody()
            return .document(try forge.keys.keySet())
        }
    }

    func rotate(keepOld: Bool) throws { try forge.keys.rotate(keepOld: keepOld) }

    func reset() {
        codes.removeAll()
        refreshTokens.removeAll()
        migrationTokens.removeAll()
        transfers.removeAll()
        redirects.reset()
        introductions.reset()
    }
}
