import HTTPTypes
import JSON

/// A standard OpenID Connect provider: discovery, key set, authorization and a token endpoint (Core §3.1).
///
/// Google and the fictional acme differ only in values.
struct OpenIDConnectSimulator: SimulatedProvider {
    struct Settings: Sendable {
        let name: ProviderName
        let issuer: String
        /// The provider's name on the consent page.
        let title: String
        let colour: String
        let keyCacheControl: String
        let accessTokenPrefix: String
        /// Google's subjects are numbers of 21 digits.
        let hasNumericSubjects: Bool
        /// The additional claims of this provider's ID tokens.
        let furtherClaims: JSONObject
        /// Whether answers to a redirect address contain `iss` (RFC 9207).
        let namesItselfInAnswers: Bool
        /// `auth_time` is sent on request.
        var tellsSignInTime: Bool { namesItselfInAnswers }
        /// The fields of answers to a redirect address in addition to code and state.
        let furtherAnswerFields: [FormField]
    }

    static let lifetime = 3600

    let settings: Settings
    let endpoints: [Endpoint] = [.discovery, .keys, .token, .authorize, .consent]
    let clients: ClientRegistry
    let forge: TokenForge
    let redirects: RedirectAddresses
    let codes = CodeStore<IDTokenPurchase>()

    var name: ProviderName { settings.name }

    func route(for path: [String]) -> Route? {
        switch path {
        case [".well-known", "openid-configuration"]: Route(endpoint: .discovery, method: .get)
        case ["keys"]: Route(endpoint: .keys, method: .get)
        case ["token"]: Route(endpoint: .token, method: .post)
        case ["authorize"]: Route(endpoint: .authorize, method: .get)
        case ["authorize", "consent"]: Route(endpoint: .consent, method: .post)
        default: nil
        }
    }

    func answer(_ request: Received, at route: Route) throws -> Answer {
        switch route.endpoint {
        case .token: return try token(request)
        case .authorize: return try consentPage(request, at: route)
        case .consent: return try consent(request, at: route)
        default: break
        }
        try request.expectNoQuery()
        try request.expectNoBody()
        guard route.endpoint == .keys else {
            return .document(.object(discovery(base: request.base)), cacheControl: "public, max-age=3600")
        }
        return .document(try forge.keys.keySet(), cacheControl: settings.keyCacheControl)
    }

    func rotate(keepOld: Bool) throws { try forge.keys.rotate(keepOld: keepOld) }

    func reset() {
        clients.reset()
        codes.removeAll()
        redirects.reset()
    }

    private func discovery(base: String) -> JSONObject {
        var document: JSONObject = [
            "issuer": .string(settings.issuer),
            "authorization_endpoint": .string("\(base)/\(name.rawValue)/authorize"),
            "token_endpoint": .string("\(base)/\(name.rawValue)/token"),
            "jwks_uri": .string("\(base)/\(name.rawValue)/keys"),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "form_post"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", "email", "profile"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "iat", "iss", "name", "nonce", "sub",
            ],
        ]
        if settings.namesItselfInAnswers { document["authorization_response_iss_parameter_supported"] = true }
        return document
    }
}

extension OpenIDConnectSimulator {
    static func google() -> OpenIDConnectSimulator {
        OpenIDConnectSimulator(
            settings: Settings(
                name: .google, issuer: Defaults.googleIssuer,
                title: "Google", colour: "#1a73e8",
                keyCacheControl: "public, max-age=22000, must-revalidate, no-transform", accessTokenPrefix: "ya29.",
                hasNumericSubjects: true, furtherClaims: ["hd": .string(Defaults.googleHostedDomain)],
                namesItselfInAnswers: false,
                furtherAnswerFields: [FormField("authuser", "0"), FormField("prompt", "consent")]),
            clients: ClientRegistry(secret: Defaults.googleSecret, usual: Defaults.googleClient),
            forge: TokenForge(keys: KeyRing(style: .google), type: "JWT"), redirects: RedirectAddresses(of: .google))
    }

    static func acme() -> OpenIDConnectSimulator {
        OpenIDConnectSimulator(
            settings: Settings(
                name: .acme, issuer: Defaults.acmeIssuer,
                title: "Acme", colour: "#6b2fb3", keyCacheControl: "public, max-age=3600", accessTokenPrefix: "acme.",
                hasNumericSubjects: false, furtherClaims: [:], namesItselfInAnswers: true, furtherAnswerFields: []),
            clients: ClientRegistry(secret: Defaults.acmeSecret, usual: Defaults.acmeClient),
            forge: TokenForge(keys: KeyRing(style: .plain), type: "JWT"), redirects: RedirectAddresses(of: .acme))
    }
}
