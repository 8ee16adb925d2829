import Cryptography
import FoundationEssentials
import JSON
import Providers
import TestSupport
import Testing

@Suite("Sign in with Apple in a browser")
struct AppleRedirectTests {
    /// The token that travels through the browser together with the code.
    private func front(_ claims: JSONObject = [:], signing: TokenMint.Signing = .sound) throws -> String {
        let usual = TokenMint.merged(
            ProviderConformance.apple.claims, ["aud": "com.example.web", "nonce": .string(RedirectStage.nonce)])
        return try TokenMint.token(usual, replacing: claims, signing: signing)
    }

    @Test("the code is exchanged with a secret signed for the services id, which owns the refresh token")
    func exchange() async throws {
        let stage = try RedirectStage(.apple)
        let identity = try await stage.redeem(idToken: try front()).get()
        #expect(
            identity.upstreamTokens == [
                UpstreamToken(kind: "refresh", clientID: "com.example.web", token: Secret("refresh-1"))
            ])
        #expect(identity.email == ExternalEmail(address: "ann@example.com", authority: .verifiedByAuthority))
        let form = try #require(stage.far.calls.first { !$0.form.isEmpty }?.form)
        let secret = try JWT(parsing: try #require(form["client_secret"]))
        #expect(secret.isSigned(by: try TestKeys.apple.publicKey, .ES256))
        #expect(secret.claims["sub"] == "com.example.web" && secret.claims["iss"] == "TEAM123456")
    }

    @Test("J-27: a token of another user than the code is refused")
    func otherPerson() async throws {
        let stage = try RedirectStage(.apple)
        let answer = await stage.redeem(idToken: try front(["sub": "000000.other.0000"]))
        #expect(answer == .failure(.refused(.codeTokenMismatch)))
        #expect(stage.health.snapshot.signals[.subjectMismatch] == 1)
    }

    @Test(
        "a token that comes with the code passes every check before the exchange",
        arguments: [
            (["nonce": "another"], "nonce_mismatch"), (["nonce": .null], "nonce_absent"),
            (["aud": "com.example.app"], "audience_mismatch"), (["aud": "com.example.web.second"], "audience_mismatch"),
            (["iss": "https://account.apple.com"], "issuer_not_allowed"), (["exp": 1_700_000_000], "expired"),
            (["iat": 1_799_990_000], "too_old"), (["sub": ""], "subject_invalid"),
            (["events": "{}"], "wrong_token_type"),
        ] as [(JSONObject, String)])
    func frontToken(row: (claims: JSONObject, word: String)) async throws {
        let stage = try RedirectStage(.apple)
        #expect(await stage.redeem(idToken: try front(row.claims)).word == row.word)
        #expect(await stage.redeem(idToken: try front(signing: .otherKey)).word == "signature_invalid")
        #expect(stage.exchanges == 0)
    }

    @Test(
        "an invalid text instead of the token is a malformed request",
        arguments: ["", "abc", "a.b.c", String(repeating: "a", count: 8_193)])
    func malformedFront(text: String) async throws {
        let stage = try RedirectStage(.apple)
        #expect(await stage.redeem(idToken: text).word.hasPrefix("invalid:"))
        #expect(stage.far.calls.isEmpty)
    }

    @Test("a c_hash that does not match the code is refused before the exchange")
    func codeHash() async throws {
        let stage = try RedirectStage(.apple)
        #expect(await stage.redeem(idToken: try front(["c_hash": "AAAA"])).word == "code_token_mismatch")
        #expect(stage.exchanges == 0)
        #expect(stage.health.snapshot.signals[.codeHashMismatch] == 1)
        let fitting = try front(["c_hash": .string(RedirectStage.hash(of: "c0de+/|="))])
        #expect(await stage.redeem(idToken: fitting).word == "ok")
        #expect(stage.health.snapshot.signals[.codeHashMismatch] == 1)
    }

    @Test(
        "W-10: a name is untrusted text, and no content of the user field causes a refusal",
        arguments: [
            (#"{"name":{"firstName":"Ann","lastName":"Lee"},"email":"victim@example.com"}"#, "Ann Lee"),
            (#"{"name":{"firstName":"Ann"}}"#, "Ann"), (#"{"name":{"firstName":7,"lastName":"Lee"}}"#, "Lee"),
            (#"{"name":{"firstName":"<script>alert(1)</script>"}}"#, "scriptalert(1)/script"),
            (#"{"name":{"firstName":"A\u202Enn\r\n","lastName":"\u200BLee\u0007"}}"#, "Ann Lee"),
            (#"{"name":"Ann"}"#, nil), (#"{"name":[]}"#, nil), (#"{"name":null}"#, nil), ("[]", nil), ("", nil),
            ("not json", nil), (#"{"name":{"firstName":"Ann"}"#, nil), (#"{"name":{"firstName":"Ann\u0000"}}"#, nil),
            (#"{"name":{"firstName":"Ann","firstName":"Bob"}}"#, nil), (nil, nil),
            (#"{"name":{"firstName":"Ann"},"x":"# + String(repeating: "[", count: 5_000), nil),
            (#"{"name":{"firstName":"Ann"},"x":""# + String(repeating: "x", count: 16_384) + #""}"#, nil),
            (#"{"name":{"firstName":"Ann"},"x":""# + String(repeating: "x", count: 16_300) + #""}"#, "Ann"),
        ] as [(String?, String?)])
    func name(row: (user: String?, name: String?)) async throws {
        let identity = try await RedirectStage(.apple).redeem(user: row.user).get()
        #expect(identity.displayName == row.name)
        #expect(identity.email?.address == "ann@example.com")
    }

    @Test("without a services id or a signing key, no browser is sent to Apple", arguments: [true, false])
    func notConfigured(lacksKey: Bool) async throws {
        let stage = try RedirectStage(
            .apple {
                if lacksKey { $0.privateKey = nil } else { $0.webClientIDs = [] }
            })
        #expect(!stage.provider.canRedirect)
        #expect(await stage.startWord() == "misconfigured")
        #expect(await stage.redeem().word == "misconfigured")
        #expect(stage.far.calls.isEmpty)
    }

    @Test("with a services id alone, browsers sign in and app tokens are refused")
    func webOnly() async throws {
        let stage = try RedirectStage(.apple { $0.nativeClientIDs = [] })
        #expect(await stage.redeem().word == "ok")
        let native = try #require(stage.provider as? any TokenSignIn)
        await #expect(throws: ProviderError.refused(.audienceMismatch)) {
            try await native.verify(["id_token": .string(try front())], at: TestClock.now)
        }
        await (stage.provider as? any KeepsDocuments)?.preload()
        #expect(stage.far.count("https://appleid.apple.com/auth/keys") == 1)
    }

    @Test("J-05: an empty services id is refused")
    func emptyClient() {
        #expect(throws: ProviderConfigurationProblem(setting: "APPLE_WEB_CLIENT_IDS", reason: "names no client")) {
            try RedirectStage(.apple { $0.webClientIDs = [""] })
        }
    }

    @Test("the endpoint also replaces the page")
    func endpoint() async throws {
        let stage = try RedirectStage(.apple { $0.endpoint = "http://apple.localhost:8081/apple/" })
        #expect(try await stage.parameters().page == "http://apple.localhost:8081/apple/auth/authorize")
    }
}
