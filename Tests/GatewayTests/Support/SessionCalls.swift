import Foundation
import JSON
import Postgres
import Testing

extension GatewayProcess {
    /// A new user, signed in through Apple with a proved address.
    func anyone(app: String = "app") async throws -> SignedInAnswer {
        try await session(
            "apple", ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())], app: app)
    }

    func refresh(_ token: String) async throws -> TestAnswer {
        try await post("/v1/token/refresh", ["refresh_token": .string(token)])
    }

    /// A refresh that must succeed.
    func refreshed(_ token: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> TokenPair {
        try TokenPair(try await refresh(token), sourceLocation: sourceLocation)
    }

    func checkSession(_ accessToken: String) async throws -> TestAnswer {
        try await get("/v1/session", bearer: accessToken)
    }

    func signOut(_ accessToken: String, scope: String = "local") async throws -> TestAnswer {
        try await post("/v1/sign-out", ["scope": .string(scope)], bearer: accessToken)
    }

    /// A form of OAuth 2.0 by the client `app` with HTTP Basic.
    func form(
        _ path: String, _ fields: [(String, String)], client: String = "app", secret: String? = Deployment.clientSecret
    )
        async throws -> TestAnswer
    {
        let request = TestRequest("POST", path).form(fields)
        guard let secret else { return try await send(request) }
        let credentials = Data("\(client):\(secret)".utf8).base64EncodedString()
        return try await send(request.header("Authorization", "Basic \(credentials)"))
    }

    func introspect(_ token: String) async throws -> TestAnswer {
        try await form("/v1/token/introspect", [("token", token)])
    }

    /// Revokes a token of a public client.
    func revoke(_ token: String, client: String = "app") async throws -> TestAnswer {
        try await form("/v1/token/revoke", [("client_id", client), ("token", token)], secret: nil)
    }

    /// Changes rows by SQL: a test's clock, and changes that no interface permits.
    @discardableResult
    func change(_ statement: SQL) async throws -> Int {
        try await sql { try $0.execute(statement) }
    }

    /// Requires that neither the access token nor any refresh token of a session works.
    func expectEnded(
        _ accessToken: String, _ refreshTokens: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let check = try await checkSession(accessToken)
        #expect(check.status == 401, "\(check.text)", sourceLocation: sourceLocation)
        #expect(check.code == "session_ended", sourceLocation: sourceLocation)
        for token in refreshTokens {
            let answer = try await refresh(token)
            #expect(answer.status == 401, "\(answer.text)", sourceLocation: sourceLocation)
            #expect(answer.json["session"] == nil, sourceLocation: sourceLocation)
        }
    }
}

/// The tokens of a refresh.
struct TokenPair: Sendable, Equatable {
    let session: String
    let accessToken: String
    let refreshToken: String

    /// The claims of the access token, because its signature differs in each answer.
    var accessClaims: JSONObject {
        get throws { try #require(Tokens.object(accessToken, part: 1)) }
    }

    init(_ answer: TestAnswer, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        let issued = try #require(answer.json["session"], sourceLocation: sourceLocation)
        session = try #require(issued["id"]?.string, sourceLocation: sourceLocation)
        accessToken = try #require(issued["access_token"]?.string, sourceLocation: sourceLocation)
        refreshToken = try #require(issued["refresh_token"]?.string, sourceLocation: sourceLocation)
    }
}
