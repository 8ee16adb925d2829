import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Tokens for back ends: assertions (RFC 7523), client credentials (RFC 6749 §4.4), token exchange (RFC 8693).
@Suite("Tokens for back ends", .gateway()) struct BackEndTokenTests {
    private static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

    /// An API that lists these clients.
    private static func api(clients: [String], scopes: JSONObject) async throws -> (RelyingParty, String) {
        let identifier = "https://\(Fresh.text()).example/api"
        let resource: JSONObject = [
            "identifier": .string(identifier), "name": "API", "clients": .array(clients.map(JSON.string)),
            "scopes": .object(scopes),
        ]
        return (try await RelyingParty.register(["resources": [.object(resource)]]), identifier)
    }

    private static func claims(_ answer: TestAnswer) throws -> JSON {
        let token = try #require(answer.json["access_token"]?.string, "\(answer.text)")
        return try JSON(parsing: try #require(Base64URL.decode(token.split(separator: ".")[1])))
    }

    private static func token(_ party: RelyingParty, _ fields: [(String, String)]) async throws -> TestAnswer {
        try await party.gateway.form("/v1/token", fields, client: party.id, secret: party.secret)
    }

    @Test("A service account gets a token for itself, with the scopes of an API that lists it, and nothing here")
    func clientCredentials() async throws {
        let service = try await RelyingParty.register(["service_account": true])
        let (server, api) = try await Self.api(clients: [service.id], scopes: ["jobs:run": "Run jobs"])
        let grant = [("grant_type", "client_credentials")]
        let own = try await Self.token(service, grant)
        let claims = try Self.claims(own)
        #expect(claims["sub"]?.string == "client:\(service.id)" && claims["aud"]?.string == service.id)
        #expect(own.json["refresh_token"] == nil && own.json["id_token"] == nil && claims["sid"] == nil)
        let access = try #require(own.json["access_token"]?.string)
        #expect(try await service.userInfo(access).status == 401)
        let there = try await Self.token(service, grant + [("resource", api), ("scope", "jobs:run")])
        #expect(try Self.claims(there)["aud"]?.string == api && there.json["scope"] == "jobs:run")
        let seen = try await server.gateway.form(
            "/v1/token/introspect", [("token", there.json["access_token"]?.string ?? "")], client: server.id,
            secret: server.secret)
        #expect(seen.json["active"] == true && seen.json["client_id"]?.string == service.id)
        for (more, error) in [
            ([("resource", api), ("scope", "jobs:run more")], "invalid_scope"),
            ([("scope", "openid")], "invalid_scope"),
            ([("resource", "https://unknown.example")], "invalid_target"),
        ] {
            let answer = try await Self.token(service, grant + more)
            #expect(answer.status == 400 && answer.json["error"]?.string == error, "\(answer.text)")
        }
        let plain = try await RelyingParty.register()
        let refused = try await Self.token(plain, grant)
        #expect(refused.status == 400 && refused.json["error"] == "unauthorized_client")
        let open = try await RelyingParty.register(["service_account": true], isPublic: true)
        let unproved = try await Self.token(open, grant + [("client_id", open.id)])
        #expect(unproved.status == 400 && unproved.json["error"] == "unauthorized_client")
    }

    @Test("A back end exchanges its user's token, and the new one names everybody who acts")
    func exchange() async throws {
        let party = try await RelyingParty.register(isPublic: true)
        let (files, filesAPI) = try await Self.api(
            clients: ["*"], scopes: ["files:read": "Read files", "days:read": "Read the calendar"])
        let (days, daysAPI) = try await Self.api(clients: [files.id], scopes: ["days:read": "Read the calendar"])
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn(
            party.request(["scope": "openid files:read days:read", "resource": filesAPI]))
        let user = try await party.tokens(browser)
        func exchange(_ token: String, by client: RelyingParty = files, _ changes: [String: String] = [:]) async throws
            -> TestAnswer
        {
            let usual = [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token,
                "subject_token_type": Self.accessTokenType, "resource": daysAPI,
            ]
            return try await Self.token(client, usual.merging(changes) { $1 }.map { ($0, $1) })
        }
        let answer = try await exchange(user.access)
        let claims = try Self.claims(answer)
        #expect(answer.json["issued_token_type"]?.string == Self.accessTokenType && answer.json["scope"] == "days:read")
        #expect(claims["sub"] == user.claims["sub"] && claims["aud"]?.string == daysAPI)
        #expect(claims["act"]?["sub"]?.string == "client:\(files.id)")
        #expect(claims["act"]?["act"]?["sub"]?.string == "client:\(party.id)")
        #expect((claims["exp"]?.integer ?? .max) <= (try Self.expiry(user.access)))
        let exchanged = try #require(answer.json["access_token"]?.string)
        func isActive() async throws -> Bool {
            let seen = try await days.gateway.form(
                "/v1/token/introspect", [("token", exchanged)], client: days.id, secret: days.secret)
            return seen.json["active"] == true
        }
        #expect(try await isActive())
        try await poll {
            let rows = try await files.gateway.count(
                "select count(*) from audit_events where action = 'token_exchanged' and client_id = \(files.id)")
            return rows == 1 ? () : nil
        }
        // An ID token, another service's token, more scopes, an API that does not list the client.
        let other = try await RelyingParty.register()
        for (refused, error) in [
            (try await exchange(user.idToken), "invalid_request"),
            (try await exchange(user.access, by: other), "invalid_request"),
            (try await exchange(exchanged, by: days), "invalid_target"),
            (try await exchange(user.access, ["scope": "files:read"]), "invalid_scope"),
            (try await exchange(user.access, ["resource": filesAPI]), "invalid_target"),
            (
                try await exchange(user.access, ["subject_token_type": "urn:ietf:params:oauth:token-type:id_token"]),
                "invalid_request"
            ),
            (try await exchange(user.access, ["actor_token": "x"]), "invalid_request"),
        ] {
            #expect(refused.status == 400 && refused.json["error"]?.string == error, "\(refused.text)")
        }
        _ = try await party.gateway.form(
            "/v1/token/revoke", [("token", user.refresh), ("client_id", party.id)], client: party.id, secret: nil)
        #expect(try await !isActive())
        #expect(try await exchange(user.access).json["error"] == "invalid_request")
    }

    private static func expiry(_ token: String) throws -> Int {
        let bytes = try #require(Base64URL.decode(token.split(separator: ".")[1]))
        return try #require(try JSON(parsing: bytes)["exp"]?.integer)
    }

    @Test("An assertion authenticates its client once, in place of a secret")
    func assertion() async throws {
        let gateway = try GatewayProcess.current
        let issuer = try #require(try await gateway.get("/.well-known/openid-configuration").json["issuer"]?.string)
        let (key, foreign) = (try AssertionKey("k1"), try AssertionKey("k1"))
        let party = try await RelyingParty.register(["service_account": true, "jwks": ["keys": [key.jwk]]])
        func assertion(_ changes: JSONObject = [:], by key: AssertionKey = key) throws -> String {
            try key.assertion(by: party.id, for: issuer, changes)
        }
        func send(_ assertion: String, _ more: [(String, String)] = []) async throws -> TestAnswer {
            let fields = [
                ("grant_type", "client_credentials"), ("client_assertion", assertion),
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
            ]
            return try await gateway.form("/v1/token", fields + more, client: party.id, secret: nil)
        }
        let now = Int(Date().timeIntervalSince1970)
        let good = try assertion()
        #expect(try await send(good).status == 200)
        #expect(try await send(good).json["error"] == "invalid_client")
        #expect(try await send(try assertion(["aud": .string(issuer + "/v1/token")])).status == 200)
        #expect(try await send(try assertion(["nbf": .integer(now + 8)])).status == 200)
        let wrong: [JSONObject] = [
            ["sub": .null], ["sub": "other"], ["aud": "https://other.example"], ["aud": [.string(issuer)]],
            ["exp": .null], ["exp": .integer(now - 300)], ["exp": .integer(now + 1_200)],
            ["nbf": .integer(now + 120)], ["jti": .null], ["iss": "other"],
        ]
        for changes in wrong {
            let answer = try await send(try assertion(changes))
            #expect(answer.status == 401 && answer.json["error"] == "invalid_client", "\(changes)")
        }
        #expect(try await send(try assertion(by: foreign)).status == 401)
        #expect(try await send(try assertion(), [("client_secret", "x")]).status == 400)
        #expect(try await send(try assertion(), [("client_assertion_type", "x")]).status == 400)
        // Its secret, if it still has one, is no way in any more.
        let bySecret = try await Self.token(party, [("grant_type", "client_credentials")])
        #expect(bySecret.status == 401)
    }
}
