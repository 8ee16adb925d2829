import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// A strict client of native authentication, version 1: it refuses what MSAL refuses.
struct NativeAuthAPI: Sendable {
    static let tenantID = "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0"
    static let tenantName = "contoso.onmicrosoft.com"
    static let application = "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f1"

    let gateway: GatewayProcess
    /// The segment that names the tenant.
    var tenant = NativeAuthAPI.tenantName
    var application = NativeAuthAPI.application

    /// The app `app` of the suite's gateway, with the dialect.
    static var current: NativeAuthAPI { get async throws { try await enabled(on: try GatewayProcess.current) } }

    static func enabled(on gateway: GatewayProcess) async throws -> NativeAuthAPI {
        let dialects = JSON.object([
            "native_auth": [
                "tenant_id": .string(tenantID), "tenant_name": .string(tenantName),
                "application_id": .string(application),
            ]
        ])
        try await gateway.change(
            "update clients set dialects = \(JSONText(dialects.text)) where id = 'app' and dialects <> \(JSONText(dialects.text))"
        )
        _ = try await poll {
            let keys = try await gateway.get("/\(tenantID)/discovery/v2.0/keys").json["keys"]?.array ?? []
            return keys.isEmpty ? nil : ()
        }
        return NativeAuthAPI(gateway: gateway)
    }

    /// A call; `client_id` is added.
    ///
    /// MSAL accepts only 200 and 400, JSON, numbers as numbers, and its own correlation id.
    func call(_ path: String, _ fields: [(String, String)]) async throws -> NativeAuthAnswer {
        let correlation = UUID().uuidString.lowercased()
        let answer = try await gateway.send(
            TestRequest("POST", "/\(tenant)\(path)").form([("client_id", application)] + fields)
                .header("client-request-id", correlation).header("x-client-sku", "MSAL.test"))
        try #require([200, 400].contains(answer.status), "\(path): \(answer.status) \(answer.text)")
        #expect(answer.header("client-request-id") == correlation)
        #expect(UUID(uuidString: answer.header("x-ms-request-id") ?? "") != nil)
        if answer.status == 400 {
            #expect(answer.json["error"]?.string != nil && answer.json["error_description"]?.string != nil)
            #expect(answer.json["error_codes"]?.array?.allSatisfy { $0.integer != nil } == true, "\(answer.text)")
            #expect(answer.json["correlation_id"] == .string(correlation))
        }
        return NativeAuthAnswer(status: answer.status, json: answer.json)
    }

    /// A call that must succeed with a continuation token.
    func token(_ path: String, _ fields: [(String, String)]) async throws -> String {
        let answer = try await call(path, fields)
        try #require(answer.status == 200, "\(path): \(answer.json.text)")
        return try #require(answer.token, "\(path): \(answer.json.text)")
    }

    static let challengeTypes = ("challenge_type", "oob password redirect")
    static let scope = ("scope", "openid profile offline_access")

    /// The first call of a sign-in.
    func initiate(_ name: String, capabilities: String? = nil) async throws -> String {
        let fields = [("username", name), Self.challengeTypes] + (capabilities.map { [("capabilities", $0)] } ?? [])
        return try await token("/oauth2/v2.0/initiate", fields)
    }

    /// A sign-in with a password; the last answer.
    func passwordSignIn(
        _ name: String, _ password: String = GatewayProcess.password, capabilities: String? = nil
    ) async throws -> NativeAuthAnswer {
        let first = try await initiate(name, capabilities: capabilities)
        let challenge = try await call(
            "/oauth2/v2.0/challenge", [("continuation_token", first), Self.challengeTypes])
        try #require(challenge.json["challenge_type"] == "password", "\(challenge.json.text)")
        return try await call(
            "/oauth2/v2.0/token",
            [
                ("grant_type", "password"), ("continuation_token", try #require(challenge.token)),
                ("password", password), ("username", name), ("client_info", "true"), Self.scope,
            ])
    }

    /// A sign-up with a password; the continuation token after its code.
    func signUp(_ email: String, attributes: JSON? = nil) async throws -> String {
        var fields = [("username", email), ("password", GatewayProcess.password), Self.challengeTypes]
        if let attributes { fields.append(("attributes", attributes.text)) }
        let first = try await token("/signup/v1.0/start", fields)
        let challenge = try await call(
            "/signup/v1.0/challenge", [("continuation_token", first), ("challenge_type", "oob redirect")])
        try challenge.requireCode()
        let code = try await gateway.mailedCode(to: email)
        return try await token(
            "/signup/v1.0/continue",
            [("continuation_token", try #require(challenge.token)), ("grant_type", "oob"), ("oob", code)])
    }
}

/// One answer.
struct NativeAuthAnswer: Sendable {
    let status: Int
    let json: JSON

    var token: String? { json["continuation_token"]?.string }
    var error: String? { json["error"]?.string }
    var suberror: String? { json["suberror"]?.string }
    var number: Int? { json["error_codes"]?.array?.first?.integer }
    var isRedirect: Bool { status == 200 && json["challenge_type"] == "redirect" }

    /// Requires the members that MSAL needs of a sent code.
    func requireCode() throws {
        try #require(status == 200 && json["challenge_type"] == "oob", "\(json.text)")
        #expect(json["challenge_target_label"]?.string?.contains("@") == true)
        #expect(json["challenge_channel"] == "email" && json["code_length"]?.integer == 6)
        #expect(json["binding_method"] == "prompt" && json["interval"]?.integer != nil)
    }

    /// The tokens, with every member that MSAL needs.
    func tokens() throws -> NativeAuthTokensAnswer {
        try #require(status == 200, "\(json.text)")
        #expect(json["token_type"] == "Bearer" && json["expires_in"]?.integer ?? 0 > 0)
        let info = try #require(json["client_info"]?.string)
        let decoded = try #require(Data(base64Encoded: info + String(repeating: "=", count: (4 - info.count % 4) % 4)))
        let account = try JSON(parsing: String(decoding: decoded, as: UTF8.self))
        let idToken = try #require(json["id_token"]?.string)
        let identity = try #require(Tokens.object(idToken, part: 1))
        #expect(account["uid"] == identity["oid"] && account["utid"] == identity["tid"])
        #expect(
            identity["tid"] == .string(NativeAuthAPI.tenantID) && identity["aud"] == .string(NativeAuthAPI.application))
        return NativeAuthTokensAnswer(
            accessToken: try #require(json["access_token"]?.string),
            refreshToken: try #require(json["refresh_token"]?.string), identity: identity)
    }
}

struct NativeAuthTokensAnswer: Sendable {
    let accessToken: String
    let refreshToken: String
    let identity: JSONObject
}
