import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

@Suite("OpenID Connect")
struct OpenIDConnectProviderTests {
    private static let verifier = String(repeating: "v", count: 64)
    private static let posted: JSONObject = [
        "authorization_code": "c0de", "code_verifier": .string(verifier), "redirect_uri": "https://app.example/cb",
    ]
    private static let form = #","token_endpoint_auth_methods_supported":["client_secret_post"]"#

    private func stage(
        _ more: String = form, fields: Set<String> = ["client_id", "client_secret"], headers: [String: String] = [:],
        answer: HTTPResponse? = nil,
        adjust: @escaping @Sendable (inout OpenIDConnectProvider.Configuration) -> Void = { _ in }
    ) throws -> Stage {
        let about = ProviderConformance.openIDConnect(
            "acme", "https://id.acme.example", keys: "https://id.acme.example/keys", more: more, adjust: adjust)
        let stage = try Stage(about)
        let usual = try HTTPResponse.json(
            #"{"access_token":"access","token_type":"Bearer","id_token":"\#(stage.token())"}"#)
        stage.far["https://id.acme.example/token"] = .init(
            method: .post, headers: headers.merging(["accept": "application/json"]) { one, _ in one },
            fields: fields.union(["grant_type", "code", "redirect_uri", "code_verifier"]),
            answer: { _ in .success(answer ?? usual) })
        return stage
    }

    private func signIn(_ stage: Stage, _ credential: JSONObject = posted) async -> Result<
        ExternalIdentity, ProviderError
    > {
        do {
            return .success(try await stage.provider.verify(credential, at: TestClock.now))
        } catch {
            return .failure(error)
        }
    }

    private func answer(_ claims: JSONObject, access: String = "access") throws -> HTTPResponse {
        let token = try TokenMint.token(ProviderConformance.acme.claims, replacing: claims)
        return .json(#"{"access_token":"\#(access)","token_type":"Bearer","id_token":"\#(token)"}"#)
    }

    @Test("a code is exchanged with the secret in the form if the issuer supports that")
    func codeWithForm() async throws {
        let stage = try stage()
        let identity = try await signIn(stage).get()
        #expect(identity.subject == "1180")
        #expect(identity.replayDigest == SHA256.hash("c0de"))
        let form = try #require(stage.far.calls.first { !$0.form.isEmpty }?.form)
        #expect(form["client_secret"] == "s+cret" && form["client_id"] == "acme-client" && form["code"] == "c0de")
        #expect(form["code_verifier"] == Self.verifier && form["redirect_uri"] == "https://app.example/cb")
    }

    @Test("a code is exchanged with HTTP Basic by default, with both halves encoded (RFC 6749 §2.3.1)")
    func codeWithBasic() async throws {
        // base64 of "acme-client:s%2Bcret".
        let header = ["authorization": "Basic YWNtZS1jbGllbnQ6cyUyQmNyZXQ="]
        #expect(await signIn(try stage("", fields: [], headers: header)).word == "ok")
    }

    @Test("a public client sends only its id")
    func publicClient() async throws {
        #expect(await signIn(try stage(fields: ["client_id"]) { $0.clientSecret = nil }).word == "ok")
    }

    @Test("the token of an exchanged code passes every check")
    func boughtToken() async throws {
        let rows: [(JSONObject, String)] = [
            (["aud": "other"], "audience_mismatch"), (["iss": "https://evil.example"], "issuer_not_allowed"),
            (["exp": 1_700_000_000], "expired"), (["at_hash": "AAAA"], "code_token_mismatch"),
            (["sub": ""], "subject_invalid"),
        ]
        for (claims, word) in rows { #expect(await signIn(try stage(answer: try answer(claims))).word == word) }
        let hash = Base64URL.encode(Array(SHA256.hash("access").prefix(16)))
        let good = try answer(["at_hash": .string(hash), "nonce": "n"])
        #expect(await signIn(try stage(answer: good), TokenMint.merged(Self.posted, ["nonce": "n"])).word == "ok")
    }

    @Test("J-27: a code is exchanged as the first client, and its token must have that audience")
    func otherClient() async throws {
        let stage = try stage(answer: try answer(["aud": "second-client"])) { $0.clientIDs.append("second-client") }
        #expect(await signIn(stage).word == "audience_mismatch")
    }

    @Test(
        "J-27: the issuer's errors for a code",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, "code_invalid"),
            (400, #"{"error":"invalid_request"}"#, "code_invalid"),
            (400, #"{"error":"redirect_uri_mismatch"}"#, "code_invalid"),
            (401, #"{"error":"invalid_client"}"#, "misconfigured"), (503, "{}", "unavailable"),
            (200, "{}", "unavailable"), (200, #"{"id_token":"x"}"#, "unavailable"), (200, "<html>", "unavailable"),
        ])
    func codeErrors(row: (status: Int, body: String, word: String)) async throws {
        let stage = try stage(answer: .json(row.body, status: row.status))
        #expect(await signIn(stage).word == row.word)
        #expect(stage.far.count("https://id.acme.example/token") == 1)
    }

    @Test(
        "a code without its parameters is a malformed request",
        arguments: ["redirect_uri", "code_verifier"], [.null, 7, "", "a b"] as [JSON])
    func codeShape(member: String, value: JSON) async throws {
        let stage = try stage()
        let credential = TokenMint.merged(Self.posted, JSONObject([.init(name: member, value: value)]))
        #expect(await signIn(stage, credential).word.hasPrefix("invalid:"))
        #expect(await signIn(stage, TokenMint.merged(Self.posted, ["id_token": "x"])).word.hasPrefix("invalid:"))
        #expect(
            await signIn(stage, TokenMint.merged(Self.posted, ["code_verifier": "short"])).word.hasPrefix("invalid:"))
        #expect(stage.far.calls.isEmpty)
    }

    @Test("Google's two spellings are one realm")
    func googleIssuers() async throws {
        let stage = try Stage(.google)
        let one = try await stage.signIn().get()
        let other = try await stage.signIn(["iss": "accounts.google.com"]).get()
        #expect(one.realm == "https://accounts.google.com" && other.realm == one.realm)
        for issuer: JSON in ["http://accounts.google.com", "https://accounts.google.com/", "ACCOUNTS.GOOGLE.COM"] {
            #expect(try await stage.signIn(["iss": issuer]).word == "issuer_not_allowed")
        }
    }

    @Test(
        "Google is an authority for gmail.com and the domain in hd",
        arguments: [
            ("ann@gmail.com", .null, true, true), ("ann@example.com", "example.com", true, true),
            ("ann@example.com", .null, true, false), ("ann@example.com", "other.example", true, false),
            ("ann@gmail.com", .null, false, false), ("ann@gmail.com.evil.example", .null, true, false),
            ("ann@example.com", "EXAMPLE.com", true, false), ("ann@GMAIL.com", .null, true, true),
        ] as [(String, JSON, Bool, Bool)])
    func googleAuthority(row: (address: String, hosted: JSON, flag: Bool, isVerified: Bool)) async throws {
        let identity = try await Stage(.google).signIn([
            "email": .string(row.address), "hd": row.hosted, "email_verified": .bool(row.flag),
        ]).get()
        #expect(identity.email?.authority == (row.isVerified ? .verifiedByAuthority : .unverified))
    }

    @Test(
        "an issuer is an authority for its configured domains",
        arguments: [
            (.noDomain, false), (.listed(["other.example"]), false), (.listed(["other.example", "Example.com"]), true),
            (.any, true), (nil, false),
        ] as [(OpenIDConnectProvider.EmailDomains?, Bool)])
    func emailDomains(row: (domains: OpenIDConnectProvider.EmailDomains?, isVerified: Bool)) async throws {
        let stage = try stage { $0.emailDomains = row.domains }
        let identity = try await stage.signIn().get()
        #expect(identity.email?.authority == (row.isVerified ? .verifiedByAuthority : .unverified))
    }

    @Test(
        "a required hosted domain must match exactly",
        arguments: [
            ("example.com", "example.com", "ok"), ("example.com", .null, "domain_not_allowed"),
            ("example.com", "other.example", "domain_not_allowed"), ("example.com", 7, "domain_not_allowed"),
            ("*", "other.example", "ok"), ("*", .null, "domain_not_allowed"), ("*", "", "domain_not_allowed"),
        ] as [(String, JSON, String)])
    func hostedDomain(row: (demanded: String, hosted: JSON, word: String)) async throws {
        let stage = try stage { $0.hostedDomain = row.demanded }
        #expect(try await stage.signIn(["hd": row.hosted]).word == row.word)
    }

    @Test("a listed app may obtain tokens for our audience")
    func authorizedParties() async throws {
        let stage = try stage { $0.authorizedParties = ["ios-app"] }
        #expect(try await stage.signIn(["azp": "ios-app"]).word == "ok")
        #expect(try await stage.signIn(["azp": "other-app"]).word == "authorized_party_mismatch")
    }

    @Test(
        "untrusted discovery is refused, and its endpoints are never called",
        arguments: [
            #"{"issuer":"https://evil.example","jwks_uri":"https://id.acme.example/keys"}"#,
            #"{"issuer":"https://id.acme.example/","jwks_uri":"https://id.acme.example/keys"}"#,
            #"{"issuer":"https://id.acme.example","jwks_uri":"http://id.acme.example/keys"}"#,
            #"{"issuer":"https://id.acme.example","jwks_uri":"https://u:p@id.acme.example/keys"}"#,
            #"{"issuer":"https://id.acme.example","jwks_uri":"https://id.acme.example/keys#x"}"#,
            #"{"issuer":"https://id.acme.example","jwks_uri":"https://127.0.0.1/keys"}"#,
            #"{"issuer":"https://id.acme.example","jwks_uri":"https://169.254.169.254/keys"}"#,
            #"{"issuer":"https://id.acme.example","jwks_uri":"/keys"}"#, #"{"issuer":"https://id.acme.example"}"#,
            #"{"issuer":"https://id.acme.example","jwks_uri":"https://id.acme.example/keys","token_endpoint":"http://x.example"}"#,
            #"{"issuer":"https://id.acme.example","issuer":"https://id.acme.example","jwks_uri":"https://id.acme.example/keys"}"#,
            "[]", "<html>",
        ])
    func badDiscovery(text: String) async throws {
        let stage = try stage()
        let url = "https://id.acme.example/.well-known/openid-configuration"
        stage.far[url] = .init { _ in .success(.json(text)) }
        #expect(try await stage.signIn().word == "unavailable")
        #expect(stage.far.calls.map(\.url) == [url])
    }

    @Test("the issuer's announcement may narrow the algorithms but never widen them")
    func announcedAlgorithms() async throws {
        let narrowing = try stage(#","id_token_signing_alg_values_supported":["ES256"]"#)
        #expect(try await narrowing.signIn().word == "unavailable")
        let widening = try stage(#","id_token_signing_alg_values_supported":["RS256","none","HS256"]"#)
        #expect(try await widening.signIn().word == "ok")
        #expect(try await widening.signIn(header: ["alg": "none"], signing: .none).word == "algorithm_not_allowed")
    }

    @Test("J-06: an allowed algorithm that the issuer does not announce is refused")
    func unannouncedAlgorithm() async throws {
        let token = try Self.signedByPS256()
        for (announced, word) in [(#"["RS256"]"#, "key_unknown"), (#"["RS256","PS256"]"#, "ok")] {
            let stage = try stage(#","id_token_signing_alg_values_supported":\#(announced)"#) {
                $0.algorithms = [.RS256, .PS256]
            }
            stage.publish(try Self.setWithoutAlgorithm())
            #expect(await stage.post(.string(token)).word == word)
            #expect(try await stage.signIn().word == "ok")
        }
    }

    /// The usual key without its algorithm.
    private static func setWithoutAlgorithm() throws -> String {
        var key = try #require(TestKeys.issuer.publicKey.jwk(id: "key-1", algorithm: .RS256).object)
        key["alg"] = JSON?.none
        return JSON.object(["keys": [.object(key)]]).text
    }

    private static func signedByPS256() throws -> String {
        let header: JSON = ["alg": "PS256", "kid": "key-1", "typ": "JWT"]
        let signed =
            Base64URL.encode(header.bytes()) + "."
            + Base64URL.encode(JSON.object(ProviderConformance.acme.claims).bytes())
        let signature = try TestKeys.issuer.sign(Array(signed.utf8), algorithm: .PS256)
        return signed + "." + Base64URL.encode(signature)
    }

    @Test("a refreshed discovery document with another host is refused")
    func movedDiscovery() async throws {
        let stage = try stage()
        #expect(try await stage.signIn().word == "ok")
        let url = "https://id.acme.example/.well-known/openid-configuration"
        stage.far[url] = .init { _ in
            .success(.json(#"{"issuer":"https://id.acme.example","jwks_uri":"https://moved.example/keys"}"#))
        }
        let provider = try #require(stage.provider as? any KeepsDocuments)
        while stage.far.count(url) < 3 {
            stage.clock.advance(by: .seconds(3_601))
            await provider.refreshDue()
        }
        #expect(await signIn(stage).word == "ok")
        stage.clock.advance(by: .seconds(25 * 3_600))
        #expect(await signIn(stage).word == "ok", "the issuer is there: the old document goes on being good")
        #expect(stage.far.calls.allSatisfy { !$0.url.contains("moved.example") })
        let health = try #require(stage.provider as? any ReportsHealth).health.snapshot
        #expect(health.signals[.documentRefused, default: 0] > 0 && health.lastFailureReason == "discovery_moved")
    }

    @Test("keys and token endpoint may be below the configured endpoint, without TLS")
    func endpoint() async throws {
        var about = ProviderConformance.openIDConnect(
            "acme", "https://id.acme.example", keys: "http://127.0.0.1:8081/acme/keys"
        ) {
            $0.endpoint = "http://127.0.0.1:8081/acme"
        }
        about.discovery = (
            "http://127.0.0.1:8081/acme/.well-known/openid-configuration",
            #"{"issuer":"https://id.acme.example","jwks_uri":"http://127.0.0.1:8081/acme/keys"}"#
        )
        #expect(try await Stage(about).signIn().word == "ok")
        about.discovery?.text = #"{"issuer":"https://id.acme.example","jwks_uri":"http://127.0.0.1:9/acme/keys"}"#
        #expect(try await Stage(about).signIn().word == "unavailable")
    }

    @Test("J-05: an issuer needs https and a client")
    func configurationProblems() {
        #expect(throws: ProviderConfigurationProblem(setting: "OIDC_ACME_ISSUER", reason: "not an https address")) {
            try stage { $0.issuer = "http://id.acme.example" }
        }
        #expect(throws: ProviderConfigurationProblem(setting: "OIDC_ACME_CLIENT_IDS", reason: "names no client")) {
            try stage { $0.clientIDs = [] }
        }
        #expect(throws: ProviderConfigurationProblem.self) { try stage { $0.algorithms = [] } }
    }
}
