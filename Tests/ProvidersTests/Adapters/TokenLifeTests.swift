import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// Revocation and checks of stored provider tokens.
@Suite("Stored provider tokens")
struct TokenLifeTests {
    private static let token = UpstreamToken(kind: "refresh", clientID: "acme-client", token: Secret("refresh-1"))
    private static let endpoint = #","revocation_endpoint":"https://id.acme.example/revoke""#
    private static let inForm = #","token_endpoint_auth_methods_supported":["client_secret_post"]"#

    /// An issuer with its answer to a revocation.
    private func acme(_ more: String, fields: Set<String>, headers: [String: String] = [:], _ answer: HTTPResponse)
        throws
        -> Stage
    {
        let stage = try Stage(
            ProviderConformance.openIDConnect(
                "acme", "https://id.acme.example", keys: "https://id.acme.example/keys", more: more, adjust: { _ in }))
        stage.far["https://id.acme.example/revoke"] = .init(
            method: .post, headers: headers.merging(["accept": "application/json"]) { one, _ in one },
            fields: fields.union(["token", "token_type_hint"]), answer: { _ in .success(answer) })
        return stage
    }

    private func revoke(_ token: UpstreamToken = Self.token, at stage: Stage) async throws -> String {
        let provider = try #require(stage.provider as? any RevokesTokens)
        do throws(ProviderError) {
            try await provider.revoke(token, at: TestClock.now)
            return "ok"
        } catch {
            return "\(error)"
        }
    }

    @Test("revocation uses the announced endpoint and client authentication (RFC 7009)")
    func revocation() async throws {
        let empty = HTTPResponse.json("")
        let form = try acme(Self.endpoint + Self.inForm, fields: ["client_id", "client_secret"], empty)
        #expect(try await revoke(at: form) == "ok")
        let sent = try #require(form.far.calls.last?.form)
        #expect(sent["token"] == "refresh-1")
        #expect(sent["token_type_hint"] == "refresh_token")
        let basic = ["authorization": "Basic YWNtZS1jbGllbnQ6cyUyQmNyZXQ="]
        #expect(try await revoke(at: try acme(Self.endpoint, fields: [], headers: basic, empty)) == "ok")
    }

    @Test("an issuer without a revocation endpoint gets no request, and the job is done")
    func withoutEndpoint() async throws {
        let stage = try acme("", fields: [], .json(""))
        #expect(try await revoke(at: stage) == "\(ProviderError.refused(.upstreamInvalidToken))")
        #expect(stage.far.count("https://id.acme.example/revoke") == 0)
    }

    @Test("the answer to a revocation is final, a configuration error, or a temporary failure")
    func refusals() async throws {
        let rows: [(HTTPResponse, ProviderError)] = [
            (.json(#"{"error":"invalid_grant"}"#, status: 400), .refused(.upstreamInvalidToken)),
            (.json(#"{"error":"unsupported_token_type"}"#, status: 400), .refused(.upstreamInvalidToken)),
            (.json(#"{"error":"invalid_client"}"#, status: 401), .misconfigured(reason: "client_secret_rejected")),
            (.json(#"{"error":"invalid_request"}"#, status: 400), .misconfigured(reason: "revocation_rejected")),
            (.json("<html>", status: 404), .unavailable(reason: "upstream_malformed", retryAfter: 5)),
            (.json("{}", status: 503), .unavailable(reason: "upstream_unavailable", retryAfter: 5)),
            (.json("{}", status: 429), .unavailable(reason: "upstream_unavailable", retryAfter: 5)),
        ]
        for (answer, expected) in rows {
            let stage = try acme(Self.endpoint + Self.inForm, fields: ["client_id", "client_secret"], answer)
            #expect(try await revoke(at: stage) == "\(expected)")
        }
    }

    // MARK: Apple

    private func apple(checks: Bool = true, hasKey: Bool = true, _ answer: HTTPResponse) throws -> Stage {
        var configuration = ProviderConformance.appleConfiguration()
        if hasKey { (configuration.keyID, configuration.privateKey) = ("KEY1234567", try TestKeys.apple) }
        configuration.checksTokens = checks
        let made = configuration
        let stage = try Stage(
            ProviderConformance(
                name: "apple", member: "id_token", issuer: "https://appleid.apple.com",
                audience: "com.example.app", keysURL: "https://appleid.apple.com/auth/keys",
                claims: ProviderConformance.apple.claims, hashesNonce: true, subjectClaim: "sub", realm: "TEAM123456",
                make: { try AppleProvider(made, upstream: $0) }))
        for (path, fields) in [("token", ["grant_type", "refresh_token"]), ("revoke", ["token", "token_type_hint"])] {
            stage.far["https://appleid.apple.com/auth/\(path)"] = .init(
                method: .post, fields: Set(fields).union(["client_id", "client_secret"]),
                answer: { _ in .success(answer) })
        }
        return stage
    }

    @Test("Apple's answer for a stored token: valid, revoked or undecided")
    func standings() async throws {
        let good = #"{"access_token":"a","token_type":"Bearer","expires_in":3600}"#
        let rows: [(HTTPResponse, TokenStanding?)] = [
            (.json(good), .good), (.json(#"{"error":"invalid_grant"}"#, status: 400), .dead),
            (.json(#"{"error":"invalid_request"}"#, status: 400), .doubtful),
            (.json(#"{"error":"invalid_client"}"#, status: 400), nil),
            (.json(#"{"error":"unauthorized_client"}"#, status: 400), nil),
            (.json(#"{"error":"unsupported_grant_type"}"#, status: 400), nil),
            (.json(#"{"error":"invalid_scope"}"#, status: 400), nil), (.json("{}", status: 500), nil),
            (.json("{}", status: 429), nil), (.json("<html>"), nil),
        ]
        let token = UpstreamToken(kind: "refresh", clientID: "com.example.web", token: Secret("refresh-1"))
        for (answer, expected) in rows {
            let stage = try apple(answer)
            let provider = try #require(stage.provider as? any ChecksTokens)
            #expect(await (try? provider.standing(of: token, at: TestClock.now)) == expected)
            #expect(stage.far.calls.last?.form["client_id"] == "com.example.web")
        }
    }

    @Test("a token is revoked at Apple under its own client, with that client's secret")
    func ownClient() async throws {
        let stage = try apple(.json(""))
        let token = UpstreamToken(kind: "refresh", clientID: "com.example.web", token: Secret("refresh-1"))
        #expect(try await revoke(token, at: stage) == "ok")
        let form = try #require(stage.far.calls.last?.form)
        #expect(form["client_id"] == "com.example.web")
        let secret = try JWT(parsing: try #require(form["client_secret"]))
        #expect(secret.claims["sub"] == "com.example.web")
        #expect(secret.isSigned(by: try TestKeys.apple.publicKey, .ES256))
    }

    @Test("without a key, nothing is revoked or checked, and checks can be disabled")
    func settings() throws {
        for (checks, hasKey) in [(true, true), (false, true), (true, false)] {
            let stage = try apple(checks: checks, hasKey: hasKey, .json(""))
            #expect((stage.provider as? any RevokesTokens)?.canRevoke == hasKey)
            #expect((stage.provider as? any ChecksTokens)?.canCheck == (checks && hasKey))
        }
    }
}
