import Foundation
import JSON
import Testing

/// A strict client of native authentication, version 2: it refuses what any of the SDKs refuses.
struct NativeV2API: Sendable {
    let gateway: GatewayProcess
    /// The segment that names the tenant.
    var tenant = NativeAuthAPI.tenantName

    static var current: NativeV2API { get async throws { try await enabled(on: try GatewayProcess.current) } }

    static func enabled(on gateway: GatewayProcess) async throws -> NativeV2API {
        NativeV2API(gateway: try await NativeAuthAPI.enabled(on: gateway).gateway)
    }

    /// Version 1 of the same app.
    var versionOne: NativeAuthAPI { NativeAuthAPI(gateway: gateway) }

    // MARK: OAuth endpoints

    /// A form, sent to an OAuth endpoint.
    func form(_ path: String, _ fields: [(String, String)]) async throws -> NativeV2Answer {
        try await send(TestRequest("POST", "/\(tenant)\(path)").form(fields), [200, 400, 401])
    }

    /// The start of a journey.
    func start(scope: String? = nil) async throws -> NativeV2Answer {
        let scope = scope.map { [("scope", $0)] } ?? []
        let answer = try await form(
            "/oauth2/v2.0/authorize-challenge", [("client_id", NativeAuthAPI.application)] + scope)
        try #require(answer.status == 401, "\(answer.json.text)")
        #expect(answer.challenge == "Bearer" && answer.json["error"] == nil)
        _ = try #require(answer.json["continuation_token"]?.string)
        return answer
    }

    /// Begins a journey: `sign_in`, `sign_up` or `reset_password`.
    func begin(_ journey: String, _ username: String?, scope: String? = nil) async throws -> NativeV2Answer {
        let start = try await start(scope: scope)
        let path = try Self.checked(try #require(start.json[journey]?.string, "\(start.json.text)"))
        let members: JSONObject = username.map { ["username": .string($0)] } ?? [:]
        return try await post(path, try #require(start.json["continuation_token"]?.string), members)
    }

    /// The tokens of a journey at `continue`.
    func tokens(_ finished: NativeV2Answer) async throws -> NativeAuthTokensAnswer {
        try (try await redeem(try await code(finished))).tokens()
    }

    /// The authorization code of a journey at `continue`.
    func code(_ finished: NativeV2Answer) async throws -> String {
        try #require(finished.json["state"] == "continue", "\(finished.json.text)")
        let answer = try await form(
            "/oauth2/v2.0/authorize-challenge", [("continuation_token", try finished.token)])
        try #require(answer.status == 200, "\(answer.json.text)")
        return try #require(answer.json["code"]?.string)
    }

    /// The token request of the SDKs: without proof key and redirect address.
    func redeem(
        _ code: String, scope: String = "openid profile offline_access", more: [(String, String)] = []
    ) async throws -> NativeAuthAnswer {
        try await versionOne.call(
            "/oauth2/v2.0/token",
            [("grant_type", "authorization_code"), ("code", code), ("client_info", "true"), ("scope", scope)] + more)
    }

    // MARK: Links

    /// Follows a link of an answer.
    func follow(
        _ relation: String, of answer: NativeV2Answer, _ members: JSONObject = [:], method: String = "POST"
    ) async throws -> NativeV2Answer {
        let path = try Self.checked(
            try #require(answer.json["_links"]?[relation]?["href"]?.string, "\(relation): \(answer.json.text)"))
        return try await post(path, try answer.token, members, method: method)
    }

    /// Chooses a method of a `challenge` answer.
    func choose(_ kind: String, of answer: NativeV2Answer, factor: String = "singleFactor") async throws
        -> NativeV2Answer
    {
        let method = try #require(
            try answer.methods(factor).first { $0["type"] == .string(kind) }, "\(answer.json.text)")
        let path = try Self.checked(try #require(method["_links"]?["challenge"]?["href"]?.string))
        let verify = try await post(path, try answer.token)
        try verify.requireVerify(kind)
        return verify
    }

    /// A JSON call with the token alone as credential.
    func post(
        _ path: String, _ token: String, _ members: JSONObject = [:], method: String = "POST"
    ) async throws -> NativeV2Answer {
        var body = members
        body["continuationToken"] = .string(token)
        let answer = try await send(TestRequest(method, path).json(.object(body)), [200, 400])
        try answer.requireForm()
        return answer
    }

    private func send(_ request: TestRequest, _ statuses: [Int]) async throws -> NativeV2Answer {
        let correlation = UUID().uuidString.lowercased()
        let answer = try await gateway.send(
            request.header("client-request-id", correlation).header("Accept", "application/hal+json"))
        try #require(statuses.contains(answer.status), "\(answer.status) \(answer.text)")
        #expect(answer.header("client-request-id") == correlation && answer.header("Cache-Control") == "no-store")
        #expect(UUID(uuidString: answer.header("x-ms-request-id") ?? "") != nil)
        return NativeV2Answer(
            status: answer.status, json: answer.json, challenge: answer.header("WWW-Authenticate"),
            retryAfter: answer.header("Retry-After"))
    }

    /// A link that every SDK follows: relative, with `/api/` or `/oauth2/`, without a template.
    private static func checked(_ path: String) throws -> String {
        try #require(path.hasPrefix("/") && (path.contains("/api/") || path.contains("/oauth2/")), "\(path)")
        try #require(!path.contains("//") && !path.contains("{") && !path.contains("#"), "\(path)")
        return path
    }

    /// A sign-up that sends everything at once, as MSAL JS does; the answer to the right code.
    ///
    /// - Parameter number: the place of its code among those of the mailbox.
    func signUp(
        _ email: String, _ attributes: JSONObject = [:], number: Int = 1
    ) async throws -> NativeV2Answer {
        let asked = try await begin("sign_up", nil)
        var attributes = attributes
        attributes["email"] = .string(email)
        let verify = try await follow("submitAttributes", of: asked, ["attributes": .object(attributes)])
        try verify.requireVerify("email")
        let code = try await gateway.mailedCode(to: email, number: number)
        return try await follow("verify", of: verify, ["otp": .string(code)])
    }

    /// A sign-in with a password; the last answer.
    func passwordSignIn(_ email: String, _ password: String = GatewayProcess.password) async throws -> NativeV2Answer {
        let verify = try await choose("password", of: try await begin("sign_in", email))
        return try await follow("verify", of: verify, ["password": .string(password)])
    }
}

/// One answer.
struct NativeV2Answer: Sendable {
    let status: Int
    let json: JSON
    let challenge: String?
    let retryAfter: String?

    /// `continuationToken`, which each answer but an error has.
    var token: String { get throws { try #require(json["continuationToken"]?.string, "\(json.text)") } }
    var action: String? { json["action"]?.string }
    var isFinished: Bool { status == 200 && json["state"] == "continue" }
    var isFallback: Bool {
        json["state"] == "webFallbackRequired" && error?["code"] == "invalidGrant"
            && innerCode == "web_redirect_required"
    }
    private var error: JSON? { json["error"] }
    var code: String? { error?["code"]?.string }
    var innerCode: String? { error?["innerError"]?["code"]?.string }
    var message: String { error?["message"]?.string ?? "" }
    /// The code and the attributes of each detail.
    var details: [String: String] {
        let details = error?["innerError"]?["details"]?.array ?? []
        return Dictionary(
            details.compactMap { detail in
                detail["attributeIds"]?.array?.first?.string.map { ($0, detail["code"]?.string ?? "") }
            }
        ) { first, _ in first }
    }
    /// Whether the flow is over.
    var isOver: Bool { code == "invalidGrant" && innerCode == "invalidContinuationToken" }

    /// The attributes that are asked for, with `required`.
    var attributes: [String: Bool] {
        Dictionary(
            (json["attributes"]?.array ?? []).map { ($0["attributeId"]?.string ?? "", $0["required"]?.bool ?? false) }
        ) { first, _ in first }
    }

    /// Requires the members that the SDKs need of an answer at a link.
    func requireForm() throws {
        if status == 400 {
            #expect(message.wholeMatch(of: /AADSTS\d+: .+/) != nil, "\(json.text)")
            #expect(error?["correlationId"]?.string != nil && error?["correlationId"] == error?["correlation_id"])
            return
        }
        _ = try token
        guard json["state"] != "continue" else { return }
        #expect(json["state"] == "interactionRequired")
        switch action {
        case "challenge": #expect(json["_embedded"]?["methods"]?.array?.isEmpty == false)
        case "verify": try requireVerify(try #require(json["type"]?.string))
        case "collectAttributes":
            #expect(json["_links"]?["submitAttributes"]?["href"]?.string != nil)
            #expect(attributes.isEmpty == false && attributes[""] == nil && attributes["password"] != false)
        case "update": #expect(json["_links"]?["update"]?["href"]?.string != nil)
        case "poll":
            #expect(json["_links"]?["poll"]?["href"]?.string != nil && json["pollInterval"]?.integer != nil)
        default: Issue.record("an unknown action: \(json.text)")
        }
    }

    /// The methods on offer; each needs an id, a known type and a link.
    func methods(_ factor: String) throws -> [JSON] {
        try #require(action == "challenge", "\(json.text)")
        try #require(json["challengeContext"]?["authenticationFactor"] == .string(factor), "\(json.text)")
        let methods = try #require(json["_embedded"]?["methods"]?.array)
        for method in methods {
            #expect(method["id"]?.string?.isEmpty == false && method["_links"]?["challenge"]?["href"]?.string != nil)
            #expect(["email", "sms", "password"].contains(method["type"]?.string ?? ""), "\(method.text)")
        }
        return methods
    }

    func requireVerify(_ kind: String) throws {
        try #require(status == 200 && action == "verify", "\(json.text)")
        #expect(json["type"] == .string(kind) && json["_links"]?["verify"]?["href"]?.string != nil)
        guard kind != "password" else { return }
        #expect(json["codeLength"]?.integer == 6 && json["hint"]?.string?.contains("•") == true, "\(json.text)")
        #expect(json["_links"]?["resend"]?["href"]?.string != nil)
    }
}
