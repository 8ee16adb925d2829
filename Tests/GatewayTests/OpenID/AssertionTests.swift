import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Identity assertions (ID-JAG: draft-ietf-oauth-identity-assertion-authz-grant): given to other companies' servers, and taken
/// from a provider that the operator trusts.
@Suite("Identity assertions", .gateway(["OIDC_ACME_ASSERTIONS": "true"])) struct AssertionTests {
    private static let (jag, idToken) = (
        "urn:ietf:params:oauth:token-type:id-jag", "urn:ietf:params:oauth:token-type:id_token"
    )
    static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    private static func issuer() async throws -> String {
        let metadata = try await GatewayProcess.current.get("/.well-known/openid-configuration").json
        return try #require(metadata["issuer"]?.string)
    }

    private static func token(_ party: RelyingParty, _ fields: [String: String]) async throws -> TestAnswer {
        try await party.gateway.form(
            "/v1/token", fields.map { ($0, $1) }, client: party.id, secret: party.secret)
    }

    private static func expectRefusal(_ answer: TestAnswer, _ error: String, _ what: String = "") {
        #expect(answer.status == 400 && answer.json["error"]?.string == error, "\(what) \(answer.text)")
        #expect(answer.json["access_token"] == nil)
    }

    // MARK: As the identity provider

    private static let audience: JSONObject = [
        "issuer": "https://auth.other.example", "client_id": "agent-there", "resources": ["https://api.other.example"],
        "scopes": ["chat:read", "chat:write"],
    ]

    /// An app that may get assertions, and the tokens of its user.
    private static func app(_ scope: String = "openid email") async throws -> (RelyingParty, TokenAnswer) {
        let party = try await RelyingParty.register(["assertion_audiences": [.object(audience)]])
        let visitor = try await Visitor.arrive()
        return (party, try await party.tokens(try await visitor.signIn(party.request(["scope": scope]))))
    }

    private static func exchange(
        _ party: RelyingParty, _ token: String, _ changes: [String: String?] = [:]
    ) async throws -> TestAnswer {
        var fields: [String: String?] = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "requested_token_type": jag,
            "subject_token": token, "subject_token_type": idToken, "audience": "https://auth.other.example",
            "resource": "https://api.other.example", "scope": "chat:read",
        ]
        for (name, value) in changes { fields[name] = .some(value) }
        return try await Self.token(party, fields.compactMapValues { $0 })
    }

    /// The claims of an assertion that we signed.
    private static func claims(_ answer: TestAnswer) async throws -> JSONObject {
        let jwt = try JWT(parsing: try #require(answer.json["access_token"]?.string, "\(answer.text)"))
        let set = try JWKSet(
            parsing: try await GatewayProcess.current.get("/.well-known/jwks.json").body, accepting: [.RS256])
        let id = try #require(jwt.keyID)
        let key = try #require(set.key(id: id, algorithm: .RS256))
        #expect(jwt.isSigned(by: key.key, .RS256) && jwt.header["typ"] == "oauth-id-jag+jwt")
        return jwt.claims
    }

    @Test("An ID token buys an assertion for a server that the operator named, and for nothing else")
    func given() async throws {
        let (party, user) = try await Self.app()
        let answer = try await Self.exchange(party, user.idToken)
        #expect(answer.json["token_type"] == "N_A" && answer.json["issued_token_type"]?.string == Self.jag)
        #expect(answer.json["expires_in"]?.integer == 300 && answer.json["refresh_token"] == nil)
        let claims = try await Self.claims(answer)
        #expect(claims["iss"]?.string == (try await Self.issuer()) && claims["sub"] == user.claims["sub"])
        #expect(claims["aud"] == "https://auth.other.example" && claims["client_id"] == "agent-there")
        #expect(claims["resource"] == "https://api.other.example" && claims["scope"] == "chat:read")
        #expect(claims["auth_time"] == user.claims["auth_time"] && claims["amr"] == user.claims["amr"])
        #expect(claims["acr"] == user.claims["acr"] && claims["email"]?.string?.contains("@") == true)
        #expect((claims["exp"]?.integer ?? 0) - (claims["iat"]?.integer ?? 0) == 300 && claims["jti"]?.string != nil)
        #expect(claims["cnf"] == nil && claims["sid"] == nil)
        let rows = try await party.gateway.audit(answer)
        let row = try #require(rows.first { $0.action == "token_exchanged" })
        #expect(row.client == party.id && row.account == claims["sub"]?.string)
        #expect(row.detail?["audience"] == "https://auth.other.example")
        #expect(row.detail?["asserted_client"] == "agent-there")
        // It is nothing here: no access token, no subject to exchange, no assertion that we take back.
        let text = try #require(answer.json["access_token"]?.string)
        #expect(try await party.userInfo(text).status == 401)
        Self.expectRefusal(try await Self.exchange(party, text), "invalid_request")
        let back = try await Self.token(party, ["grant_type": Self.jwtBearer, "assertion": text])
        Self.expectRefusal(back, "invalid_grant")
        let all = try await Self.claims(try await Self.exchange(party, user.idToken, ["scope": nil, "resource": nil]))
        #expect(all["scope"] == "chat:read chat:write" && all["resource"] == nil && all["jti"] != claims["jti"])
        let (bare, plain) = try await Self.app("openid")
        #expect(try await Self.claims(try await Self.exchange(bare, plain.idToken))["email"] == nil)
    }

    @Test("Another server, API, scope, client, token or type gives no assertion, nor does a session that is over")
    func notGiven() async throws {
        let (party, user) = try await Self.app("openid")
        let (other, foreign) = try await Self.app("openid")
        for (changes, error) in [
            (["audience": "https://evil.example"], "invalid_target"), (["audience": nil], "invalid_request"),
            (["audience": "https://auth.other.example/"], "invalid_target"),
            (["resource": "https://evil.example"], "invalid_target"), (["scope": "chat:read admin"], "invalid_scope"),
            (["subject_token": nil], "invalid_request"), (["subject_token": "x"], "invalid_request"),
            (["subject_token_type": nil], "invalid_request"),
            (["subject_token_type": "urn:ietf:params:oauth:token-type:access_token"], "invalid_request"),
            (["subject_token": user.access], "invalid_request"),
            (["subject_token": foreign.idToken], "invalid_request"),
            (["actor_token": "x"], "invalid_request"), (["requested_token_type": Self.idToken], "invalid_request"),
        ] as [([String: String?], String)] {
            Self.expectRefusal(try await Self.exchange(party, user.idToken, changes), error, "\(changes)")
        }
        let plain = try await RelyingParty.register()
        let tokens = try await plain.tokens(try await Visitor.arrive().signIn(plain.request()))
        Self.expectRefusal(try await Self.exchange(plain, tokens.idToken), "invalid_target")
        let open = try await RelyingParty.register(["assertion_audiences": [.object(Self.audience)]], isPublic: true)
        let twice = [("audience", "a"), ("audience", "b"), ("grant_type", Self.jwtBearer), ("client_id", open.id)]
        let doubled = try await open.gateway.form("/v1/token", twice, client: open.id, secret: nil)
        Self.expectRefusal(doubled, "invalid_request")
        let unproved = try await Self.exchange(open, user.idToken, ["client_id": open.id])
        Self.expectRefusal(unproved, "unauthorized_client")
        _ = try await other.gateway.form(
            "/v1/token/revoke", [("token", foreign.refresh)], client: other.id, secret: other.secret)
        Self.expectRefusal(try await Self.exchange(other, foreign.idToken), "invalid_request")
        let rows = try await party.gateway.count(
            "select count(*) from audit_events where action = 'token_exchanged' and client_id = \(party.id)")
        #expect(rows == 0)
    }

    @Test("Both metadata documents list each side by its own setting")
    func metadata() async throws {
        _ = try await RelyingParty.register(["assertion_audiences": [.object(Self.audience)]])
        for place in ["openid-configuration", "oauth-authorization-server"] {
            let document = try await GatewayProcess.current.get("/.well-known/\(place)").json
            #expect(document["grant_types_supported"]?.array?.contains(.string(Self.jwtBearer)) == true)
            #expect(
                document["authorization_grant_profiles_supported"] == ["urn:ietf:params:oauth:grant-profile:id-jag"])
            #expect(document["identity_chaining_requested_token_types_supported"] == [.string(Self.jag)])
        }
    }

    // MARK: As the authorization server of an API

    /// A user of the company, an API, and an agent that the API lists.
    private struct Office {
        let agent, server: RelyingParty
        let resource, subject, account, issuer: String

        static func open(_ openID: JSONObject = [:]) async throws -> Office {
            let gateway = try GatewayProcess.current
            let (agent, resource) = (try await RelyingParty.register(openID), "https://\(Fresh.text()).example/mcp")
            let api: JSONObject = [
                "identifier": .string(resource), "name": "Files", "clients": [.string(agent.id)],
                "scopes": ["files:read": "Read files", "files:write": "Change files"], "access_token_seconds": 120,
            ]
            let server = try await RelyingParty.register(["resources": [.object(api)]])
            let subject = Fresh.subject("acme")
            let session = try await gateway.session("acme", ["subject": .string(subject)])
            return Office(
                agent: agent, server: server, resource: resource, subject: subject, account: session.account,
                issuer: try await AssertionTests.issuer())
        }

        /// An assertion of the company; null removes a claim.
        func assertion(_ changes: JSONObject = [:], _ more: JSONObject = [:]) async throws -> String {
            let now = Int(Date().timeIntervalSince1970)
            var claims: JSONObject = [
                "aud": .string(issuer), "client_id": .string(agent.id), "resource": .string(resource), "azp": .null,
                "scope": "files:read", "iat": .integer(now), "exp": .integer(now + 300), "jti": .string(Fresh.text()),
                "auth_time": .integer(now - 60),
            ]
            for change in changes.members { claims[change.name] = change.value }
            var members: JSONObject = [
                "subject": .string(subject), "claims": .object(claims), "header": ["typ": "oauth-id-jag+jwt"],
            ]
            for member in more.members { members[member.name] = member.value }
            return try await agent.gateway.simulator.mint("acme", members).token
        }

        func send(_ assertion: String, _ changes: [String: String] = [:]) async throws -> TestAnswer {
            let usual = ["grant_type": AssertionTests.jwtBearer, "assertion": assertion]
            return try await AssertionTests.token(agent, usual.merging(changes) { $1 })
        }

        func introspect(_ token: String) async throws -> JSON {
            try await server.gateway.form(
                "/v1/token/introspect", [("token", token)], client: server.id, secret: server.secret
            ).json
        }

        /// The sessions of the agent, whether over or not.
        func sessions() async throws -> Int {
            try await agent.gateway.count("select count(*) from sessions where client_id = \(agent.id)")
        }
    }

    @Test("The company's assertion gives a token for its API alone, and a session that the user can end")
    func taken() async throws {
        let office = try await Office.open()
        let answer = try await office.send(try await office.assertion())
        #expect(answer.status == 200 && answer.json["token_type"] == "Bearer", "\(answer.text)")
        #expect(answer.json["expires_in"]?.integer == 120 && answer.json["scope"] == "files:read")
        #expect(answer.json["refresh_token"] == nil && answer.json["id_token"] == nil)
        let token = try #require(answer.json["access_token"]?.string)
        let seen = try await office.introspect(token)
        #expect(seen["active"] == true && seen["aud"]?.string == office.resource && seen["scope"] == "files:read")
        #expect(seen["sub"]?.string == office.account && seen["client_id"]?.string == office.agent.id)
        #expect(seen["idp"] == "acme" && seen["acr"] == "1")
        #expect(try await office.agent.userInfo(token).status == 401)
        // No notice of a new device: it is none of the user's.
        let rows = try await office.agent.gateway.audit(answer)
        #expect(rows.map(\.action) == ["app_signed_in"] && rows.first?.reason == "identity_assertion")
        let row = try #require(rows.first)
        #expect(row.client == office.agent.id && row.provider == "acme")
        #expect(row.detail?["resource"]?.string == office.resource && row.account == office.account)
        // The user sees and ends it.
        let own = try await office.agent.gateway.session("acme", ["subject": .string(office.subject)])
        let gateway = office.agent.gateway
        let list = "/v1/account/sessions"
        let listed = try await gateway.send(TestRequest("GET", list).bearer(own.accessToken))
        let id = try #require(answer.json["session_id"]?.string)
        #expect(listed.text.contains(id), "\(listed.text)")
        let ended = try await gateway.send(TestRequest("DELETE", "\(list)/\(id)").bearer(own.accessToken))
        #expect(ended.status == 204, "\(ended.text)")
        #expect(try await office.introspect(token) == ["active": false])
    }

    @Test("Each bad assertion is invalid_grant with its reason, and leaves no session")
    func bad() async throws {
        let office = try await Office.open()
        let now = Int(Date().timeIntervalSince1970)
        for (changes, reason) in [
            (["iss": "https://evil.example"], "issuer_not_allowed"),
            (["iss": "https://accounts.google.com"], "issuer_not_allowed"),
            (["aud": "https://other.example"], "audience_mismatch"), (["client_id": "app"], "client_mismatch"),
            (["exp": .integer(now - 120)], "expired"), (["exp": .integer(now + 3_000)], "lifetime_too_long"),
            (["iat": .integer(now + 600)], "issued_at_invalid"), (["jti": .null], "claim_type"),
            (["tenant": "t"], "tenant_not_allowed"), (["cnf": ["jkt": "x"]], "key_mismatch"),
            (["sub": "nobody"], "identity_unknown"),
        ] as [(JSONObject, String)] {
            let answer = try await office.send(try await office.assertion(changes))
            Self.expectRefusal(answer, "invalid_grant", reason)
            #expect(answer.json["code"] == "assertion_invalid")
            #expect(answer.json["error_description"]?.string?.hasSuffix(": \(reason).") == true, "\(answer.text)")
        }
        let signed = try await office.assertion([:], ["signing": "tampered"])
        for text in [
            signed, "x", try await office.assertion([:], ["header": ["typ": "JWT"]]),
            try await office.assertion([:], ["signing": "none"]),
        ] { Self.expectRefusal(try await office.send(text), "invalid_grant", text) }
        for (changes, error) in [
            (["resource": .null], "invalid_target"), (["resource": "https://unknown.example"], "invalid_target"),
        ] as [(JSONObject, String)] {
            Self.expectRefusal(try await office.send(try await office.assertion(changes)), error)
        }
        let good = try await office.assertion()
        for (more, error) in [
            (["resource": "https://unknown.example"], "invalid_target"), (["scope": "files:write"], "invalid_scope"),
            (["assertion": ""], "invalid_request"),
        ] { Self.expectRefusal(try await office.send(good, more), error) }
        #expect(try await office.sessions() == 0)
        // No refusal spent it. Then it works once, whatever its other claims are.
        #expect(try await office.send(good, ["resource": office.resource, "scope": "files:read"]).status == 200)
        Self.expectRefusal(try await office.send(good), "invalid_grant")
        let id = Fresh.text()
        #expect(try await office.send(try await office.assertion(["jti": .string(id)])).status == 200)
        let again = try await office.assertion(["jti": .string(id), "exp": .integer(now + 200)])
        Self.expectRefusal(try await office.send(again), "invalid_grant")
        #expect(try await office.sessions() == 2)
    }

    @Test("A key that is proved with the exchange binds the assertion, and one in an assertion must be proved")
    func bound() async throws {
        let (key, other, address) = (try ProofKey(), try ProofKey(), "/v1/token")
        let origin = try await Self.issuer()
        func proved(_ party: RelyingParty, _ fields: [(String, String)], by key: ProofKey) async throws -> TestAnswer {
            let credentials = Data("\(party.id):\(party.secret ?? "")".utf8).base64EncodedString()
            return try await party.gateway.send(
                TestRequest("POST", address).form(fields).header("Authorization", "Basic \(credentials)")
                    .header("DPoP", try key.proof("POST", origin + address)))
        }
        let (party, user) = try await Self.app("openid")
        let asked = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("requested_token_type", Self.jag),
            ("subject_token", user.idToken), ("subject_token_type", Self.idToken),
            ("audience", "https://auth.other.example"),
        ]
        let given = try await proved(party, asked, by: key)
        #expect(given.json["token_type"] == "N_A")
        #expect(try await Self.claims(given)["cnf"]?["jkt"]?.string == key.thumbprint)
        let office = try await Office.open()
        let bound = try await office.assertion(["cnf": ["jkt": .string(key.thumbprint)]])
        let fields = [("grant_type", Self.jwtBearer), ("assertion", bound)]
        Self.expectRefusal(try await office.send(bound), "invalid_grant")
        Self.expectRefusal(try await proved(office.agent, fields, by: other), "invalid_grant")
        let taken = try await proved(office.agent, fields, by: key)
        #expect(taken.status == 200 && taken.json["token_type"] == "DPoP", "\(taken.text)")
        let seen = try await office.introspect(taken.json["access_token"]?.string ?? "")
        #expect(seen["cnf"]?["jkt"]?.string == key.thumbprint)
    }

    @Test("A public client, one that the API does not list, and one without the provider get nothing")
    func clients() async throws {
        let office = try await Office.open()
        let open = try await RelyingParty.register(isPublic: true)
        let own: JSONObject = ["client_id": .string(open.id)]
        let unproved = try await Self.token(
            open, ["grant_type": Self.jwtBearer, "assertion": try await office.assertion(own), "client_id": open.id])
        Self.expectRefusal(unproved, "unauthorized_client")
        let other = try await RelyingParty.register()
        let unlisted = try await Self.token(
            other,
            [
                "grant_type": Self.jwtBearer,
                "assertion": try await office.assertion(["client_id": .string(other.id)]),
            ])
        Self.expectRefusal(unlisted, "invalid_target")
        let good = try await office.assertion()
        try await office.agent.gateway.change(
            "update clients set providers = array['password'] where id = \(office.agent.id)")
        try await office.agent.gateway.addClient("after-\(office.agent.id)", secret: nil)
        let barred = try await office.send(good)
        Self.expectRefusal(barred, "invalid_grant")
        #expect(barred.json["error_description"]?.string?.contains("provider_not_allowed") == true)
    }

    @Test("An account that is disabled, needs a second factor, or left the company gets no session by an assertion")
    func accounts() async throws {
        let (disabled, guarded, withdrawn) = (
            try await Office.open(), try await Office.open(), try await Office.open()
        )
        let gateway = disabled.agent.gateway
        let token = try await disabled.send(try await disabled.assertion()).json["access_token"]?.string ?? ""
        let account = disabled.account
        _ = try await gateway.sql {
            try $0.queryOne("select set_account_status(\(account)::uuid, 'disabled', 'test', 'test')") != nil
        }
        let refused = try await disabled.send(try await disabled.assertion())
        Self.expectRefusal(refused, "invalid_grant")
        #expect(refused.json["code"] == "account_disabled")
        try await poll { try await disabled.introspect(token) == ["active": false] ? () : nil }
        try await gateway.change("update accounts set mfa_demanded = true where id = \(guarded.account)::uuid")
        let due = try await guarded.send(try await guarded.assertion())
        Self.expectRefusal(due, "invalid_grant")
        #expect(due.json["error_description"]?.string?.contains("step_due") == true)
        #expect(try await gateway.count("select count(*) from flows where client_id = \(guarded.agent.id)") == 0)
        try await gateway.change(
            "update identities set revoked_at = now() where account_id = \(withdrawn.account)::uuid")
        Self.expectRefusal(try await withdrawn.send(try await withdrawn.assertion()), "invalid_grant")
        #expect(try await guarded.sessions() == 0)
        #expect(try await withdrawn.sessions() == 0)
    }
}

/// The gateway without a trusted provider.
@Suite("Identity assertions without a setting", .gateway()) struct AssertionsOffTests {
    @Test("Without the setting the grant does not exist")
    func off() async throws {
        let party = try await RelyingParty.register()
        let answer = try await party.gateway.form(
            "/v1/token", [("grant_type", AssertionTests.jwtBearer), ("assertion", "x")], client: party.id,
            secret: party.secret)
        #expect(answer.status == 400 && answer.json["error"] == "unsupported_grant_type")
        let document = try await party.gateway.get("/.well-known/openid-configuration").json
        #expect(document["grant_types_supported"]?.array?.contains(.string(AssertionTests.jwtBearer)) == false)
        #expect(document["authorization_grant_profiles_supported"] == nil)
        #expect(document["identity_chaining_requested_token_types_supported"] == nil)
    }
}
