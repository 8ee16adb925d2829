import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

extension RedirectConformance {
    static let line = line()

    static let lineClaims: JSONObject = [
        "iss": "https://access.line.me", "sub": "U1234567890abcdef1234567890abcdef", "aud": "1001",
        "exp": 1_800_003_600, "iat": 1_799_999_990, "nonce": .string(RedirectStage.nonce), "amr": ["linesso"],
        "name": "Ann", "email": "ann@example.com",
    ]

    static func line(
        base: String? = nil, adjust: @escaping @Sendable (inout LINEProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        let api = (base ?? "https://api.line.me") + "/oauth2/v2.1"
        return RedirectConformance(
            name: "line", page: (base ?? "https://access.line.me") + "/oauth2/v2.1/authorize",
            parameters: [
                "client_id": "1001", "response_type": "code", "scope": "openid profile email",
                "nonce": RedirectStage.nonce, "max_age": "31536000",
            ],
            tokenURL: api + "/token", client: ["client_id": "1001", "client_secret": "line-s+cret"],
            tokens: [
                "access_token": "access", "token_type": "Bearer", "expires_in": 2_592_000, "id_token": "a.b.c",
            ],
            provesNonce: true, issuer: "https://access.line.me", realm: "https://access.line.me",
            subject: "U1234567890abcdef1234567890abcdef",
            surround: { far in answerLINE(far, .success(.json(JSON.object(lineClaims).text)), api: api) },
            make: {
                var configuration = LINEProvider.Configuration(channelID: "1001", channelSecret: Secret("line-s+cret"))
                adjust(&configuration)
                return try LINEProvider(configuration, upstream: $0)
            })
    }

    /// Sets LINE's answer for an ID token.
    static func answerLINE(
        _ far: FarSide, _ answer: Result<HTTPResponse, TransferError>, api: String = "https://api.line.me/oauth2/v2.1"
    ) {
        far[api + "/verify"] = .init(method: .post, fields: ["id_token", "client_id", "nonce"]) { call in
            #expect(call.form["client_id"] == "1001" && call.form["id_token"] == "a.b.c")
            #expect(call.form["nonce"] == RedirectStage.nonce)
            return answer
        }
    }
}

@Suite("LINE")
struct LINEProviderTests {
    private static let keys = "https://api.line.me/oauth2/v2.1/certs"

    private func stage(
        _ changes: JSONObject = [:], adjust: @escaping @Sendable (inout LINEProvider.Configuration) -> Void = { _ in }
    ) throws -> RedirectStage {
        let stage = try RedirectStage(.line(adjust: adjust))
        let claims = TokenMint.merged(RedirectConformance.lineClaims, changes)
        RedirectConformance.answerLINE(stage.far, .success(.json(JSON.object(claims).text)))
        let set = JSON.object(["keys": [try TestKeys.apple.publicKey.jwk(id: "key-1", algorithm: .ES256)]])
        stage.far[Self.keys] = .init { _ in .success(.json(set.text)) }
        return stage
    }

    /// An ID token of LINE's SDK.
    private func token(
        _ changes: JSONObject = [:], header: JSONObject = [:], signature: [UInt8]? = nil
    ) throws -> String {
        let usual = TokenMint.merged(RedirectConformance.lineClaims, ["nonce": .null])
        let head = TokenMint.merged(["alg": "ES256", "kid": "key-1", "typ": "JWT"], header)
        let signed =
            Base64URL.encode(JSON.object(head).bytes()) + "."
            + Base64URL.encode(JSON.object(TokenMint.merged(usual, changes)).bytes())
        let sound = try TestKeys.apple.sign(Array(signed.utf8), algorithm: .ES256)
        return signed + "." + Base64URL.encode(signature ?? sound)
    }

    private func post(_ stage: RedirectStage, _ credential: JSONObject) async throws -> String {
        let provider = try #require(stage.provider as? any TokenSignIn)
        do {
            let identity = try await provider.verify(credential, at: TestClock.now)
            #expect(identity.email?.authority == .unverified)
            return identity.subject
        } catch {
            return Result<ExternalIdentity, ProviderError>.failure(error).word
        }
    }

    @Test("an app's ID token with ES256 identifies the user, and only the keys are requested")
    func idToken() async throws {
        let stage = try stage()
        #expect(try await post(stage, ["id_token": .string(try token())]) == "U1234567890abcdef1234567890abcdef")
        #expect(stage.far.calls.map(\.url) == [Self.keys])
    }

    @Test("a posted token passes every check")
    func refusedTokens() async throws {
        let rows: [(JSONObject, String)] = [
            (["iss": "https://evil.example"], "issuer_not_allowed"), (["aud": "1002"], "audience_mismatch"),
            (["aud": .null], "audience_mismatch"), (["exp": 1_700_000_000], "expired"),
            (["iat": 1_799_990_000], "too_old"), (["sub": "undefined"], "subject_invalid"),
        ]
        for (changes, word) in rows {
            #expect(try await post(try stage(), ["id_token": .string(try token(changes))]) == word)
        }
        let nonce: JSONObject = ["id_token": .string(try token(["nonce": "n"])), "nonce": "other"]
        #expect(try await post(try stage(), nonce) == "nonce_mismatch")
        #expect(
            try await post(try stage { $0.requiresNonce = true }, ["id_token": .string(try token())]) == "nonce_missing"
        )
    }

    @Test("an app's token with any algorithm but ES256 is refused, even HS256 with the channel secret")
    func algorithms() async throws {
        let parts = try token(header: ["alg": "HS256"]).split(separator: ".")
        let signed = "\(parts[0]).\(parts[1])"
        for secret in ["line-s+cret", ""] {
            let code = HMACSHA256.code(Array(signed.utf8), key: Array(secret.utf8))
            let text = signed + "." + Base64URL.encode(code)
            #expect(try await post(try stage(), ["id_token": .string(text)]) == "algorithm_not_allowed")
        }
        for name in ["none", "RS256", "ES384", "es256"] {
            let text = try token(header: ["alg": .string(name)])
            #expect(try await post(try stage(), ["id_token": .string(text)]) == "algorithm_not_allowed")
        }
        let text = try token(signature: Array(repeating: 1, count: 64))
        #expect(try await post(try stage(), ["id_token": .string(text)]) == "signature_invalid")
    }

    @Test("LINE's claims for an exchanged token must match the redirect")
    func boughtToken() async throws {
        let rows: [(JSONObject, String)] = [
            (["iss": "https://evil.example"], "issuer_not_allowed"), (["iss": .null], "issuer_not_allowed"),
            (["iss": "https://access.line.me/"], "issuer_not_allowed"), (["aud": "1002"], "audience_mismatch"),
            (["aud": ["1001"]], "audience_mismatch"), (["aud": .null], "audience_mismatch"),
            (["nonce": .null], "nonce_absent"), (["nonce": "another"], "nonce_mismatch"),
            (["nonce": 7], "nonce_mismatch"), (["exp": .null], "claim_type"), (["exp": "1800003600"], "claim_type"),
            (["exp": 1_799_999_940], "expired"), (["exp": 1_799_999_941], "ok"), (["iat": .null], "claim_type"),
            (["iat": 1_800_000_061], "issued_at_invalid"), (["iat": 1_799_999_399], "too_old"),
            (["iat": 1_799_999_400], "ok"), (["sub": .null], "subject_invalid"), (["sub": ""], "subject_invalid"),
            (["sub": 7], "subject_invalid"), (["sub": "null"], "subject_invalid"), (["sub": "a b"], "subject_invalid"),
            (["sub": .string(String(repeating: "U", count: 256))], "subject_invalid"),
        ]
        for (changes, word) in rows {
            #expect(await (try stage(changes)).redeem().word == word, "\(JSON.object(changes).text)")
        }
    }

    @Test("LINE proves no address, with any claim", arguments: [.null, true, "true"] as [JSON])
    func address(flag: JSON) async throws {
        let email = try await stage(["email_verified": flag]).redeem().get().email
        #expect(email == ExternalEmail(address: "ann@example.com", authority: .unverified))
        #expect(try await stage(["email": .null]).redeem().get().email == nil)
    }

    @Test("a re-authentication requests a new sign-in and receives its time")
    func signInTime() async throws {
        let stage = try stage(["auth_time": 1_799_999_980])
        #expect(stage.provider.tellsSignInTime)
        let url = try await stage.provider.authorizationURL(RedirectStage.start(isReauthentication: true))
        #expect(url.contains("&prompt=login&max_age=0"))
        let identity = try await stage.redeem().get()
        #expect(identity.authenticatedAt == Date(timeIntervalSince1970: 1_799_999_980))
        #expect(identity.issuedAt == Date(timeIntervalSince1970: 1_799_999_990))
        #expect(try await self.stage().redeem().get().authenticatedAt == nil)
    }

    @Test("an ID token that LINE rejects is refused", arguments: [400, 401])
    func refusedByLINE(status: Int) async throws {
        let stage = try stage()
        let body = #"{"error":"invalid_request","error_description":"Invalid IdToken."}"#
        RedirectConformance.answerLINE(stage.far, .success(.json(body, status: status)))
        #expect(await stage.redeem() == .failure(.refused(.upstreamInvalidToken)))
    }

    @Test("a failure of token verification gives 503 and never a partial identity", arguments: apiTroubles)
    func trouble(answer: Result<HTTPResponse, TransferError>) async throws {
        let stage = try stage()
        RedirectConformance.answerLINE(stage.far, answer)
        #expect(await stage.redeem().word == "unavailable")
    }

    @Test("an answer without an ID token is a failure of LINE")
    func noIDToken() async throws {
        for value: JSON in [.null, "", 7] {
            let stage = try stage()
            try stage.sell(members: ["id_token": value])
            #expect(await stage.redeem().word == "unavailable")
            #expect(stage.far.calls.count == 1)
        }
    }

    @Test("an endpoint replaces LINE's two hosts; issuer and realm stay")
    func endpoint() async throws {
        let base = "http://line.localhost:8081/line"
        let stage = try RedirectStage(.line(base: base) { $0.endpoint = base })
        #expect(try await stage.parameters().page == base + "/oauth2/v2.1/authorize")
        #expect(try await stage.redeem().get().realm == "https://access.line.me")
    }

    @Test("J-05: a LINE adapter needs an id and a secret")
    func configurationProblems() {
        #expect(throws: ProviderConfigurationProblem(setting: "LINE_CHANNEL_ID", reason: "empty")) {
            try stage { $0.channelID = "" }
        }
        #expect(throws: ProviderConfigurationProblem(setting: "LINE_CHANNEL_SECRET", reason: "empty")) {
            try stage { $0.channelSecret = Secret("") }
        }
    }
}
