import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("Sign in with Apple")
struct AppleProviderTests {
    private static let tokenURL = "https://appleid.apple.com/auth/token"

    /// Apple with our signing key, and a token endpoint that requires Apple's documented parameters.
    private static let exchanging = ProviderConformance(
        name: "apple", member: "id_token", issuer: "https://appleid.apple.com", audience: "com.example.app",
        keysURL: "https://appleid.apple.com/auth/keys", claims: ProviderConformance.apple.claims, hashesNonce: true,
        subjectClaim: "sub", realm: "TEAM123456",
        make: { try AppleProvider(configuration(), upstream: $0) })

    private static func configuration() throws -> AppleProvider.Configuration {
        var configuration = ProviderConformance.appleConfiguration()
        configuration.keyID = "KEY1234567"
        configuration.privateKey = try TestKeys.apple
        return configuration
    }

    private func stage(answering answer: @escaping @Sendable (FarSide.Call) throws -> HTTPResponse) throws -> Stage {
        let stage = try Stage(Self.exchanging)
        stage.far[Self.tokenURL] = .init(
            method: .post, fields: ["client_id", "client_secret", "grant_type", "code"],
            answer: { call in
                do {
                    return .success(try answer(call))
                } catch {
                    return .failure(error as? TransferError ?? .malformedResponse)
                }
            })
        return stage
    }

    private static func tokens(_ replacing: JSONObject = [:], idToken: JSONObject = [:]) throws -> HTTPResponse {
        let hash = Base64URL.encode(Array(SHA256.hash("access").prefix(16)))
        let claims = TokenMint.merged(ProviderConformance.apple.claims, ["at_hash": .string(hash)])
        let members: JSONObject = [
            "access_token": "access", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "refresh-1",
            "id_token": .string(try TokenMint.token(claims, replacing: idToken)),
        ]
        return .json(JSON.object(TokenMint.merged(members, replacing)).text)
    }

    @Test("a code is exchanged as the token's client, with a secret signed for this request")
    func exchange() async throws {
        let stage = try stage { _ in try Self.tokens() }
        let identity = try await stage.signIn(with: ["authorization_code": "c0de+/|="]).get()
        #expect(
            identity.upstreamTokens == [
                UpstreamToken(kind: "refresh", clientID: "com.example.app", token: Secret("refresh-1"))
            ])
        let form = try #require(stage.far.calls.last?.form)
        #expect(form["code"] == "c0de+/|=")
        #expect(form["grant_type"] == "authorization_code")
        #expect(form["client_id"] == "com.example.app")
        let secret = try JWT(parsing: try #require(form["client_secret"]))
        #expect(secret.isSigned(by: try TestKeys.apple.publicKey, .ES256))
        #expect(secret.header == ["alg": "ES256", "kid": "KEY1234567"])
        let life = try #require(secret.claims["exp"]?.integer) - TestClock.seconds
        #expect((1...15_777_000).contains(life))
        #expect(try #require(secret.claims["iat"]?.integer) <= TestClock.seconds)
        #expect(secret.claims["iss"] == "TEAM123456")
        #expect(secret.claims["sub"] == "com.example.app")
        #expect(secret.claims["aud"] == "https://appleid.apple.com")
    }

    @Test(
        "J-27: a code of another user or client is refused",
        arguments: [
            ["sub": "000000.other.0000"], ["aud": "com.example.other"], ["iss": "https://evil.example"],
            ["exp": 1_700_000_000], ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], ["sub": .null], ["nonce": "another"],
        ] as [JSONObject])
    func foreignCode(idToken: JSONObject) async throws {
        let stage = try stage { _ in try Self.tokens(idToken: idToken) }
        #expect(try await stage.signIn(with: ["authorization_code": "code"]).word == "code_token_mismatch")
    }

    @Test(
        "J-27: Apple's error separates a bad code from a bad configuration",
        arguments: [
            ("invalid_grant", "code_invalid"), ("invalid_client", "misconfigured"),
            ("invalid_request", "misconfigured"),
            ("unauthorized_client", "misconfigured"), ("unsupported_grant_type", "misconfigured"),
            ("invalid_scope", "misconfigured"), ("something_new", "unavailable"),
        ])
    func errors(row: (error: String, word: String)) async throws {
        let stage = try stage { _ in
            .json(#"{"error":"\#(row.error)","error_description":"client_id mismatch"}"#, status: 400)
        }
        #expect(try await stage.signIn(with: ["authorization_code": "code"]).word == row.word)
        #expect(stage.far.count(Self.tokenURL) == 1, "a code is never sent twice")
    }

    @Test("a slow, broken or garbled token endpoint makes the provider unavailable")
    func broken() async throws {
        let large = String(repeating: " ", count: 70_000)
        let answers: [@Sendable () throws -> HTTPResponse] = [
            { throw TransferError.timedOut }, { throw TransferError.tlsFailed },
            { throw TransferError.redirectRefused },
            { .json("{}", status: 500) }, { .json("{}", status: 429) }, { .html }, { .json("not json") },
            { .json("[]") }, { .json("{}") }, { .json("{\"error\":7}", status: 400) },
            { try Self.tokens(["token_type": "mac"]) }, { try Self.tokens(["expires_in": 0]) },
            { try Self.tokens(["id_token": .null]) }, { try Self.tokens(["id_token": "abc"]) },
            { .json("{\"a\":\"\(large)\"}") },
        ]
        for answer in answers {
            let stage = try stage { _ in try answer() }
            #expect(try await stage.signIn(with: ["authorization_code": "code"]).word == "unavailable")
            #expect(stage.far.count(Self.tokenURL) == 1)
        }
    }

    @Test("the code of a refused token is never exchanged")
    func refusedFirst() async throws {
        let stage = try stage { _ in try Self.tokens() }
        #expect(try await stage.signIn(signing: .otherKey, with: ["authorization_code": "code"]).word != "ok")
        #expect(stage.far.count(Self.tokenURL) == 0)
    }

    @Test("a code of the wrong shape is a malformed request", arguments: [7, "", "a b", "a\r\nb", []] as [JSON])
    func codeShape(code: JSON) async throws {
        let answer = try await Stage(.apple).signIn(with: ["authorization_code": code])
        #expect(answer.word.hasPrefix("invalid:"))
    }

    @Test("without a signing key, a code is not exchanged, but noted")
    func noKey() async throws {
        let stage = try Stage(.apple)
        let identity = try await stage.signIn(with: ["authorization_code": "code"]).get()
        #expect(identity.upstreamTokens.isEmpty)
        let health = (stage.provider as? any ReportsHealth)?.health.snapshot
        #expect(health?.signals[.codeNotExchanged] == 1)
    }

    @Test("a c_hash that does not match the code is noted, and refused if enforced")
    func codeHash() async throws {
        let hash = Base64URL.encode(Array(SHA256.hash("code").prefix(16)))
        let stage = try stage { _ in try Self.tokens() }
        let health = try #require(stage.provider as? any ReportsHealth).health
        #expect(try await stage.signIn(["c_hash": .string(hash)], with: ["authorization_code": "code"]).word == "ok")
        #expect(health.snapshot.signals[.codeHashMismatch] == nil)
        #expect(try await stage.signIn(["c_hash": "AAAA"], with: ["authorization_code": "code"]).word == "ok")
        #expect(health.snapshot.signals[.codeHashMismatch] == 1)
        var configuration = try Self.configuration()
        configuration.enforcesCodeHash = true
        let strict = try AppleProvider(configuration, upstream: Upstream(transport: stage.far, health: health))
        await #expect(throws: ProviderError.refused(.codeTokenMismatch)) {
            try await strict.verify(
                ["id_token": .string(try stage.token(["c_hash": "AAAA"])), "authorization_code": "code"],
                at: TestClock.now)
        }
    }

    @Test("a web token posted by an app has its own error")
    func webToken() async throws {
        #expect(try await Stage(.apple).signIn(["aud": "com.example.web"]).word == "audience_flow_mismatch")
    }

    @Test("a token with a lifetime over a day is refused")
    func lifetime() async throws {
        let answer = try await Stage(.apple).signIn(["exp": .integer(TestClock.seconds + 26 * 3_600)])
        #expect(answer.word == "lifetime_too_long")
    }

    @Test(
        "a token is accepted for 30 seconds after its expiry",
        arguments: [(29, "ok"), (30, "expired"), (45, "expired")])
    func end(row: (seconds: Int, word: String)) async throws {
        let times: JSONObject = [
            "iat": .integer(TestClock.seconds - 300), "exp": .integer(TestClock.seconds - row.seconds),
        ]
        #expect(try await Stage(.apple).signIn(times).word == row.word)
    }

    @Test("a token is too old ten minutes after its issue")
    func tooOld() async throws {
        #expect(try await Stage(.apple).signIn(["iat": .integer(TestClock.seconds - 601)]).word == "too_old")
    }

    @Test(
        "a missing nonce is refused for every value of nonce_supported",
        arguments: [true, "true", false, .null] as [JSON])
    func nonceSupported(value: JSON) async throws {
        let answer = try await Stage(.apple).signIn(["nonce_supported": value], with: ["nonce": "raw"])
        #expect(answer.word == "nonce_absent")
    }

    @Test("the flag and the domain identify relay addresses")
    func relay() async throws {
        let stage = try Stage(.apple)
        let byFlag = try await stage.signIn(["is_private_email": "true"]).get().email
        #expect(byFlag?.isRelay == true)
        #expect(byFlag?.authority == .verifiedByAuthority)
        let byDomain = try await stage.signIn(["email": "x1@PrivateRelay.AppleID.com"]).get().email
        #expect(byDomain?.isRelay == true)
        #expect(try await stage.signIn(["is_private_email": "false"]).get().email?.isRelay == false)
        #expect(try await stage.signIn(["is_private_email": 1]).get().email?.isRelay == false)
        #expect(try await stage.signIn(["email": ""]).get().email == nil)
        #expect(try await stage.signIn(["email": .null]).get().email == nil)
    }

    @Test("a name is untrusted text and never causes a refusal")
    func names() async throws {
        let stage = try Stage(.apple)
        let rows: [(JSON, String?)] = [
            (["given": "Ann", "family": "Lee"], "Ann Lee"), (["given": "Ann"], "Ann"), (["family": 7], nil),
            ("Ann Late", "Ann Late"), (["given": "Ann", "middle": "X"], "Ann"),
            ([], nil), (.null, nil), (["given": "<script>alert(1)</script>"], "scriptalert(1)/script"),
            (["given": "A\u{202E}nn\r\n", "family": "\u{200B}Lee\u{0007}"], "Ann Lee"), (["given": "   "], nil),
            (["given": "Zoe\u{308}"], "Zo\u{EB}"),
            (["given": .string(String(repeating: "x", count: 50_000))], String(repeating: "x", count: 100)),
        ]
        for (name, expected) in rows {
            let identity = try await stage.signIn(with: ["name": name]).get()
            #expect(identity.displayName.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
        }
    }

    @Test("J-05: an Apple adapter needs an audience, and its key needs an id")
    func configurationProblems() throws {
        let stage = try Stage(.apple)
        let upstream = Upstream(transport: stage.far, health: ProviderHealth(provider: .apple))
        for ids in [[], [""]] {
            let empty = AppleProvider.Configuration(teamID: "T", nativeClientIDs: ids)
            #expect(
                throws: ProviderConfigurationProblem(setting: "APPLE_NATIVE_CLIENT_IDS", reason: "names no client")
            ) { try AppleProvider(empty, upstream: upstream) }
        }
        var keyless = try Self.configuration()
        keyless.keyID = nil
        #expect(throws: ProviderConfigurationProblem.self) { try AppleProvider(keyless, upstream: upstream) }
    }

    @Test("the endpoint replaces the host of requests, not the issuer")
    func endpoint() async throws {
        let about = ProviderConformance(
            name: "apple", member: "id_token", issuer: "https://appleid.apple.com", audience: "com.example.app",
            keysURL: "http://127.0.0.1:8081/apple/auth/keys", claims: ProviderConformance.apple.claims,
            subjectClaim: "sub", realm: "TEAM123456",
            make: {
                var configuration = ProviderConformance.appleConfiguration()
                configuration.endpoint = "http://127.0.0.1:8081/apple/"
                return try AppleProvider(configuration, upstream: $0)
            })
        #expect(try await Stage(about).signIn().word == "ok")
    }
}
