import Foundation
import JSON
import TestSupport
import Testing

@Suite("Native authentication: confidential apps", .gateway())
struct NativeConfidentialTests {
    /// A confidential app with the dialect, and its secret.
    private func app() async throws -> (api: NativeAuthAPI, secret: String) {
        let gateway = try GatewayProcess.current
        var api = NativeAuthAPI(gateway: gateway, tenant: NativeAuthAPI.tenantID)
        api.application = UUID().uuidString.lowercased()
        let dialects: JSON = [
            "native_auth": [
                "tenant_id": .string(NativeAuthAPI.tenantID), "application_id": .string(api.application),
            ]
        ]
        let made = try await gateway.deployment.run(
            "clients", "create", "native-\(Fresh.text())", "--confidential", "--provider", "password", "--dialects",
            dialects.text, "--json")
        try #require(made.exitCode == 0, "\(made.errors)")
        // Every server knows the app within a second, and has a key for its tokens.
        try await poll {
            let asked = [("username", "ann@example.com"), NativeAuthAPI.challengeTypes]
            let keys = try await gateway.get("/\(api.tenant)/discovery/v2.0/keys").json["keys"]?.array ?? []
            let answer = try await api.call("/oauth2/v2.0/initiate", asked)
            return answer.status == 200 && !keys.isEmpty ? () : nil
        }
        return (api, try made.secret())
    }

    @Test("F3: a confidential app of native authentication gets tokens only with its secret, and nothing is spent")
    func tokens() async throws {
        let (api, secret) = try await app()
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email)
        let first = try await api.initiate(email)
        let challenge = try await api.token(
            "/oauth2/v2.0/challenge", [("continuation_token", first), NativeAuthAPI.challengeTypes])
        let password = [
            ("grant_type", "password"), ("continuation_token", challenge), ("password", GatewayProcess.password),
            ("client_info", "1"), NativeAuthAPI.scope,
        ]
        for wrong in [[], [("client_secret", "wrong")]] {
            let refused = try await api.call("/oauth2/v2.0/token", password + wrong)
            #expect(refused.error == "invalid_client" && refused.number == 7_000_215, "\(refused.json.text)")
        }
        let tokens = try await api.call("/oauth2/v2.0/token", password + [("client_secret", secret)])
        let refreshToken = try #require(tokens.json["refresh_token"]?.string, "\(tokens.json.text)")
        let refresh = [("grant_type", "refresh_token"), ("refresh_token", refreshToken), NativeAuthAPI.scope]
        let refused = try await api.call("/oauth2/v2.0/token", refresh)
        #expect(refused.error == "invalid_client", "\(refused.json.text)")
        let refreshed = try await api.call("/oauth2/v2.0/token", refresh + [("client_secret", secret)])
        #expect(refreshed.json["access_token"]?.string != nil, "\(refreshed.json.text)")
    }
}
