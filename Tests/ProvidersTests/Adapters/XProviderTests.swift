import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

extension RedirectConformance {
    static let x = x()

    static func x(
        web: String = "https://x.com", api: String = "https://api.x.com",
        adjust: @escaping @Sendable (inout OAuthProvider.Configuration) -> Void = { _ in }
    ) -> RedirectConformance {
        RedirectConformance(
            name: "x", page: web + "/i/oauth2/authorize",
            parameters: ["client_id": "x-client", "response_type": "code", "scope": "users.read tweet.read"],
            tokenURL: api + "/2/oauth2/token", client: [:],
            tokenHeaders: ["authorization": "Basic eC1jbGllbnQ6eC1zJTJCY3JldA=="],
            tokens: ["access_token": "x_access", "token_type": "bearer", "expires_in": 7_200], issuer: nil,
            realm: "x.com", subject: "2244994945", email: nil,
            refusals: ("invalid_request", "invalid_client", 400),
            surround: { far in
                answerX(far, .json(#"{"data":{"id":"2244994945","name":"Ann","username":"ann"}}"#), api: api)
            },
            make: {
                var configuration = OAuthProvider.Configuration(
                    XProvider.kind, clientID: "x-client", clientSecret: Secret("x-s+cret"))
                adjust(&configuration)
                return try OAuthProvider(configuration, upstream: $0)
            })
    }

    static func answerX(_ far: FarSide, _ answer: HTTPResponse, api: String = "https://api.x.com") {
        let headers = ["accept": "application/json", "authorization": "Bearer x_access"]
        far[api + "/2/users/me"] = .init(headers: headers) { _ in .success(answer) }
    }
}

@Suite("X")
struct XProviderTests {
    private func stage(
        user: HTTPResponse? = nil, adjust: @escaping @Sendable (inout OAuthProvider.Configuration) -> Void = { _ in }
    ) throws -> RedirectStage {
        let stage = try RedirectStage(.x(adjust: adjust))
        if let user { RedirectConformance.answerX(stage.far, user) }
        return stage
    }

    @Test("J-19: an id that is not decimal is refused, for every username", arguments: badDecimals)
    func badSubject(id: String) async throws {
        let stage = try stage(user: .json(#"{"data":{"id":\#(id),"username":"2244994945"}}"#))
        #expect(await stage.redeem() == .failure(.refused(.subjectInvalid)))
    }

    @Test(
        "an answer without data is refused, with any status",
        arguments: ["{}", #"{"errors":[{"title":"Not Found"}]}"#, #"{"data":null}"#, #"{"data":[]}"#, #"{"id":"1"}"#])
    func noData(text: String) async throws {
        #expect(await (try stage(user: .json(text))).redeem().word == "unavailable")
    }

    @Test("X provides no address, and one that appears is ignored")
    func noAddress() async throws {
        let user = HTTPResponse.json(
            #"{"data":{"id":"1","name":"Ann","email":"a@x.example","confirmed_email":"a@x.example"}}"#)
        #expect(try await stage(user: user).redeem().get().email == nil)
    }

    @Test("names are sanitised, and the username never replaces one")
    func names() async throws {
        let rows: [(String, String?)] = [
            (#""Ann Lee""#, "Ann Lee"), ("null", nil), ("7", nil), (#""\u202E<b>A""#, "bA"),
        ]
        for (name, shown) in rows {
            let stage = try stage(user: .json(#"{"data":{"id":"1","username":"ann","name":\#(name)}}"#))
            #expect(try await stage.redeem().get().displayName == shown)
        }
    }

    @Test("X's errors for a code and for a client")
    func errors() async throws {
        let rows = [
            ("invalid_request", 400, "code_invalid"), ("invalid_grant", 400, "code_invalid"),
            ("unauthorized_client", 401, "misconfigured"), ("invalid_client", 401, "misconfigured"),
            ("new_word", 400, "unavailable"),
        ]
        for (word, status, expected) in rows {
            let stage = try stage()
            stage.exchange { _ in .success(.json(#"{"error":"\#(word)","error_description":"x"}"#, status: status)) }
            #expect(await stage.redeem().word == expected)
            #expect(stage.far.calls.count == 1)
        }
    }

    @Test("a failure at the API gives 503 and never a partial identity", arguments: apiTroubles)
    func trouble(answer: Result<HTTPResponse, TransferError>) async throws {
        let stage = try stage()
        stage.far["https://api.x.com/2/users/me"] = .init(
            headers: ["accept": "application/json", "authorization": "Bearer x_access"]
        ) { _ in answer }
        #expect(await stage.redeem().word == "unavailable")
    }

    @Test("a token that X no longer knows is refused")
    func revoked() async throws {
        let stage = try stage(user: .json(#"{"title":"Unauthorized","status":401}"#, status: 401))
        #expect(await stage.redeem() == .failure(.refused(.upstreamInvalidToken)))
    }

    @Test("an endpoint replaces X's two hosts; the realm stays")
    func endpoint() async throws {
        let base = "http://x.localhost:8081/x"
        let stage = try RedirectStage(.x(web: base, api: base) { $0.endpoint = base })
        #expect(try await stage.parameters().page == base + "/i/oauth2/authorize")
        #expect(try await stage.redeem().get().realm == "x.com")
    }

    @Test("J-05: an X adapter needs an id and a secret")
    func configurationProblems() {
        #expect(throws: ProviderConfigurationProblem(setting: "X_CLIENT_ID", reason: "empty")) {
            try stage { $0.clientID = "" }
        }
        #expect(throws: ProviderConfigurationProblem(setting: "X_CLIENT_SECRET", reason: "empty")) {
            try stage { $0.clientSecret = Secret("") }
        }
    }
}
