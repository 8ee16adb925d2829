import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("Provider values")
struct ProviderValuesTests {
    @Test(
        "an id is a lower-case word", arguments: ["a", "apple", "my-idp_2", String(repeating: "a", count: 32)])
    func goodID(text: String) {
        #expect(ProviderID(rawValue: text)?.rawValue == text)
    }

    @Test(
        "any other id is refused",
        arguments: ["", "Apple", "2fa", "-a", "a b", "a/b", "ä", "a\u{301}", String(repeating: "a", count: 33)])
    func badID(text: String) {
        #expect(ProviderID(rawValue: text) == nil)
    }

    @Test(
        "an address is ASCII with a domain",
        arguments: ["a@b.co", "Ann.Lee+tag@sub.example.com", "o'neil@example.com", "x@privaterelay.appleid.com"])
    func goodAddress(text: String) {
        #expect(ExternalEmail(address: text, authority: .unverified)?.address == text)
    }

    @Test("the longest address has 254 bytes")
    func longestAddress() {
        let label = String(repeating: "d", count: 63)
        let domain = [label, label, label].joined(separator: ".")
        let local = String(repeating: "a", count: 254 - 1 - domain.utf8.count)
        #expect(ExternalEmail(address: local + "@" + domain, authority: .unverified) != nil)
        #expect(ExternalEmail(address: local + "a@" + domain, authority: .unverified) == nil)
    }

    @Test(
        "an error states whether a posted credential caused a provider request in vain",
        arguments: [
            (.refused(.codeInvalid), true), (.misconfigured(reason: "token_request_invalid"), true),
            (.misconfigured(reason: "client_secret_rejected"), false),
            (.invalidRequest(member: "a", reason: "b"), false),
            (.unavailable(reason: "circuit_open", retryAfter: 1), false),
            (.unavailable(reason: "upstream_timeout", retryAfter: 1), false),
        ] as [(ProviderError, Bool)])
    func credentialsFault(row: (error: ProviderError, isSo: Bool)) {
        #expect(row.error.isCredentialsFault == row.isSo)
    }

    @Test(
        "a name is cut to the limit of an account and never ends in a space",
        arguments: [
            ([String(repeating: "g", count: 100), String(repeating: "f", count: 100)], 200),
            ([String(repeating: "g", count: 500), "f"], 102), ([String(repeating: "n", count: 500)], 200),
            ([String(repeating: "n", count: 199) + " n"], 199), ([String(repeating: "\u{1F600}", count: 201)], 200),
            ([String(repeating: "e\u{301}", count: 150), String(repeating: "a\u{34F}", count: 100)], 200),
            (["", nil, "\u{202E}"], nil), ([], nil),
        ] as [([String?], Int?)])
    func names(row: (parts: [String?], length: Int?)) {
        let name = DisplayName.joined(row.parts)
        #expect(name?.unicodeScalars.count == row.length)
        #expect(name?.hasSuffix(" ") != true)
    }

    @Test("the check reports the problems of all providers together, including reserved and repeated ids")
    func problems() throws {
        var configured = [
            ConfiguredProvider(.apple, AppleProvider.self, .init(teamID: "T", nativeClientIDs: [])),
            ConfiguredProvider(.amazon, AmazonProvider.self, .init(clientIDs: ["c"], accountName: "")),
            ConfiguredProvider(.microsoft, MicrosoftProvider.self, .init(clientIDs: ["c"], tenantIDs: ["common"])),
            ConfiguredProvider(
                .cognito, CognitoProvider.self,
                .init(region: "us-east-1", userPoolID: "us-east-1_A", clientIDs: ["c"])),
            ConfiguredProvider(
                .github, OAuthProvider.self, .init(GitHubProvider.kind, clientID: "c", clientSecret: Secret("s"))),
        ]
        for name in ["acme", "acme", "password", "github"] {
            let id = try #require(ProviderID(rawValue: name))
            configured.append(
                ConfiguredProvider(
                    id, OpenIDConnectProvider.self,
                    .init(id: id, name: name, issuer: "https://x.example", clientIDs: ["c"])))
        }
        let (registry, problems) = ProviderRegistry.build(configured) {
            Upstream(transport: FarSide(), health: ProviderHealth(provider: $0))
        }
        #expect(
            problems.map(\.setting) == [
                "OIDC_PROVIDERS", "OIDC_PROVIDERS", "OIDC_PROVIDERS", "APPLE_NATIVE_CLIENT_IDS", "AMAZON_ACCOUNT_NAME",
                "MICROSOFT_TENANT_IDS",
            ])
        #expect(registry[.github]?.displayName == "GitHub")
        #expect(registry[.cognito]?.displayName == "Amazon Cognito")
        #expect(registry[.apple] == nil)
    }

    @Test("preloading fetches keys and documents and survives unreachable providers")
    func preload() async throws {
        let far = FarSide()
        let keys = try TestKeys.usualSet
        let pool = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_A/.well-known/jwks.json"
        far["https://appleid.apple.com/auth/keys"] = .init { _ in .failure(.connectFailed) }
        far[pool] = .init { _ in .success(.json(keys)) }
        let configured = [
            ConfiguredProvider(.apple, AppleProvider.self, .init(teamID: "T", nativeClientIDs: ["c"])),
            ConfiguredProvider(
                .cognito, CognitoProvider.self,
                .init(region: "us-east-1", userPoolID: "us-east-1_A", clientIDs: ["c"])),
        ]
        let (registry, problems) = ProviderRegistry.build(configured) {
            Upstream(transport: far, health: ProviderHealth(provider: $0))
        }
        #expect(problems.isEmpty)
        await registry.preload()
        #expect(far.count("https://appleid.apple.com/auth/keys") == 1)
        await registry.refreshDue()
        #expect(far.count(pool) == 1)
        let apple = try #require(registry[.apple] as? any ReportsHealth).health.snapshot
        #expect(apple.lastFailureReason == "upstream_unavailable")
        #expect(apple.keySetArrived == nil)
        let cognito = try #require(registry[.cognito] as? any ReportsHealth).health.snapshot
        #expect(cognito.keySetArrived != nil)
    }

    @Test("local refusals do not count as failures of the provider")
    func circuit() async throws {
        let stage = try Stage(.apple)
        #expect(try await stage.signIn(signing: .otherKey).word == "signature_invalid")
        let health = try #require(stage.provider as? any ReportsHealth).health.snapshot
        #expect(health.lastFailure == nil && health.lastSuccess != nil)
    }
}
