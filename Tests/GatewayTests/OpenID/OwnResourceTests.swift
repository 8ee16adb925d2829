import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// The gateway's own API as a resource (RFC 9728).
extension OpenIDTests {
    private static let wellKnown = "/.well-known/oauth-protected-resource"

    private static func issuer() async throws -> String {
        let metadata = try await GatewayProcess.current.get("/.well-known/openid-configuration").json
        return try #require(metadata["issuer"]?.string)
    }

    /// The address of metadata in the challenge of a refusal.
    private static func address(_ refused: TestAnswer) throws -> String {
        let challenge = try #require(refused.header("WWW-Authenticate"), "\(refused.text)")
        return String(try #require(challenge.firstMatch(of: /resource_metadata="([^"]+)"/), "\(challenge)").output.1)
    }

    @Test(
        "A call without a sound token leads to the metadata of its resource, from where the gateway is found",
        arguments: [
            ("/v1/account", "/v1/account"), ("/v1/account/sessions", "/v1/account"), ("/v1/session", ""),
            ("/userinfo", ""), ("/admin/api/v1/me", "/admin/api/v1"),
        ])
    func challenge(path: String, resource: String) async throws {
        let (gateway, issuer) = (try GatewayProcess.current, try await Self.issuer())
        let request = TestRequest("GET", path)
        let (missing, wrong) = (try await gateway.send(request), try await gateway.send(request.bearer("x.y.z")))
        let unproved = try await gateway.send(request.header("Authorization", "DPoP x.y.z"))
        for (refused, begin) in [
            (missing, "Bearer realm="), (wrong, "Bearer realm=\"login-gateway\", error=\"invalid_token\""),
            (unproved, "DPoP error=\"invalid_dpop_proof\""),
        ] {
            #expect(refused.status == 401 && refused.header("WWW-Authenticate")?.hasPrefix(begin) == true)
            // The well-known path comes before that of the resource (§3.1).
            #expect(try Self.address(refused) == issuer + Self.wellKnown + resource)
        }
        #expect(missing.header("WWW-Authenticate")?.contains("error=") == false)
        let answer = try await gateway.get(Self.wellKnown + resource)
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
        #expect(answer.json["resource"]?.string == issuer + resource)
        #expect(answer.json["authorization_servers"] == [.string(issuer)])
        #expect(answer.json["bearer_methods_supported"] == ["header"])
        #expect(answer.json["dpop_signing_alg_values_supported"]?.array?.contains("ES256") == true)
        #expect(!answer.text.contains("offline_access"))
        let page = try #require(answer.json["resource_documentation"]?.string)
        #expect(try await gateway.get(page.replacing(issuer, with: "")).text.contains("registers itself"))
    }

    @Test("A token without openid is refused at UserInfo with the scope that it needs, and the metadata")
    func insufficientScope() async throws {
        let party = try await RelyingParty.register()
        let browser = try await Visitor.arrive().signIn(party.request(["scope": nil, "nonce": nil]))
        let answer = try await party.redeem(try #require(browser.departureQuery["code"]))
        let refused = try await party.userInfo(answer.json["access_token"]?.string ?? "")
        #expect(refused.status == 403)
        #expect(
            refused.header("WWW-Authenticate")?.hasPrefix("Bearer error=\"insufficient_scope\", scope=\"openid\"")
                == true)
        #expect(try Self.address(refused) == (try await Self.issuer()) + Self.wellKnown)
    }

    @Test("An app of the operator may name the gateway's API: its token is that of a request without a resource")
    func ownResource() async throws {
        let (party, issuer) = (try await RelyingParty.register(), try await Self.issuer())
        let visitor = try await Visitor.arrive()
        try await visitor.browser.visit(party.request())
        try await visitor.browser.passwordSignIn(visitor.email)
        for own in [issuer + "/v1/account", issuer, issuer + "/"] {
            try await visitor.browser.visit(party.request(["resource": own]))
            let tokens = try await party.tokens(visitor.browser, ["resource": own])
            let claims = try JSON(parsing: try #require(Base64URL.decode(tokens.access.split(separator: ".")[1])))
            #expect(claims["aud"] == [.string(party.id), .string(issuer + "/v1/account")])
            #expect(try await party.gateway.get("/v1/account", bearer: tokens.access).status == 200)
            #expect(try await party.userInfo(tokens.access).status == 200)
            let refreshed = try await party.gateway.form(
                "/v1/token",
                [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh), ("resource", own)],
                client: party.id, secret: party.secret)
            #expect(refreshed.status == 200, "\(refreshed.text)")
        }
        // It has no permission to administer.
        try await visitor.browser.visit(party.request(["resource": issuer + "/admin/api/v1"]))
        #expect(visitor.browser.departureQuery["error"] == "invalid_target")
        try await party.gateway.change("update clients set audiences = '{}' where id = \(party.id)")
        try await party.gateway.addClient("after-\(Fresh.text())", secret: nil)
        try await visitor.browser.visit(party.request(["resource": issuer + "/v1/account"]))
        #expect(visitor.browser.departureQuery["error"] == "invalid_target")
    }

    @Test("A session for another API has no token for the gateway, whether by its code or by its refresh token")
    func otherResource() async throws {
        let (party, issuer) = (try await RelyingParty.register(), try await Self.issuer())
        let files = "https://\(Fresh.text()).example/files"
        let served: JSON = ["identifier": .string(files), "name": "Files", "clients": ["*"]]
        _ = try await RelyingParty.register(["resources": [served]])
        let visitor = try await Visitor.arrive()
        try await visitor.signIn(party.request(["resource": files]))
        let code = try #require(visitor.browser.departureQuery["code"])
        let refused = try await party.redeem(code, ["resource": issuer])
        #expect(refused.status == 400 && refused.json["error"] == "invalid_target", "\(refused.text)")
        try await visitor.browser.visit(party.request(["resource": files]))
        let tokens = try await party.tokens(visitor.browser)
        func refresh(_ resource: String) async throws -> TestAnswer {
            try await party.gateway.form(
                "/v1/token",
                [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh), ("resource", resource)],
                client: party.id, secret: party.secret)
        }
        let again = try await refresh(issuer + "/v1/account")
        #expect(again.status == 400 && again.json["error"] == "invalid_target", "\(again.text)")
        // The refusal spent nothing.
        #expect(try await refresh(files).status == 200)
    }

    @Test("The metadata of the provider list the gateway's resources, and those that every app may ask for")
    func listedResources() async throws {
        let issuer = try await Self.issuer()
        let (open, closed) = ("https://\(Fresh.text()).example/open", "https://\(Fresh.text()).example/closed")
        let served: [JSON] = [
            ["identifier": .string(open), "name": "Open", "clients": ["*"]],
            ["identifier": .string(closed), "name": "Closed", "clients": ["app"]],
        ]
        let party = try await RelyingParty.register(["resources": .array(served)])
        let metadata = try await party.gateway.get("/.well-known/oauth-authorization-server").json
        let listed = (metadata["protected_resources"]?.array ?? []).compactMap(\.string)
        #expect(listed.contains(open) && !listed.contains(closed))
        #expect(listed.contains(issuer) && listed.contains(issuer + "/v1/account"))
    }
}
