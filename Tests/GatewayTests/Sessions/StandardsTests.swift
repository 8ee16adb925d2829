import Clients
import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Requests of back ends: introspection (RFC 7662), revocation (RFC 7009), the key set and the metadata.
extension SessionTests {
    @Test("introspection shows a client its own live tokens")
    func introspection() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let access = try await gateway.introspect(person.accessToken)
        #expect(access.status == 200)
        #expect(access.header("Cache-Control") == "no-store")
        #expect(access.json["active"] == true)
        #expect(access.json["sub"]?.string == person.account)
        #expect(access.json["sid"]?.string == person.session)
        #expect(access.json["client_id"] == "app")
        #expect(access.json["token_type"] == "Bearer")
        let refresh = try await gateway.form(
            "/v1/token/introspect",
            [("token", person.refreshToken), ("client_id", "app"), ("client_secret", Deployment.clientSecret)],
            secret: nil)
        #expect(refresh.json["active"] == true)
        #expect(refresh.json["token_type"] == "refresh_token")
        #expect(refresh.json["sub"]?.string == person.account)

        let pair = try await gateway.refreshed(person.refreshToken)
        let ended = try await gateway.signOut(person.accessToken)
        #expect(ended.status == 204)
        let google = try await gateway.simulator.mint("google").token
        for token in [
            person.refreshToken, pair.refreshToken, person.accessToken, pair.accessToken, google, "x", "rt_x",
        ] {
            #expect(try await gateway.introspect(token).json == ["active": false])
        }
    }

    @Test("a spent refresh token is inactive, and its introspection ends nothing")
    func introspectionOfSpent() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let pair = try await gateway.refreshed(person.refreshToken)
        #expect(try await gateway.introspect(person.refreshToken).json == ["active": false])
        #expect(try await gateway.introspect(pair.refreshToken).json["active"] == true)
        #expect(try await gateway.refresh(pair.refreshToken).status == 200)
    }

    @Test("the password grant does not exist")
    func passwordGrant() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let answer = try await gateway.send(
            TestRequest("POST", "/v1/token").form([
                ("grant_type", "password"), ("client_id", "app"), ("username", email),
                ("password", GatewayProcess.password),
            ]))
        #expect(answer.status == 400 && answer.json["error"] == "unsupported_grant_type", "\(answer.text)")
    }

    @Test("introspection refuses a client without authentication", arguments: ["introspect", "revoke"])
    func clientAuthentication(call: String) async throws {
        let gateway = try GatewayProcess.current
        let (app, secret) = ("kept-\(Fresh.text())", "a secret of a server")
        try await gateway.addClient(app, secret: secret, type: .confidential)
        let person = try await gateway.anyone(app: app)
        let path = "/v1/token/\(call)"
        let token = ("token", person.accessToken)
        let both = TestRequest("POST", path).form([token, ("client_secret", secret)])
            .header("Authorization", "Basic " + Data("\(app):\(secret)".utf8).base64EncodedString())
        let refused = try await [
            gateway.form(path, [token], client: app, secret: "wrong-wrong-wrong"),
            gateway.form(path, [token], client: app, secret: ""),
            gateway.form(path, [token], client: "nobody"), gateway.form(path, [token], secret: nil),
            gateway.form(path, [token, ("client_id", app)], secret: nil),
            gateway.form(path, [token, ("client_id", app), ("client_secret", "wrong")], secret: nil),
            gateway.send(TestRequest("POST", path).form([token]).bearer(person.accessToken)),
        ]
        for answer in refused {
            try await gateway.expectRefusal(answer, 401, "invalid_client", action: call, isOAuth: true)
            #expect(answer.json["error"] == "invalid_client")
            #expect(answer.header("WWW-Authenticate")?.hasPrefix("Basic ") == true)
        }
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        // RFC 6749 section 5.2: several client authentications in one request are invalid, for any secret.
        let twice = try await gateway.send(both)
        try await gateway.expectRefusal(twice, 400, "invalid_request", action: call, isOAuth: true)
        #expect(twice.json["error_description"] == "client_secret: beside http basic")
        let incomplete = try await gateway.form(
            path, [("token_type_hint", "access_token")], client: app, secret: secret)
        try await gateway.expectRefusal(incomplete, 400, "invalid_request", action: call, isOAuth: true)
        #expect(incomplete.json["error"] == "invalid_request")
        #expect(incomplete.json["error_description"] == "token: is required")
        let json = TestRequest("POST", path).json(["token": .string(person.accessToken)])
        #expect(try await gateway.send(json).json["error"] == "invalid_request")
    }

    @Test("another client's tokens look like made-up ones")
    func otherClient() async throws {
        let gateway = try GatewayProcess.current
        let (other, secret) = ("other-\(Fresh.text())", "a secret of another app")
        try await gateway.addClient(other, secret: secret, type: .confidential)
        let mine = try await gateway.anyone()
        let theirs = try await gateway.session("apple", ["subject": .string(Fresh.subject("apple"))], app: other)
        for token in [mine.accessToken, mine.refreshToken] {
            let answer = try await gateway.form(
                "/v1/token/introspect", [("token", token)], client: other, secret: secret)
            #expect(answer.json == ["active": false])
            let revoked = try await gateway.form("/v1/token/revoke", [("token", token)], client: other, secret: secret)
            #expect(revoked.status == 200)
        }
        #expect(try await gateway.checkSession(mine.accessToken).status == 200)
        #expect(try await gateway.refresh(mine.refreshToken).status == 200)
        #expect(try await gateway.introspect(theirs.accessToken).json == ["active": false])
        let own = try await gateway.form(
            "/v1/token/introspect", [("token", theirs.accessToken)], client: other, secret: secret)
        #expect(own.json["active"] == true)
        #expect(own.json["aud"]?.array?.first?.string == other)
    }

    @Test("a public client revokes its own tokens and introspects none")
    func publicClient() async throws {
        let gateway = try GatewayProcess.current
        let client = "public-\(Fresh.text())"
        try await gateway.addClient(client, secret: nil)
        let person = try await gateway.session("apple", ["subject": .string(Fresh.subject("apple"))], app: client)
        let fields = [("token", person.refreshToken), ("client_id", client)]
        try await gateway.expectRefusal(
            try await gateway.form("/v1/token/introspect", fields, secret: nil), 401, "invalid_client",
            action: "introspect", isOAuth: true)
        #expect(try await gateway.form("/v1/token/revoke", fields, secret: nil).status == 200)
        try await gateway.expectEnded(person.accessToken, [person.refreshToken])
    }

    @Test("revoking either token ends the session", arguments: [true, false])
    func revocation(byRefreshToken: Bool) async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        let token = byRefreshToken ? person.refreshToken : person.accessToken
        let answer = try await gateway.form(
            "/v1/token/revoke", [("client_id", "app"), ("token", token), ("token_type_hint", "access_token")],
            secret: nil)
        #expect(answer.status == 200)
        try await gateway.expectEnded(person.accessToken, [person.refreshToken])
        let row = try #require(try await gateway.audit(answer).first)
        #expect([row.action, row.reason, row.client] == ["session_ended", "revoked", "app"])
        // An unknown or invalid token is no error (RFC 7009 §2.2).
        for token in [token, "nonsense"] {
            #expect(try await gateway.revoke(token).status == 200)
        }
    }

    @Test("3-N3: an ID token is no token to revoke: the answer says so, and the session goes on")
    func identityToken() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let answer = try await gateway.post(
            "/v1/sign-in",
            [
                "client_id": "app", "provider": "password", "scope": "openid",
                "credential": ["username": .string(email), "password": .string(GatewayProcess.password)],
            ])
        let session = try #require(answer.json["session"], "\(answer.text)")
        let revoked = try await gateway.revoke(try #require(session["id_token"]?.string, "\(answer.text)"))
        #expect(revoked.status == 400 && revoked.json["error"] == "unsupported_token_type", "\(revoked.text)")
        #expect(try await gateway.checkSession(try #require(session["access_token"]?.string)).status == 200)
    }

    @Test("an access token is verified with the published key set and nothing else")
    func offline() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let pair = try await gateway.refreshed(person.refreshToken)
        let metadata = try await gateway.get("/.well-known/openid-configuration")
        let issuer = try #require(metadata.json["issuer"]?.string)
        #expect(metadata.json["jwks_uri"]?.string == issuer + "/.well-known/jwks.json")
        #expect(metadata.json["authorization_endpoint"]?.string == issuer + "/authorize")
        #expect(metadata.json["response_types_supported"] == ["code"])
        let document = try await gateway.get("/.well-known/jwks.json")
        #expect(document.header("Content-Type") == "application/jwk-set+json")
        #expect(document.header("Cache-Control")?.hasPrefix("public, max-age=") == true)
        let keys = try JWKSet(parsing: document.body, accepting: [.ES256])
        for token in [person.accessToken, pair.accessToken] {
            let jwt = try JWT(parsing: token)
            let keyID = try #require(jwt.keyID)
            let key = try #require(keys.key(id: keyID, algorithm: .ES256)?.key)
            #expect(jwt.isSigned(by: key, .ES256))
            let claims = jwt.claims
            #expect(jwt.header["typ"] == "at+jwt")
            #expect(claims["iss"]?.string == issuer)
            #expect(claims["aud"]?.array?.first == "app")
            let (from, to) = try (#require(claims["iat"]?.integer as Int?), #require(claims["exp"]?.integer as Int?))
            #expect(to - from == 600 && abs(Date().timeIntervalSince1970 - Double(from)) < 600)
            #expect(claims["sub"]?.string == person.account)
            #expect(claims["sid"]?.string == person.session)
            #expect(claims["client_id"] == "app")
            #expect(claims["idp"] == "apple")
            #expect(claims["amr"] == ["fed"])
            #expect(claims["acr"] == "1")
            #expect(claims["jti"]?.string?.isEmpty == false)
        }
    }

    @Test("the key set contains the current and the next key, without private parts")
    func keySet() async throws {
        let gateway = try GatewayProcess.current
        let keys = try #require(try await gateway.get("/.well-known/jwks.json").json["keys"]?.array)
        #expect(keys.count >= 2)
        for key in keys {
            let isRSA = key["alg"] == "RS256"
            #expect(key["kty"] == (isRSA ? "RSA" : "EC") && key["crv"] == (isRSA ? nil : "P-256"))
            #expect(isRSA || key["alg"] == "ES256")
            #expect(key["use"] == "sig")
            #expect(key["d"] == nil)
        }
    }
}

extension GatewayProcess {
    /// Adds a client to the database and waits until the gateway has loaded it.
    func addClient(
        _ id: String, secret: String?, type: Client.Kind = .public, redirects: [String] = []
    ) async throws {
        let digest = secret.map { SHA256.hash($0) }
        try await change(
            """
            insert into clients (id, name, type, secret_digest, redirect_uris, providers)
            values (\(id), 'A test', \(type.rawValue), \(digest), \(redirects), (select providers from clients where id = 'app'))
            """)
        _ = try await poll {
            try await self.signIn("password", credential: [:], app: id).code == "client_unknown" ? nil : ()
        }
    }
}
