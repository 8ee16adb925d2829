import JSON
import Testing

extension GatewayProcess {
    /// A server nonce.
    func nonce() async throws -> String {
        let answer = try await post("/v1/nonce")
        return try #require(answer.json["nonce"]?.string)
    }

    /// `POST /v1/sign-in` with a credential, unchanged.
    func signIn(
        _ provider: String, credential: JSONObject, app: String = "app", linkFlow: String? = nil,
        bearer: String? = nil
    ) async throws -> TestAnswer {
        var body: JSONObject = [
            "provider": .string(provider), "client_id": .string(app), "credential": .object(credential),
        ]
        body["link_flow"] = linkFlow.map(JSON.string)
        return try await post("/v1/sign-in", .object(body), bearer: bearer)
    }

    /// Signs in with a minted token.
    func signIn(
        _ minted: Minted, nonce: String? = nil, app: String = "app", linkFlow: String? = nil, bearer: String? = nil
    ) async throws -> TestAnswer {
        try await signIn(
            minted.provider, credential: minted.credential(nonce: nonce), app: app, linkFlow: linkFlow, bearer: bearer)
    }

    /// Mints a token and signs in with it; `members` as in ``SimulatorProcess/mint(_:_:)``.
    func signIn(
        _ provider: String, _ members: JSONObject = [:], app: String = "app", linkFlow: String? = nil
    ) async throws -> TestAnswer {
        try await signIn(try await simulator.mint(provider, members), app: app, linkFlow: linkFlow)
    }

    /// The same, and requires a session.
    func session(
        _ provider: String, _ members: JSONObject = [:], app: String = "app", linkFlow: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SignedInAnswer {
        try SignedInAnswer(
            try await signIn(provider, members, app: app, linkFlow: linkFlow), sourceLocation: sourceLocation)
    }

    /// Signs in with a password.
    func passwordSignIn(
        _ email: String, _ password: String, app: String = "app", linkFlow: String? = nil
    ) async throws -> TestAnswer {
        try await signIn(
            "password", credential: ["username": .string(email), "password": .string(password)], app: app,
            linkFlow: linkFlow)
    }
}

/// The answer of a sign-in with a session.
struct SignedInAnswer: Sendable {
    let answer: TestAnswer
    let account: String
    /// The empty text after a password.
    let identity: String
    let session: String
    let accessToken: String
    let refreshToken: String
    let isNewAccount: Bool

    var email: String? { answer.json["account"]?["email"]?.string }
    var emailVerified: Bool? { answer.json["account"]?["email_verified"]?.bool }
    var displayName: String? { answer.json["account"]?["display_name"]?.string }

    init(_ answer: TestAnswer, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        try #require(answer.json["status"] == "signed_in", "\(answer.text)", sourceLocation: sourceLocation)
        let json = answer.json
        self.answer = answer
        account = try #require(json["account"]?["id"]?.string, sourceLocation: sourceLocation)
        identity = json["identity"]?["id"]?.string ?? ""
        session = try #require(json["session"]?["id"]?.string, sourceLocation: sourceLocation)
        accessToken = try #require(json["session"]?["access_token"]?.string, sourceLocation: sourceLocation)
        refreshToken = try #require(json["session"]?["refresh_token"]?.string, sourceLocation: sourceLocation)
        isNewAccount = try #require(json["new_account"]?.bool as Bool?, sourceLocation: sourceLocation)
    }
}
