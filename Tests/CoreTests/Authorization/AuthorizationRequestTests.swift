import JSON
import Testing

@testable import Authorization
@testable import Clients
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The parameters of an authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
@Suite struct AuthorizationRequestTests {
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let sound: [String: String] = [
        "client_id": "shop", "redirect_uri": "https://shop.example/back", "response_type": "code", "scope": "openid",
        "code_challenge": challenge, "code_challenge_method": "S256",
    ]

    static func client(
        kind: Client.Kind = .public, providers: [String] = ["password"], demandsSecondFactor: Bool = false,
        openID: OpenIDSettings = .standard
    ) -> Client {
        Client(
            id: "shop", name: "Shop", kind: kind, secret: nil, origins: [],
            redirectURIs: ["https://shop.example/back", "org.example.shop:/back", "http://127.0.0.1/back"],
            providers: providers, linkingPolicy: LinkingPolicy(bothVerified: .link),
            demandsSecondFactor: demandsSecondFactor, accessTokenLife: 600, refreshIdle: 86_400,
            refreshMaximum: 864_000, openID: openID)
    }

    static func request(
        _ changes: [String: String?] = [:], client: Client = client(), isPushed: Bool = false
    ) throws -> AuthorizationRequest {
        let values = sound.merging(changes.compactMapValues { $0 }) { _, new in new }
            .filter { changes[$0.key] != .some(nil) }
        let parameters = AuthorizationParameters(values.map { ($0.key, $0.value) })
        return try AuthorizationRequest(
            parameters, at: try AnswerPlace(parameters, of: client), isPushed: isPushed)
    }

    private static func settings(_ json: [String: Bool]) throws -> OpenIDSettings {
        try OpenIDSettings(parsing: json.reduce(into: [:]) { $0[$1.key] = .bool($1.value) })
    }

    @Test("A sound request keeps its parameters, and has no effect of unknown ones")
    func sound() throws {
        let request = try Self.request([
            "scope": "email nonsense openid", "nonce": "n", "max_age": "30", "acr_values": "2 9", "extra": "foobar",
            "display": "popup", "claims_locales": "se", "prompt": "login later",
        ])
        #expect(request.tokens.scopes == [.openid, .email] && request.tokens.nonce == "n")
        #expect(request.maximumAge == 30 && request.levels == ["2", "9"] && request.prompt == [.anew])
        #expect(request.place.mode == .query && request.challenge == Self.challenge)
    }

    @Test(
        "Each fault has its word",
        arguments: [
            ("response_type", nil, "invalid_request"), ("response_type", "token", "unsupported_response_type"),
            ("response_type", "code id_token", "unsupported_response_type"), ("code_challenge", nil, "invalid_request"),
            ("code_challenge", "short", "invalid_request"), ("code_challenge_method", nil, "invalid_request"),
            ("code_challenge_method", "plain", "invalid_request"), ("response_mode", "fragment", "invalid_request"),
            ("response_mode", "web_message", "invalid_request"), ("prompt", "none login", "invalid_request"),
            ("max_age", "-1", "invalid_request"), ("max_age", "soon", "invalid_request"),
            ("scope", "nonsense", "invalid_scope"), ("nonce", "\u{e9}", "invalid_request"),
            ("claims", "{", "invalid_request"), ("claims", "[]", "invalid_request"),
            ("claims", "{\"userinfo\": {\"name\": 1}}", "invalid_request"),
            ("request", "x.y.z", "request_not_supported"),
            ("request_uri", "https://shop.example/r", "request_uri_not_supported"),
            ("registration", "{}", "registration_not_supported"),
        ])
    func faults(name: String, value: String?, word: String) throws {
        let fault = #expect(throws: AuthorizationFault.self) { try Self.request([name: value]) }
        #expect(fault?.word.rawValue == word)
        let allowed = try #require(fault?.description.utf8)
        #expect(allowed.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
    }

    @Test("A repeated parameter is refused, except resource")
    func repeated() throws {
        var sent =
            Self.sound.map { ($0.key, $0.value) } + [
                ("resource", ResourceScopesTests.files), ("resource", "https://mail.example"),
            ]
        let catalogue = ResourceCatalogue([
            try ResourceScopesTests.resource(),
            try ResourceScopesTests.resource(["identifier": .string(ResourceScopesTests.mail)]),
        ])
        let place = try AnswerPlace(AuthorizationParameters(sent), of: Self.client())
        _ = try AuthorizationRequest(AuthorizationParameters(sent), at: place, among: catalogue, isPushed: false)
        sent.append(("scope", "openid"))
        #expect(throws: AuthorizationFault.invalid("scope", "given more than once")) {
            try AuthorizationRequest(AuthorizationParameters(sent), at: place, isPushed: false)
        }
    }

    @Test("Only a confidential client whose operator allows it may omit the proof key, but what it sends counts")
    func proofKey() throws {
        let relaxed = try Self.settings(["pkce_optional": true])
        let without: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
        #expect(try Self.request(without, client: Self.client(kind: .confidential, openID: relaxed)).challenge == nil)
        #expect(throws: AuthorizationFault.self) { try Self.request(without, client: Self.client(openID: relaxed)) }
        #expect(throws: AuthorizationFault.self) { try Self.request(without, client: Self.client(kind: .confidential)) }
        let sent = try Self.request(client: Self.client(kind: .confidential, openID: relaxed))
        #expect(sent.challenge == Self.challenge)
    }

    @Test("A scope that the operator does not allow the app is invalid_scope, and a claim of it has no effect")
    func scopes() throws {
        let client = Self.client(openID: try OpenIDSettings(parsing: ["scopes": ["openid", "email"]]))
        let claims = #"{"userinfo": {"phone_number": null, "email": null}}"#
        let request = try Self.request(["scope": "openid email nonsense", "claims": claims], client: client)
        #expect(request.wanted.scopes == [.openid, .email])
        for scope in ["openid profile", "openid email offline_access", "address"] {
            let fault = #expect(throws: AuthorizationFault.self) {
                try Self.request(["scope": scope], client: client)
            }
            #expect(fault?.word == .invalidScope, "\(scope)")
        }
    }

    @Test("A client that pushes its requests is refused others")
    func pushed() throws {
        let client = Self.client(openID: try Self.settings(["pushed_requests": true]))
        #expect(throws: AuthorizationFault.self) { try Self.request(client: client) }
        _ = try Self.request(client: client, isPushed: true)
    }

    @Test("Nothing reaches an unregistered address: neither an answer nor a fault")
    func place() throws {
        func place(_ uri: String?) throws -> AnswerPlace {
            var values = Self.sound
            values["redirect_uri"] = uri
            return try AnswerPlace(AuthorizationParameters(values.map { ($0.key, $0.value) }), of: Self.client())
        }
        for uri in [
            nil, "https://shop.example/back/more", "https://shop.example/back?a=b", "https://evil.example/back",
            "http://shop.example/back", "https://shop.example.evil.example/back", "javascript:alert(1)",
        ] {
            #expect(throws: Self.client().refusal(ofAddress: uri)) { try place(uri) }
        }
        #expect(try place("http://127.0.0.1:51789/back").redirectURI.text == "http://127.0.0.1:51789/back")
    }

    @Test("A claim that no scope grants counts as wanted, and goes only with its grant")
    func claims() throws {
        let request = try Self.request([
            "claims": "{\"userinfo\": {\"email\": null, \"x\": null}, \"id_token\": {\"name\": null}}"
        ])
        #expect(request.wanted.scopes == [.openid, .email, .profile])
        #expect(
            request.claims.names(in: [.openid, .profile]) == RequestedClaimNames(userInfo: ["x"], idToken: ["name"]))
    }
}
