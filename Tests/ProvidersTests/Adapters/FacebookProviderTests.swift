import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

extension ProviderConformance {
    /// Limited Login.
    static let facebook = facebook()

    static func facebook(
        adjust: @escaping @Sendable (inout FacebookProvider.Configuration) -> Void = { _ in }
    ) -> ProviderConformance {
        ProviderConformance(
            name: "facebook", member: "id_token", issuer: "https://limited.facebook.com", audience: "1001",
            keysURL: "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
            claims: usual("https://limited.facebook.com", "1001", ["sub": "10200000000000001"]), verifyingFlags: [],
            subjectClaim: "sub", realm: "1001",
            make: { try FacebookProvider(facebookConfiguration(adjust), upstream: $0) })
    }

    static func facebookConfiguration(
        _ adjust: (inout FacebookProvider.Configuration) -> Void = { _ in }
    ) -> FacebookProvider.Configuration {
        var configuration = FacebookProvider.Configuration(appID: "1001", appSecret: Secret("facebook-s+cret"))
        adjust(&configuration)
        return configuration
    }
}

extension RedirectConformance {
    static let facebook = facebook()

    static func facebook(
        base: String? = nil, adjust: @escaping @Sendable (inout FacebookProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        let api = (base ?? "https://graph.facebook.com") + "/v23.0"
        return RedirectConformance(
            name: "facebook", page: (base ?? "https://www.facebook.com") + "/v23.0/dialog/oauth",
            parameters: ["client_id": "1001", "response_type": "code", "scope": "public_profile email"],
            tokenURL: api + "/oauth/access_token",
            client: ["client_id": "1001", "client_secret": "facebook-s+cret"],
            tokens: ["access_token": "EAAtoken", "token_type": "bearer", "expires_in": 5_183_944], issuer: nil,
            realm: "1001", subject: "10200000000000001", refusals: ("100", "1", 400),
            error: { #"{"message":"x","type":"OAuthException","code":\#(Int($0) ?? 0)}"# },
            surround: { far in
                answerFacebook(
                    far, .json(#"{"id":"10200000000000001","name":"Ann","email":"ann@example.com"}"#), api: api)
            },
            make: { try FacebookProvider(ProviderConformance.facebookConfiguration(adjust), upstream: $0) })
    }

    /// The address of the profile, with the proof by the app secret.
    static func facebookProfile(api: String = "https://graph.facebook.com/v23.0") -> String {
        let proof = Hex.encode(HMACSHA256.code(Array("EAAtoken".utf8), key: Array("facebook-s+cret".utf8)))
        return api + "/me?fields=id%2Cname%2Cemail&appsecret_proof=" + proof
    }

    static func answerFacebook(
        _ far: FarSide, _ answer: HTTPResponse, api: String = "https://graph.facebook.com/v23.0"
    ) {
        let headers = ["accept": "application/json", "authorization": "Bearer EAAtoken"]
        far[facebookProfile(api: api)] = .init(headers: headers) { _ in .success(answer) }
    }
}

@Suite("Facebook")
struct FacebookProviderTests {
    private static let info = "https://graph.facebook.com/v23.0/debug_token?input_token=EAAtoken"
    private static let good: JSONObject = [
        "app_id": "1001", "type": "USER", "is_valid": true, "user_id": "10200000000000001", "expires_at": 1_805_000_000,
        "issued_at": 1_799_999_990,
    ]

    private func stage(
        profile: HTTPResponse? = nil,
        adjust: @escaping @Sendable (inout FacebookProvider.Configuration) -> Void = { _ in }
    ) throws -> RedirectStage {
        let stage = try RedirectStage(.facebook(adjust: adjust))
        if let profile { RedirectConformance.answerFacebook(stage.far, profile) }
        try tell(stage)
        return stage
    }

    /// Sets Facebook's debug answer for the posted token.
    private func tell(_ stage: RedirectStage, _ changes: JSONObject = [:]) throws {
        let data = JSON.object(TokenMint.merged(Self.good, changes)).text
        answerInfo(stage, .success(.json(#"{"data":\#(data)}"#)))
    }

    private func answerInfo(_ stage: RedirectStage, _ answer: Result<HTTPResponse, TransferError>) {
        let headers = ["accept": "application/json", "authorization": "Bearer 1001|facebook-s+cret"]
        stage.far[Self.info] = .init(headers: headers) { _ in answer }
    }

    private func post(
        _ stage: RedirectStage, _ credential: JSONObject = ["access_token": "EAAtoken"]
    ) async throws -> Result<ExternalIdentity, ProviderError> {
        let provider = try #require(stage.provider as? any TokenSignIn)
        do {
            return .success(try await provider.verify(credential, at: TestClock.now))
        } catch {
            return .failure(error)
        }
    }

    @Test("an access token of our app identifies the user, once")
    func accessToken() async throws {
        let identity = try await post(try stage()).get()
        #expect(identity.provider == .facebook && identity.realm == "1001")
        #expect(identity.subject == "10200000000000001" && identity.displayName == "Ann")
        #expect(identity.audiences == ["1001"])
        #expect(identity.email == ExternalEmail(address: "ann@example.com", authority: .unverified))
        #expect(identity.replayDigest == SHA256.hash("EAAtoken"))
        #expect(identity.replayEnd == .itsOwn(Date(timeIntervalSince1970: 1_800_000_650)))
    }

    @Test("J-24: the debug answer for a posted token decides, and any other answer refuses it")
    func tokenInfo() async throws {
        let rows: [(JSONObject, String)] = [
            (["app_id": "1002"], "audience_mismatch"), (["app_id": 1_001], "upstream_invalid_token"),
            (["app_id": .null], "upstream_invalid_token"), (["is_valid": false], "upstream_invalid_token"),
            (["is_valid": .null], "upstream_invalid_token"), (["is_valid": "true"], "upstream_invalid_token"),
            (["type": "APP"], "wrong_token_type"), (["type": "PAGE"], "wrong_token_type"),
            (["type": .null], "wrong_token_type"), (["user_id": .null], "subject_invalid"),
            (["user_id": 7], "subject_invalid"), (["user_id": "0"], "subject_invalid"),
            (["user_id": "10200000000000002"], "subject_mismatch"), (["expires_at": .null], "claim_type"),
            (["expires_at": "0"], "claim_type"), (["expires_at": -1], "claim_type"),
            (["expires_at": 1_800_000_000], "expired"), (["issued_at": .null], "issued_at_invalid"),
            (["issued_at": 1_800_000_061], "issued_at_invalid"), (["issued_at": 1_799_999_399], "too_old"),
            (["issued_at": 1_799_999_400], "ok"), (["expires_at": 0], "ok"),
        ]
        for (changes, word) in rows {
            let stage = try stage()
            try tell(stage, changes)
            #expect(try await post(stage).word == word, "\(JSON.object(changes).text)")
        }
    }

    @Test("another app's token is counted, and its profile is never requested")
    func foreignApp() async throws {
        let stage = try stage()
        try tell(stage, ["app_id": "1002"])
        #expect(try await post(stage) == .failure(.refused(.audienceMismatch)))
        #expect(stage.health.snapshot.signals[.audienceMismatch] == 1)
        #expect(stage.far.calls.count == 1)
    }

    @Test("an unknown token has no app and is refused")
    func unknownToken() async throws {
        let stage = try stage()
        answerInfo(stage, .success(.json(#"{"data":{"error":{"code":190},"is_valid":false,"scopes":[]}}"#)))
        #expect(try await post(stage) == .failure(.refused(.upstreamInvalidToken)))
    }

    @Test("an app secret that Facebook rejects is a configuration error")
    func refusedApp() async throws {
        let stage = try stage()
        answerInfo(stage, .success(.json(#"{"error":{"code":101}}"#, status: 400)))
        #expect(try await post(stage).word == "misconfigured")
    }

    @Test("a failure at the API gives 503 and never a partial identity", arguments: apiTroubles)
    func trouble(answer: Result<HTTPResponse, TransferError>) async throws {
        let asked = try stage()
        answerInfo(asked, answer)
        #expect(try await post(asked).word == "unavailable")
        let stage = try stage()
        stage.far[RedirectConformance.facebookProfile()] = .init(
            headers: ["accept": "application/json", "authorization": "Bearer EAAtoken"]
        ) { _ in answer }
        let expected: Set = ["unavailable"]
        #expect(expected.contains(await stage.redeem().word))
        #expect(expected.contains(try await post(stage).word))
    }

    @Test("a token or proof that Facebook rejects is refused", arguments: [100, 190])
    func revoked(code: Int) async throws {
        let stage = try stage(profile: .json(#"{"error":{"message":"x","code":\#(code)}}"#, status: 400))
        #expect(await stage.redeem() == .failure(.refused(.upstreamInvalidToken)))
        #expect(try await post(stage) == .failure(.refused(.upstreamInvalidToken)))
    }

    @Test("J-19: an id that is not decimal is refused", arguments: badDecimals)
    func badSubject(id: String) async throws {
        let stage = try stage(profile: .json(#"{"id":\#(id),"name":"Ann"}"#))
        #expect(await stage.redeem() == .failure(.refused(.subjectInvalid)))
        let limited = try Stage(.facebook)
        let claim = try JSON(parsing: Array(id.utf8))
        #expect(try await limited.signIn(["sub": claim]).word == "subject_invalid")
    }

    @Test("the user signs in without an address, also if the address is malformed", arguments: ["", #","email":7"#])
    func noAddress(member: String) async throws {
        let stage = try stage(profile: .json(#"{"id":"1","name":"Ann"\#(member)}"#))
        #expect(try await stage.redeem().get().email == nil)
    }

    @Test("a posted token must be a text with legal header characters")
    func shape() async throws {
        let stage = try stage()
        for text in unsendableTokens {
            #expect(try await post(stage, ["access_token": .string(text)]).word == "invalid:malformed")
        }
        #expect(try await post(stage, ["access_token": 7]).word == "invalid:wrong_type")
        #expect(try await post(stage, [:]).word == "invalid:token_missing")
        let both: JSONObject = ["access_token": "EAAtoken", "id_token": "a.b.c"]
        #expect(try await post(stage, both).word == "invalid:beside_access_token")
        #expect(stage.far.calls.isEmpty)
    }

    @Test("with a required nonce, access tokens are refused because they cannot carry one")
    func requiredNonce() async throws {
        let stage = try stage { $0.requiresNonce = true }
        #expect(try await post(stage) == .failure(.refused(.nonceMissing)))
        #expect(stage.far.calls.isEmpty)
        let limited = try Stage(.facebook { $0.requiresNonce = true })
        #expect(try await limited.signIn().word == "nonce_missing")
        #expect(try await limited.signIn(["nonce": "n"], with: ["nonce": "n"]).word == "ok")
    }

    @Test("both spellings of the issuer are accepted, and no other", arguments: ["https://www.facebook.com"])
    func issuers(issuer: String) async throws {
        #expect(try await Stage(.facebook).signIn(["iss": .string(issuer)]).word == "ok")
        #expect(try await Stage(.facebook).signIn(["iss": "https://facebook.com"]).word == "issuer_not_allowed")
    }

    @Test("an access token costs a request, an ID token does not")
    func price() throws {
        let provider = try #require(try stage().provider as? any TokenSignIn)
        #expect(provider.asksProvider(about: ["access_token": "EAAtoken"]))
        #expect(!provider.asksProvider(about: ["id_token": "a.b.c"]))
    }

    @Test("a re-authentication is requested, and an endpoint replaces Facebook's hosts")
    func page() async throws {
        let url = try await stage().provider.authorizationURL(RedirectStage.start(isReauthentication: true))
        #expect(url.contains("&auth_type=reauthenticate"))
        let base = "http://facebook.localhost:8081/facebook"
        let stage = try RedirectStage(.facebook(base: base) { $0.endpoint = base })
        #expect(try await stage.parameters().page == base + "/v23.0/dialog/oauth")
        #expect(try await stage.redeem().get().subject == "10200000000000001")
    }

    @Test(
        "J-05: a Facebook adapter needs an app id and a secret", arguments: ["", "x", "0", "1.5"])
    func configurationProblems(appID: String) {
        #expect(throws: ProviderConfigurationProblem(setting: "FACEBOOK_APP_ID", reason: "not a number")) {
            try stage { $0.appID = appID }
        }
        #expect(throws: ProviderConfigurationProblem(setting: "FACEBOOK_APP_SECRET", reason: "empty")) {
            try stage { $0.appSecret = Secret("") }
        }
    }
}
