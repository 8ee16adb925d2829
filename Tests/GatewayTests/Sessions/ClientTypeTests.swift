import Clients
import Foundation
import JSON
import Testing

/// The authentication of clients: RFC 6749 §2.1, §2.3 and §6, RFC 7009 §2.1.
extension SessionTests {
    private static let secret = "a secret of a server"
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let address = "org.example.app:/back"

    /// A confidential client.
    private static func server(_ gateway: GatewayProcess) async throws -> String {
        let id = "server-\(Fresh.text())"
        try await gateway.addClient(id, secret: secret, type: .confidential, redirects: [address])
        return id
    }

    /// A code from the hosted pages, and the form that redeems it.
    private static func codeForm(_ gateway: GatewayProcess, _ client: String) async throws -> [(String, String)] {
        let browser = try await PageBrowser.open(gateway, "/health/live")
        try await browser.signIn(
            "acme", "client_id=\(client)&redirect_uri=org.example.app%3A%2Fback&code_challenge=\(challenge)",
            as: ["email": .string(Fresh.email())])
        let code = try #require(browser.departureQuery["code"], "\(browser.page.text)")
        return [
            ("grant_type", "authorization_code"), ("redirect_uri", address), ("code", code),
            ("code_verifier", verifier),
        ]
    }

    @Test("F3: a confidential client's code works only with its secret, and an attempt without it doesn't use the code")
    func confidentialCode() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.server(gateway)
        let form = try await Self.codeForm(gateway, client)
        for refused in [
            try await gateway.form("/v1/token", form + [("client_id", client)], secret: nil),
            try await gateway.form("/v1/token", form, client: client, secret: ""),
            try await gateway.form("/v1/token", form, client: client, secret: "not the secret"),
        ] {
            try await gateway.expectRefusal(refused, 401, "invalid_client", action: "token", isOAuth: true)
        }
        let redeemed = try await gateway.form("/v1/token", form, client: client, secret: Self.secret)
        #expect(redeemed.status == 200, "\(redeemed.text)")
    }

    @Test("F3: a public client must use PKCE")
    func proofKey() async throws {
        let gateway = try GatewayProcess.current
        let client = "app-\(Fresh.text())"
        try await gateway.addClient(client, secret: nil, redirects: [Self.address])
        let browser = try await PageBrowser.open(
            gateway, "/login?client_id=\(client)&redirect_uri=org.example.app%3A%2Fback")
        #expect(browser.page.status == 400 || browser.departureQuery["error"] == "invalid_request")
        let form = try await Self.codeForm(gateway, client).filter { $0.0 != "code_verifier" }
        let refused = try await gateway.form("/v1/token", form + [("client_id", client)], secret: nil)
        try await gateway.expectRefusal(refused, 400, "invalid_request", action: "token", isOAuth: true)
    }

    @Test("F3: a confidential client authenticates for each refresh at both doors; otherwise nothing is spent")
    func confidentialRefresh() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.server(gateway)
        let redeemed = try await gateway.form(
            "/v1/token", try await Self.codeForm(gateway, client), client: client, secret: Self.secret)
        var token = try #require(redeemed.json["refresh_token"]?.string, "\(redeemed.text)")
        let session = try #require(redeemed.json["session_id"]?.string)
        let body: JSON = ["refresh_token": .string(token)]
        let grant = [("grant_type", "refresh_token"), ("refresh_token", token)]
        for refused in [
            try await gateway.refresh(token),
            try await gateway.post(
                "/v1/token/refresh", ["refresh_token": .string(token), "client_id": .string(client)]),
            try await gateway.post(
                "/v1/token/refresh",
                ["refresh_token": .string(token), "client_id": .string(client), "client_secret": "wrong"]),
            try await gateway.post("/v1/token/refresh", ["refresh_token": .string(token), "client_secret": "wrong"]),
            try await gateway.send(
                TestRequest("POST", "/v1/token/refresh").json(body).header("Authorization", Self.basic(client, "wrong"))
            ),
        ] {
            try await gateway.expectRefusal(refused, 401, "invalid_client", action: "refresh")
            #expect(refused.header("WWW-Authenticate")?.hasPrefix("Basic ") == true)
        }
        for refused in [
            try await gateway.form("/v1/token", grant + [("client_id", client)], secret: nil),
            try await gateway.form("/v1/token", grant, client: client, secret: "wrong"),
        ] {
            try await gateway.expectRefusal(refused, 401, "invalid_client", action: "token", isOAuth: true)
        }
        #expect(try await gateway.generation(of: session) == 0)
        let named = try await gateway.post(
            "/v1/token/refresh",
            ["refresh_token": .string(token), "client_id": .string(client), "client_secret": .string(Self.secret)])
        token = try TokenPair(named).refreshToken
        let basic = try await gateway.send(
            TestRequest("POST", "/v1/token/refresh").json(["refresh_token": .string(token)])
                .header("Authorization", Self.basic(client, Self.secret)))
        token = try TokenPair(basic).refreshToken
        let granted = try await gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("refresh_token", token)], client: client,
            secret: Self.secret)
        #expect(granted.status == 200, "\(granted.text)")
        #expect(try await gateway.generation(of: session) == 3)
    }

    @Test("F3: a refresh by the wrong client spends nothing, and its spent token ends nothing")
    func wrongClient() async throws {
        let gateway = try GatewayProcess.current
        let other = try await Self.server(gateway)
        let person = try await gateway.anyone()
        let spent = person.refreshToken
        let token = try await gateway.refreshed(spent).refreshToken
        let newest = try await gateway.refreshed(token).refreshToken
        for held in [newest, token, spent] {
            let grant = [("grant_type", "refresh_token"), ("refresh_token", held)]
            let refused = try await gateway.form("/v1/token", grant, client: other, secret: Self.secret)
            try await gateway.expectRefusal(refused, 400, "refresh_token_invalid", action: "token", isOAuth: true)
            #expect(refused.json["error"] == "invalid_grant")
            let atOther = try await gateway.send(
                TestRequest("POST", "/v1/token/refresh").json(["refresh_token": .string(held)])
                    .header("Authorization", Self.basic(other, Self.secret)))
            try await gateway.expectRefusal(atOther, 401, "refresh_token_invalid", action: "refresh")
        }
        #expect(try await gateway.generation(of: person.session) == 2)
        #expect(try await gateway.refresh(newest).status == 200)
    }

    @Test("F3: a public client's back-end secret permits introspection, and no token")
    func backEnd() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        #expect(try await gateway.introspect(person.accessToken).json["active"] == true)
        let grant = [("grant_type", "refresh_token"), ("refresh_token", person.refreshToken)]
        let refused = try await gateway.form("/v1/token", grant)
        try await gateway.expectRefusal(refused, 401, "invalid_client", action: "token", isOAuth: true)
        let atOther = try await gateway.send(
            TestRequest("POST", "/v1/token/refresh").json(["refresh_token": .string(person.refreshToken)])
                .header("Authorization", Self.basic("app", Deployment.clientSecret)))
        try await gateway.expectRefusal(atOther, 401, "invalid_client", action: "refresh")
        let revoked = try await gateway.form("/v1/token/revoke", [("token", person.refreshToken)])
        try await gateway.expectRefusal(revoked, 401, "invalid_client", action: "revoke", isOAuth: true)
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        #expect(try await gateway.generation(of: person.session) == 0)
        #expect(try await gateway.refresh(person.refreshToken).status == 200)
    }

    @Test(
        "F3: a body with another client than HTTP Basic is refused at every token endpoint, and nothing is spent"
    )
    func twoClients() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.server(gateway)
        let redeemed = try await gateway.form(
            "/v1/token", try await Self.codeForm(gateway, client), client: client, secret: Self.secret)
        let token = try #require(redeemed.json["refresh_token"]?.string, "\(redeemed.text)")
        let session = try #require(redeemed.json["session_id"]?.string)
        let grant = [("grant_type", "refresh_token"), ("refresh_token", token)]
        let forms = [("token", grant), ("introspect", [("token", token)]), ("revoke", [("token", token)])]
        for (action, form) in forms {
            let path = action == "token" ? "/v1/token" : "/v1/token/\(action)"
            for other in ["app", "server-of-nobody"] {
                let refused = try await gateway.form(
                    path, form + [("client_id", other)], client: client, secret: Self.secret)
                try await gateway.expectRefusal(refused, 400, "invalid_request", action: action, isOAuth: true)
            }
        }
        let body: JSON = ["refresh_token": .string(token), "client_id": "app"]
        let refused = try await gateway.send(
            TestRequest("POST", "/v1/token/refresh").json(body).header("Authorization", Self.basic(client, Self.secret))
        )
        try await gateway.expectRefusal(refused, 400, "invalid_request", action: "refresh")
        let fault = try #require(refused.json["errors"]?.array?.first)
        #expect(fault["pointer"] == "/client_id" && fault["code"] == "not_of_http_basic")
        #expect(try await gateway.generation(of: session) == 0)

        // The same client id twice is allowed.
        let granted = try await gateway.form(
            "/v1/token", grant + [("client_id", client)], client: client, secret: Self.secret)
        #expect(granted.status == 200, "\(granted.text)")
        #expect(try await gateway.generation(of: session) == 1)
    }

    @Test("F3: the metadata list the authentication methods of each endpoint")
    func metadata() async throws {
        let gateway = try GatewayProcess.current
        for path in ["openid-configuration", "oauth-authorization-server"] {
            let document = try await gateway.get("/.well-known/\(path)").json
            for endpoint in ["token", "revocation"] {
                let methods = document["\(endpoint)_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
                #expect(methods == ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"])
            }
            let methods = document["introspection_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
            #expect(methods == ["client_secret_basic", "client_secret_post", "private_key_jwt"])
            #expect(document["code_challenge_methods_supported"] == ["S256"])
        }
    }

    private static func basic(_ client: String, _ secret: String) -> String {
        "Basic " + Data("\(client):\(secret)".utf8).base64EncodedString()
    }
}
