import FoundationEssentials
import HTTPTypes
import JSON

extension ProviderName {
    static let facebook = ProviderName(known: "facebook")
}

/// `.env.example` contains the same values.
extension Defaults {
    static let facebookApp = "100000000000001"
    static let facebookSecret = "facebook-secret"
    static let facebookIssuer = "https://limited.facebook.com"
}

/// Facebook Login: the dialog, the token endpoint, two calls of the Graph API, and the keys of Limited Login.
///
/// https://developers.facebook.com/docs/facebook-login
struct FacebookSimulator: SimulatedProvider {
    /// Facebook's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .facebook, client: Defaults.facebookApp,
        orders: MintOrder.ofTokens.union(MintOrder.ofCodes).union(["profile", "tokeninfo"])
    ) { _ in FacebookSimulator() }

    /// The data that an access token opens.
    struct Access: Sendable {
        let profile: JSONObject
        /// The answer of `debug_token`.
        let info: JSONObject
    }

    static let version = "v23.0"
    static let scopes = ["public_profile", "email"]
    static let lifetime = 5_184_000

    let name = ProviderName.facebook
    let endpoints: [Endpoint] = [.keys, .token, .tokeninfo, .profile, .authorize, .consent]
    let desk = OAuthDesk<Access>(
        of: .facebook, client: Defaults.facebookApp, secret: Defaults.facebookSecret,
        newToken: { "EAA" + RandomText.base64URL(120) })
    let forge = TokenForge(keys: KeyRing(style: .google), type: "JWT")

    func route(for path: [String]) -> Route? {
        switch path {
        case [Self.version, "dialog", "oauth"]: Route(endpoint: .authorize, method: .get)
        case [Self.version, "dialog", "oauth", "consent"]: Route(endpoint: .consent, method: .post)
        case [Self.version, "oauth", "access_token"]: Route(endpoint: .token, method: .post)
        case [Self.version, "debug_token"]: Route(endpoint: .tokeninfo, method: .get)
        case [Self.version, "me"]: Route(endpoint: .profile, method: .get)
        case [".well-known", "oauth", "openid", "jwks", ""]: Route(endpoint: .keys, method: .get)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        switch route.endpoint {
        case .authorize: return try consentPage(request, at: route)
        case .consent: return try consent(request, at: route)
        case .token: return try token(request)
        case .tokeninfo: return try tokenInfo(request)
        case .profile: return try profile(request)
        default:
            try request.expectNoQuery()
            try request.expectNoBody()
            return .document(try forge.keys.keySet(), cacheControl: "public, max-age=3600")
        }
    }

    func rotate(keepOld: Bool) throws { try forge.keys.rotate(keepOld: keepOld) }

    /// An access token and an ID token of Limited Login in the form of the SDK, and a code with its verifier.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let access = access(order, for: person)
        var minted = desk.mint(order, for: name, opening: access)
        minted.credential = ["access_token": .string(minted.token)]
        let claims = order.claims(claims(order, for: person))
        let token = try forge.token(claims, header: order.header, signing: order.signing)
        minted.members["id_token"] = .string(token)
        minted.members["claims"] = .object(claims)
        minted.members["tokeninfo"] = .object(access.info)
        minted.members["profile"] = .object(access.profile)
        return minted
    }

    func access(_ order: MintOrder, for person: Person) -> Access {
        let scopes = order.scopes ?? Self.scopes
        let id = JSON.string(subject(of: person))
        var profile: JSONObject = ["id": id, "name": .string(person.name)]
        if scopes.contains("email"), !person.email.isEmpty { profile["email"] = .string(person.email) }
        let info: JSONObject = [
            "app_id": .string(order.clientID), "type": "USER", "application": "Example app",
            "data_access_expires_at": .integer(order.seconds + 7_776_000),
            "expires_at": .integer(order.seconds + Self.lifetime), "is_valid": true,
            "issued_at": .integer(order.seconds), "scopes": .array(scopes.map(JSON.string)), "user_id": id,
        ]
        return Access(profile: order.replaced("profile", in: profile), info: order.replaced("tokeninfo", in: info))
    }

    private func claims(_ order: MintOrder, for person: Person) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(Defaults.facebookIssuer), "aud": .string(order.clientID),
            "sub": .string(subject(of: person)), "iat": .integer(order.seconds),
            "exp": .integer(order.seconds + 3_600), "jti": .string(RandomText.hex(16)),
        ]
        claims.add("nonce", order.nonce)
        claims["name"] = .string(person.name)
        claims["email"] = .string(person.email)
        return claims
    }

    private func subject(of person: Person) -> String {
        person.subject ?? "1\(UInt64(person.digits(13, for: "facebook"), radix: 16) ?? 1)"
    }
}
