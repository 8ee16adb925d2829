import FoundationEssentials
import HTTPTypes
import JSON
import Synchronization

/// Cognito user pools: discovery, the key set, ID and access tokens, and sign-in with a name.
///
/// Different keys sign ID and access tokens.
///
/// https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-tokens-with-identity-providers.html
struct CognitoSimulator: SimulatedProvider {
    let name = ProviderName.cognito
    let endpoints: [Endpoint] = [.discovery, .keys, .api]
    let pools = PoolRegistry()
    let userPool = UserPool()
    let identityForge = TokenForge(keys: KeyRing(style: .amazonWebServices), type: nil)
    let accessForge = TokenForge(keys: KeyRing(style: .amazonWebServices), type: nil)

    func route(for path: [String]) -> Route? {
        guard let pool = path.first, path != [""] else { return Route(endpoint: .api, method: .post) }
        return switch Array(path.dropFirst()) {
        case [".well-known", "openid-configuration"]: Route(endpoint: .discovery, method: .get, variable: pool)
        case [".well-known", "jwks.json"]: Route(endpoint: .keys, method: .get, variable: pool)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        guard route.endpoint != .api else { return try userPool.answer(request, mint: mint) }
        try request.expectNoQuery()
        try request.expectNoBody()
        guard pools.contains(route.variable) else {
            throw Refusal.badRequest(
                "ResourceNotFoundException", "User pool \(route.variable) does not exist.",
                reason: "the user pool is not known")
        }
        let cacheControl = "public, max-age=86400"
        guard route.endpoint == .keys else {
            return .document(.object(discovery(of: route.variable, base: request.base)), cacheControl: cacheControl)
        }
        let identity = try identityForge.keys.published()
        let access = try accessForge.keys.published()
        // Skips the decoys of the second ring: a pool publishes one more key than it needs, not two.
        let keys = identity + access.dropFirst()
        return .document(["keys": .array(keys.map(\.publicParameters))], cacheControl: cacheControl)
    }

    func body(of refusal: Refusal) -> JSON {
        ["__type": .string(refusal.error), "message": .string(refusal.description)]
    }

    func rotate(keepOld: Bool) throws {
        try identityForge.keys.rotate(keepOld: keepOld)
        try accessForge.keys.rotate(keepOld: keepOld)
    }

    func reset() {
        pools.reset()
        userPool.reset()
    }

    /// The tokens of a sign-in with a name, with the same claims as minted ones.
    private func mint(_ user: PoolUser, _ client: PoolClient, _ now: Date) throws -> JSONObject {
        var order = MintOrder(provider: name)
        (order.clientID, order.pool, order.now) = (client.id, client.pool, now)
        order.person = Person(
            seed: user.username, subject: user.id, email: user.attributes["email"] ?? "",
            name: user.attributes["name"] ?? "Pool User")
        if user.attributes["email"] == nil {
            order.replacements["claims"] = ["email": .null, "email_verified": .null]
        }
        let minted = try mint(order, for: order.person).members
        return ["IdToken": minted["id_token"] ?? .null, "AccessToken": minted["access_token"] ?? .null]
    }

    private func discovery(of pool: String, base: String) -> JSONObject {
        let domain = "https://example.auth.\(Self.region(of: pool)).amazoncognito.com"
        return [
            "authorization_endpoint": .string("\(domain)/oauth2/authorize"),
            "id_token_signing_alg_values_supported": ["RS256"],
            "issuer": .string(Self.issuer(of: pool)),
            "jwks_uri": .string("\(base)/cognito/\(pool)/.well-known/jwks.json"),
            "response_types_supported": ["code", "token"],
            "scopes_supported": ["openid", "email", "phone", "profile"],
            "subject_types_supported": ["public"],
            "token_endpoint": .string("\(domain)/oauth2/token"),
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "userinfo_endpoint": .string("\(domain)/oauth2/userInfo"),
        ]
    }

    static func issuer(of pool: String) -> String {
        "https://cognito-idp.\(region(of: pool)).amazonaws.com/\(pool)"
    }

    private static func region(of pool: String) -> Substring { pool.prefix { $0 != "_" } }
}

/// The existing user pools; a mint order adds its pool.
final class PoolRegistry: Sendable {
    private let pools = Mutex<Set<String>>([Defaults.cognitoPool])

    func contains(_ pool: String) -> Bool { pools.withLock { $0.contains(pool) } }
    func register(_ pool: String) { _ = pools.withLock { $0.insert(pool) } }
    func reset() { pools.withLock { $0 = [Defaults.cognitoPool] } }
}
