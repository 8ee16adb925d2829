import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// ID tokens at `/v1`: the parameters, the steps between request and session, and refreshes.
extension SessionTests {
    private static let nonce = "n-0S6_WzA2Mj"

    @Test("a sign-in with openid gets an ID token of the requested scopes; one without gets none")
    func idToken() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let members: JSONObject = [
            "subject": .string(Fresh.subject("google")), "email": .string(email), "claims": ["name": "Ann"],
        ]
        for scope: JSON? in [nil, "email profile", ""] {
            let plain = try await gateway.ordering(scope, nonce: "n", "google", members)
            #expect(plain.status == 200 && plain.json["session"]?["id_token"] == nil, "\(plain.text)")
            #expect(plain.json["session"]?["scope"] == nil)
        }
        let answer = try await gateway.ordering(
            "groups email openid profile phone", nonce: .string(Self.nonce), "google", members)
        let person = try SignedInAnswer(answer)
        #expect(answer.json["session"]?["scope"] == "openid profile email phone")
        let claims = try await gateway.idClaims(answer.json["session"])
        let access = try #require(Tokens.object(person.accessToken, part: 1))
        #expect(claims["aud"] == "app" && claims["nonce"]?.string == Self.nonce)
        for name in ["iss", "sub", "sid", "iat", "auth_time", "acr", "amr"] { #expect(claims[name] == access[name]) }
        #expect(claims["name"] == "Ann" && claims["email"]?.string == email && claims["email_verified"] == true)
        #expect(claims["phone_number"] == nil && claims["preferred_username"] == nil)
    }

    @Test("S-20: an address that lost its proof is not stated as verified")
    func unprovedAddress() async throws {
        let gateway = try GatewayProcess.current
        let person = try SignedInAnswer(try await gateway.ordering("openid email", "apple", Self.someone()))
        try await gateway.change(
            "update account_emails set proved_at = null where account_id = \(person.account)::uuid")
        let refreshed = try await gateway.refresh(person.refreshToken)
        #expect(try await gateway.idClaims(refreshed.json["session"])["email_verified"] == false)
    }

    @Test("a refresh renews the ID token without the nonce, and adds none to a session without openid")
    func refreshedIDToken() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.ordering("openid email", nonce: JSON.string(Self.nonce), "apple", Self.someone())
        let first = try await gateway.idClaims(answer.json["session"])
        let refreshed = try await gateway.refresh(try SignedInAnswer(answer).refreshToken)
        let second = try await gateway.idClaims(refreshed.json["session"])
        for name in ["iss", "sub", "aud", "sid", "auth_time", "acr", "amr", "email"] {
            #expect(second[name] == first[name])
        }
        #expect(second["nonce"] == nil && second["jti"] != first["jti"])
        #expect(refreshed.json["session"]?["scope"] == "openid email")

        let plain = try await gateway.anyone()
        let widened = try await gateway.post(
            "/v1/token/refresh",
            ["refresh_token": .string(plain.refreshToken), "scope": "openid email", "nonce": .string(Self.nonce)])
        #expect(widened.status == 400 && widened.json["errors"]?.array?.first?["code"] == "unknown_member")
        let renewed = try await gateway.refresh(plain.refreshToken)
        #expect(renewed.status == 200 && renewed.json["session"]?["id_token"] == nil, "\(renewed.text)")
    }

    @Test("the call that completes a sign-in decides about the ID token")
    func completingCall() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        for (scope, nonce) in [("openid", Self.nonce), (nil, nil)] as [(String?, String?)] {
            let begun = try await gateway.post(
                "/v1/sign-in",
                [
                    "provider": "password", "client_id": "app", "scope": "openid", "nonce": "of the first call",
                    "credential": ["username": .string(person.email), "password": .string(GatewayProcess.password)],
                ])
            var body: JSONObject = [
                "flow": .string(try PendingAnswer(begun).flow),
                "response": ["code": .string(try await gateway.freshCode(person))],
            ]
            body["scope"] = scope.map(JSON.string)
            body["nonce"] = nonce.map(JSON.string)
            let answer = try await gateway.post("/v1/sign-in/continue", .object(body))
            _ = try SignedInAnswer(answer)
            #expect((answer.json["session"]?["id_token"] != nil) == (scope != nil))
            guard scope != nil else { continue }
            let claims = try await gateway.idClaims(answer.json["session"])
            #expect(claims["nonce"]?.string == nonce)
            #expect(claims["acr"] == "2" && claims["amr"] == ["pwd", "otp", "mfa"])
        }
    }

    @Test("a confirmed sign-up and a password reset get an ID token, too")
    func signUpAndReset() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        let order: JSONObject = ["scope": "openid email", "nonce": .string(Self.nonce)]
        var body = order
        body["flow"] = .string(flow)
        body["response"] = ["code": .string(try await gateway.mailedCode(to: email))]
        let confirmed = try await gateway.post("/v1/sign-up/confirm", .object(body))
        #expect(try await gateway.idClaims(confirmed.json["session"])["email"]?.string == email)

        let forgotten = try await gateway.post(
            "/v1/password/forgot", ["client_id": "app", "username": .string(email)])
        body["flow"] = .string(try PendingAnswer(forgotten).flow)
        body["response"] = [
            "code": .string(try await gateway.mailedCode(to: email, number: 2)),
            "new_password": "a newer heron under the bridge 17",
        ]
        let reset = try await gateway.post("/v1/password/reset", .object(body))
        #expect(try await gateway.idClaims(reset.json["session"])["nonce"]?.string == Self.nonce)
    }

    @Test("a link flow that is completed gets the ID token of the linked account")
    func linking() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let holder = try await gateway.signUp(email)
        let pending = try await gateway.signIn(
            "amazon", ["subject": .string(Fresh.subject("amazon")), "email": .string(email)])
        let answer = try await gateway.post(
            "/v1/sign-in",
            [
                "provider": "password", "client_id": "app", "link_flow": .string(try gateway.linkFlow(pending)),
                "credential": ["username": .string(email), "password": .string(GatewayProcess.password)],
                "scope": "openid", "nonce": .string(Self.nonce),
            ])
        let claims = try await gateway.idClaims(answer.json["session"])
        #expect(claims["sub"]?.string == holder.account && claims["nonce"]?.string == Self.nonce)
    }

    @Test("a malformed scope or nonce is refused before the credential is used")
    func malformedOrder() async throws {
        let gateway = try GatewayProcess.current
        let minted = try await gateway.simulator.mint("apple", Self.someone())
        let rows: [(JSON, JSON, String, String)] = [
            (["openid"], nil, "/scope", "must_be_text"), ("openid", 7, "/nonce", "must_be_text"),
            ("openid", "", "/nonce", "malformed"), ("openid", "é", "/nonce", "malformed"),
            ("openid", .string(String(repeating: "n", count: 513)), "/nonce", "malformed"),
        ]
        var body: JSONObject = [
            "provider": "apple", "client_id": "app", "credential": .object(minted.credential()),
        ]
        for (scope, nonce, pointer, code) in rows {
            (body["scope"], body["nonce"]) = (scope, nonce)
            let refused = try await gateway.post("/v1/sign-in", .object(body))
            try await gateway.expectRefusal(refused, 400, "invalid_request", action: "sign_in")
            let fault = refused.json["errors"]?.array?.first
            #expect(fault?["pointer"]?.string == pointer && fault?["code"]?.string == code, "\(refused.text)")
        }
        (body["scope"], body["nonce"]) = ("openid", .string(Self.nonce))
        #expect(try await gateway.post("/v1/sign-in", .object(body)).status == 200)
    }

    @Test("S-19: introspection, revocation, linking and merging take no ID token for an access token")
    func noAccessToken() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.ordering("openid", "apple", Self.someone())
        let person = try SignedInAnswer(answer)
        let token = try #require(answer.json["session"]?["id_token"]?.string)
        let refused = try await gateway.checkSession(token)
        try await gateway.expectRefusal(refused, 401, "access_token_invalid", action: "session")
        #expect(try await gateway.introspect(token).json == ["active": false])
        let unrevoked = try await gateway.revoke(token)
        #expect(unrevoked.status == 400 && unrevoked.text.contains("unsupported_token_type"), "\(unrevoked.text)")
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        let minted = try await gateway.simulator.mint("amazon", ["subject": .string(Fresh.subject("amazon"))])
        let beside = try await gateway.signIn(minted, bearer: token)
        try await gateway.expectRefusal(beside, 401, "access_token_invalid", action: "sign_in")
        let merge = try await gateway.post(
            "/v1/account/merges", ["access_token": .string(token)], bearer: person.accessToken)
        #expect((400..<500).contains(merge.status), "\(merge.text)")
        #expect(try await gateway.refresh(token).status == 401)
    }

    @Test("the metadata name scopes, claims and the algorithm of ID tokens")
    func idTokenMetadata() async throws {
        let gateway = try GatewayProcess.current
        let document = try await gateway.get("/.well-known/openid-configuration").json
        #expect(document["scopes_supported"] == ["openid", "profile", "email", "phone", "address", "offline_access"])
        #expect(document["id_token_signing_alg_values_supported"] == ["RS256", "ES256"])
        #expect(document["request_uri_parameter_supported"] == false)
        let claims = try #require(document["claims_supported"]?.array)
        for name: JSON in ["sub", "auth_time", "nonce", "amr", "email_verified", "phone_number", "preferred_username"] {
            #expect(claims.contains(name))
        }
    }

    private static func someone() -> JSONObject {
        ["subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email())]
    }
}

extension GatewayProcess {
    /// `POST /v1/sign-in` with the parameters of an ID token.
    func ordering(
        _ scope: JSON?, nonce: JSON? = nil, _ provider: String, _ members: JSONObject, app: String = "app"
    ) async throws -> TestAnswer {
        let minted = try await simulator.mint(provider, members)
        var body: JSONObject = [
            "provider": .string(provider), "client_id": .string(app), "credential": .object(minted.credential()),
        ]
        body["scope"] = scope
        body["nonce"] = nonce
        return try await post("/v1/sign-in", .object(body))
    }

    /// The claims of an answer's ID token, verified with the published keys and bound to its access token.
    func idClaims(_ answer: JSON?, sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSONObject {
        let token = try #require(answer?["id_token"]?.string, sourceLocation: sourceLocation)
        let access = try #require(answer?["access_token"]?.string, sourceLocation: sourceLocation)
        let keys = try JWKSet(parsing: try await get("/.well-known/jwks.json").body, accepting: [.ES256, .RS256])
        let jwt = try JWT(parsing: token)
        let id = try #require(jwt.keyID, sourceLocation: sourceLocation)
        let algorithm: SignatureAlgorithm = jwt.algorithmName == "RS256" ? .RS256 : .ES256
        let key = try #require(keys.key(id: id, algorithm: algorithm)?.key, sourceLocation: sourceLocation)
        #expect(jwt.isSigned(by: key, algorithm) && jwt.header["typ"] == "JWT", sourceLocation: sourceLocation)
        let hash = Base64URL.encode(Array(SHA256.hash(access).prefix(16)))
        #expect(jwt.claims["at_hash"]?.string == hash, sourceLocation: sourceLocation)
        return jwt.claims
    }
}
