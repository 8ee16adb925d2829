import FoundationEssentials
import HTTPTypes
import JSON

extension ProviderName {
    static let line = ProviderName(known: "line")
}

/// `.env.example` contains the same values.
extension Defaults {
    static let lineIssuer = "https://access.line.me"
    static let lineChannel = "1600000001"
    static let lineSecret = "line-channel-secret"
}

/// LINE Login v2.1: authorization, token endpoint, key set, and the endpoint that reads ID tokens.
///
/// Apps get ID tokens with ES256, the web gets them with HS256 by the channel secret.
/// https://developers.line.biz/en/reference/line-login/
struct LINESimulator: SimulatedProvider {
    /// LINE's entry in ``SimulatedProviders/all``.
    static let kind = SimulatedProviderKind(
        name: .line, client: Defaults.lineChannel,
        orders: MintOrder.ofTokens.union(MintOrder.ofCodes).union(["code_claims"])
    ) { _ in LINESimulator() }

    static let lifetime = 3_600
    static let scopes = ["openid", "profile", "email"]

    let name = ProviderName.line
    let endpoints: [Endpoint] = [.keys, .token, .tokeninfo, .authorize, .consent]
    let desk = OAuthDesk<IDTokenPurchase>(of: .line, client: Defaults.lineChannel, secret: Defaults.lineSecret)
    let forge = TokenForge(keys: KeyRing(style: .elliptic), type: "JWT")
    /// The claims of every issued ID token.
    let idTokens = TokenTable<JSONObject>()

    func route(for path: [String]) -> Route? {
        switch path {
        case ["oauth2", "v2.1", "authorize"]: Route(endpoint: .authorize, method: .get)
        case ["oauth2", "v2.1", "authorize", "consent"]: Route(endpoint: .consent, method: .post)
        case ["oauth2", "v2.1", "token"]: Route(endpoint: .token, method: .post)
        case ["oauth2", "v2.1", "verify"]: Route(endpoint: .tokeninfo, method: .post)
        case ["oauth2", "v2.1", "certs"]: Route(endpoint: .keys, method: .get)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        switch route.endpoint {
        case .authorize: return try consentPage(request, at: route)
        case .consent: return try consent(request, at: route)
        case .tokeninfo: return try verify(request)
        case .token: return try token(request)
        default:
            try request.expectNoQuery()
            try request.expectNoBody()
            return .document(try forge.keys.keySet(), cacheControl: "public, max-age=3600")
        }
    }

    func rotate(keepOld: Bool) throws { try forge.keys.rotate(keepOld: keepOld) }

    func reset() {
        desk.reset()
        idTokens.removeAll()
    }

    /// An ID token in the form of LINE's SDK, and a code with its verifier for another one.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let claims = order.claims(claims(order, for: person))
        let token = try forge.token(claims, header: order.header, signing: order.signing)
        idTokens.add(claims, as: token)
        var members: JSONObject = ["provider": "line", "id_token": .string(token)]
        var minted = Minted(members: [:], token: token, credential: ["id_token": .string(token)])
        minted.credential.add("nonce", order.nonce)
        if order.withCode { members = members.overridden(by: desk.add(order, opening: purchase(order, claims))) }
        members["claims"] = .object(claims)
        minted.members = members
        return minted
    }

    func access(_ order: MintOrder, for person: Person) -> IDTokenPurchase {
        purchase(order, order.claims(claims(order, for: person)))
    }

    /// The ID token of a code, which has times of its own.
    private func purchase(_ order: MintOrder, _ claims: JSONObject) -> IDTokenPurchase {
        let bought = claims.overridden(by: ["iat": nil, "exp": nil])
        return IDTokenPurchase(claims: order.replaced("code_claims", in: bought), scopes: order.scopes ?? Self.scopes)
    }

    private func claims(_ order: MintOrder, for person: Person) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(Defaults.lineIssuer), "sub": .string(person.subject ?? "U" + person.digits(32, for: "line")),
            "aud": .string(order.clientID), "exp": .integer(order.seconds + Self.lifetime),
            "iat": .integer(order.seconds), "amr": ["linesso"],
        ]
        claims.add("nonce", order.nonce)
        claims["name"] = .string(person.name)
        claims["email"] = .string(person.email)
        return claims
    }
}
