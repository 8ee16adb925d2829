import Cryptography
import FoundationEssentials
import JSON
import Providers
import Testing

/// Assertions of a provider about its users (draft-ietf-oauth-identity-assertion-authz-grant §3, §4.4).
@Suite("Identity assertions of OpenID Connect providers")
struct OpenIDConnectAssertionTests {
    private static let gateway = "https://login.example"
    private static let now = TestClock.seconds
    private static let sound: JSONObject = [
        "aud": .string(gateway), "client_id": "agent", "jti": "a-1", "resource": "https://api.example/mcp",
        "scope": "files:read files:write", "iat": .integer(now - 10), "exp": .integer(now + 290),
        "auth_time": .integer(now - 600),
    ]
    private static let typed: JSONObject = ["typ": "oauth-id-jag+jwt"]

    private static func stage(
        adjust: @escaping @Sendable (inout OpenIDConnectProvider.Configuration) -> Void = { _ in }
    ) throws -> Stage {
        try Stage(
            ProviderConformance.openIDConnect(
                "acme", "https://id.acme.example", keys: "https://id.acme.example/keys", adjust: adjust))
    }

    private static func verify(
        _ changes: JSONObject = [:], header: JSONObject = typed, signing: TokenMint.Signing = .sound,
        at stage: Stage? = nil
    ) async throws -> Result<IdentityAssertion, ProviderError> {
        let stage = try stage ?? Self.stage()
        let provider = try #require(stage.provider as? any AssertsIdentities)
        // A null takes the claim away.
        var claims = sound
        for change in changes.members { claims[change.name] = change.value }
        let text = try stage.token(claims, header: header, signing: signing)
        let jwt = try JWT(parsing: text)
        do {
            return .success(try await provider.verify(assertion: jwt, for: gateway, at: TestClock.now))
        } catch {
            return .failure(error)
        }
    }

    @Test("a sound assertion names the user, the app, its APIs, and the time of the user's proof")
    func sound() async throws {
        let assertion = try await Self.verify().get()
        #expect(assertion.identity.provider.rawValue == "acme" && assertion.identity.subject == "1180")
        #expect(assertion.identity.realm == "https://id.acme.example" && assertion.client == "agent")
        #expect(assertion.resources == ["https://api.example/mcp"] && assertion.key == nil)
        #expect(assertion.scopes == ["files:read", "files:write"])
        #expect(assertion.identity.authenticatedAt == Date(timeIntervalSince1970: TimeInterval(Self.now - 600)))
        let more: JSONObject = [
            "resource": ["https://a.example", "https://b.example"], "scope": .null, "aud": [.string(Self.gateway)],
            "azp": "the-app-there", "cnf": ["jkt": "thumb"],
        ]
        let other = try await Self.verify(more).get()
        #expect(other.resources == ["https://a.example", "https://b.example"] && other.scopes == [])
        #expect(other.key == "thumb")
        #expect(try await Self.verify(["resource": .null]).get().resources == [])
    }

    @Test("an assertion is the same one with another expiry, and another one with another id")
    func once() async throws {
        let digest = try await Self.verify().get().identity.replayDigest
        let later = try await Self.verify(["exp": .integer(Self.now + 300)]).get().identity
        #expect(later.replayDigest == digest)
        #expect(later.replayEnd == .counted(Date(timeIntervalSince1970: TimeInterval(Self.now + 360))))
        #expect(try await Self.verify(["jti": "a-2"]).get().identity.replayDigest != digest)
    }

    @Test(
        "each fault of an assertion has its reason",
        arguments: [
            (["iss": "https://evil.example"], "issuer_not_allowed"),
            (["aud": "https://other.example"], "audience_mismatch"),
            (["aud": .null], "audience_mismatch"), (["aud": ["https://login.example", "x"]], "audience_mismatch"),
            (["aud": "https://login.example/"], "audience_mismatch"),
            (["aud": ["https://login.example", "https://login.example"]], "authorized_party_mismatch"),
            (["aud": ["https://login.example", "https://login.example"], "azp": "x"], "claim_type"),
            (["client_id": .null], "claim_type"), (["client_id": ["agent"]], "claim_type"),
            (["jti": .null], "claim_type"), (["jti": ""], "claim_type"), (["jti": 7], "claim_type"),
            (["exp": .null], "claim_type"), (["exp": .integer(now - 60)], "expired"),
            (["iat": .null], "issued_at_invalid"), (["iat": .integer(now + 120)], "issued_at_invalid"),
            (["exp": .integer(now + 3_600)], "lifetime_too_long"), (["nbf": .integer(now + 120)], "not_yet_valid"),
            (["sub": .null], "subject_invalid"), (["tenant": "t-1"], "tenant_not_allowed"),
            (["resource": 7], "claim_type"), (["resource": ["https://api.example", 7]], "claim_type"),
            (["scope": ["files:read"]], "claim_type"), (["cnf": ["x5t#S256": "x"]], "claim_type"),
            (["events": [:]], "wrong_token_type"),
        ] as [(JSONObject, String)])
    func faults(changes: JSONObject, word: String) async throws {
        #expect(try await Self.word(Self.verify(changes)) == word, "\(JSON.object(changes).text)")
    }

    @Test("only the type of assertions is one: an ID token is none, nor is a token without a type")
    func types() async throws {
        for type in ["JWT", "at+jwt", "logout+jwt", .null, 7] as [JSON] {
            #expect(try await Self.word(Self.verify(header: ["typ": type])) == "wrong_token_type", "\(type.text)")
        }
        // And an assertion is no ID token, even with an audience of ID tokens.
        let stage = try Self.stage()
        #expect(try await stage.signIn(["aud": "acme-client"], header: Self.typed).word == "wrong_token_type")
    }

    @Test("the signature is by a published key of the provider, with an algorithm of its operator")
    func signatures() async throws {
        for (signing, word) in [
            (.none, "signature_invalid"), (.otherKey, "signature_invalid"), (.tampered, "signature_invalid"),
        ] as [(TokenMint.Signing, String)] {
            #expect(try await Self.word(Self.verify(signing: signing)) == word)
        }
        let none = TokenMint.merged(Self.typed, ["alg": "none"])
        #expect(try await Self.word(Self.verify(header: none, signing: .none)) == "algorithm_not_allowed")
        let narrow = try Self.stage { $0.algorithms = [.ES256] }
        #expect(try await Self.word(Self.verify(at: narrow)) == "algorithm_not_allowed")
        let unknown = TokenMint.merged(Self.typed, ["kid": "key-9"])
        #expect(try await Self.word(Self.verify(header: unknown)) == "key_unknown")
    }

    @Test("the provider's rule for the company of its users counts here too")
    func company() async throws {
        let stage = try Self.stage { $0.hostedDomain = "other.example" }
        #expect(try await Self.word(Self.verify(at: stage)) == "domain_not_allowed")
    }

    private static func word(_ result: Result<IdentityAssertion, ProviderError>) -> String {
        switch result {
        case .success: "ok"
        case .failure(.refused(let refusal)): refusal.rawValue
        case .failure(let error): "\(error)"
        }
    }
}
