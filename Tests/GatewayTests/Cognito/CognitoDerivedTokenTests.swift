import Foundation
import JSON
import TestSupport
import Testing

@Suite("Cognito's API: derived tokens", .gateway())
struct CognitoDerivedTokenTests {
    private static let audience = "https://stock.example.com"

    /// A confidential app beside the users' app.
    private struct Service {
        let api: CognitoAPI
        let id = "shop-\(Fresh.text())"
        let client: String
        private let secret: String

        init(
            _ api: CognitoAPI, audiences: String = "orders \(CognitoDerivedTokenTests.audience)",
            pool: String = CognitoAPI.pool, more: [String] = []
        ) async throws {
            self.api = api
            client = "5\(Fresh.text())".filter { $0.isLetter || $0.isNumber }
            let app: JSON = [
                "cognito": [
                    "pool_id": .string(pool), "client_id": .string(client), "exchange_audiences": .string(audiences),
                ]
            ]
            let made = try await api.gateway.deployment.run(
                ["clients", "create", id, "--confidential", "--provider", "password", "--dialects", app.text, "--json"]
                    + more)
            try #require(made.exitCode == 0, "\(made.errors)")
            secret = try made.secret()
            let client = client
            _ = try await poll {
                let answer = try await api.raw(
                    "GetTokensFromRefreshToken", ["ClientId": .string(client), "RefreshToken": "a"])
                return answer.json["__type"] == "ResourceNotFoundException" ? nil : ()
            }
        }

        func exchange(_ token: String, _ more: JSONObject = [:], secret: String? = nil) async throws -> JSON {
            var body: JSONObject = [
                "ClientId": .string(client), "ClientSecret": .string(secret ?? self.secret),
                "SubjectToken": .string(token), "SubjectTokenType": "ACCESS_TOKEN",
                "Audiences": [.string(CognitoDerivedTokenTests.audience)],
            ]
            for member in more.members { body[member.name] = member.value }
            return try await api.call("GetDerivedToken", body)
        }
    }

    private func claims(_ answer: JSON) throws -> (token: String, claims: JSONObject) {
        let token = try #require(answer["IssuedToken"]?.string, "\(answer.text)")
        return (token, try #require(Tokens.object(token, part: 1)))
    }

    @Test("a back end gets a token of its user for one service, which opens nothing at the gateway")
    func derived() async throws {
        let api = try await CognitoAPI.current
        let service = try await Service(api)
        let user = try await api.anyone()
        let answer = try await service.exchange(user.accessToken)
        #expect(answer["IssuedTokenType"] == "ACCESS_TOKEN" && answer["TokenType"] == "Bearer")
        #expect(answer["Scopes"] == [])
        let (token, claims) = try claims(answer)
        let own = try user.access
        #expect(claims["aud"] == .string(Self.audience) && claims["client_id"] == .string(service.client))
        for name in ["sub", "username", "iss", "origin_jti", "auth_time", "acr", "amr", "token_use"] {
            #expect(claims[name] != nil && claims[name] == own[name], "\(name)")
        }
        #expect(claims["scope"] == "")
        let (ends, latest) = (try #require(claims["exp"]?.integer), try #require(own["exp"]?.integer))
        #expect(ends <= latest && answer["ExpiresIn"]?.integer == ends - (claims["iat"]?.integer ?? 0))
        #expect(try await api.call("GetUser", ["AccessToken": .string(token)])["error"] == "NotAuthorizedException")
        #expect(try await api.gateway.get("/oauth2/userInfo", bearer: token).status == 401)
        let again = try await service.exchange(token)
        #expect(again["error"] == "NotAuthorizedException", "\(again.text)")
        let rows = try await api.gateway.audit(account: try #require(own["sub"]?.string))
        let row = try #require(rows.first { $0.action == "token_derived" })
        #expect(row.client == service.id && row.session == own["origin_jti"]?.string)
        #expect(row.detail?["audience"] == .string(Self.audience))
    }

    @Test("without the right secret, an enabled app or a registered audience there is no token")
    func refusedApps() async throws {
        let api = try await CognitoAPI.current
        let service = try await Service(api)
        let user = try await api.anyone()
        let wrong = try await service.exchange(user.accessToken, secret: "another-secret-of-24-letters")
        #expect(wrong["error"] == "NotAuthorizedException", "\(wrong.text)")
        let elsewhere = try await service.exchange(user.accessToken, ["Audiences": ["elsewhere"]])
        #expect(elsewhere["error"] == "InvalidParameterException", "\(elsewhere.text)")
        let disabled = try await Service(api, audiences: "").exchange(user.accessToken)
        #expect(disabled["error"] == "OperationNotEnabledException", "\(disabled.text)")
        // The users' app is public.
        let open = try await service.exchange(user.accessToken, ["ClientId": .string(api.clientID)])
        #expect(open["error"] == "OperationNotEnabledException", "\(open.text)")
    }

    @Test("an ended session, a user of another pool and one without the app's second factor give no token")
    func refusedUsers() async throws {
        let api = try await CognitoAPI.current
        let user = try await api.anyone()
        let foreign = try await Service(api, pool: "eu-central-1_Other").exchange(user.accessToken)
        #expect(foreign["error"] == "NotAuthorizedException", "\(foreign.text)")
        let strict = try await Service(api, more: ["--second-factor", "required"]).exchange(user.accessToken)
        #expect(strict["error"] == "NotAuthorizedException", "\(strict.text)")
        let service = try await Service(api)
        _ = try claims(try await service.exchange(user.accessToken))
        #expect(try await api.call("RevokeToken", ["Token": .string(user.refreshToken)]) == [:])
        let ended = try await service.exchange(user.accessToken)
        #expect(ended["message"] == "Access Token has been revoked", "\(ended.text)")
    }
}
