import Cryptography
import Foundation
import HTTPTypes
import JSON
import Postgres
import TestSupport
import Testing

/// Clients that prove themselves by a key (`private_key_jwt`), modelled on the conformance suite's dynamic plan.
@Suite("Clients with keys", .gateway(["CLIENT_DOCUMENTS": "any", "CLIENT_REGISTRATION": "open"]))
struct ClientKeyTests {
    /// Runs `body` with a site that publishes a key at an address of this computer.
    private static func publishing(
        _ key: AssertionKey, _ body: (AgentTests.Site, String) async throws -> Void
    ) async throws {
        let site = AgentTests.Site(["keys": [key.jwk]])
        try await withLocalServer({ site.answer($0) }) { try await body(site, $0 + "/keys") }
    }

    /// A client of an operator that sends no secret.
    private static func register(_ openID: JSONObject) async throws -> RelyingParty {
        let party = try await RelyingParty.register(openID)
        return RelyingParty(gateway: party.gateway, id: party.id, secret: nil)
    }

    /// The fields that prove a client once.
    private static func proof(of party: RelyingParty, _ key: AssertionKey) async throws -> [String: String] {
        let metadata = try await party.gateway.get("/.well-known/openid-configuration").json
        let issuer = try #require(metadata["issuer"]?.string)
        return [
            "client_assertion": try key.assertion(by: party.id, for: issuer),
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]
    }

    /// - Parameter key: nil for a request without a proof.
    private static func refresh(
        _ token: JSON?, _ party: RelyingParty, by key: AssertionKey?
    ) async throws -> TestAnswer {
        var fields = [
            "grant_type": "refresh_token", "client_id": party.id, "refresh_token": try #require(token?.string),
        ]
        if let key { fields.merge(try await proof(of: party, key)) { first, _ in first } }
        return try await party.gateway.form("/v1/token", fields.map { ($0, $1) }, client: party.id, secret: nil)
    }

    @Test("oidcc-ensure-client-assertion-with-iss-aud-succeeds: the audience of an assertion is the issuer")
    func issuerAsAudience() async throws {
        let key = try AssertionKey("k1")
        let party = try await Self.register(["jwks": ["keys": [key.jwk]]])
        let browser = try await Visitor.arrive().signIn(party.request())
        let tokens = try await party.tokens(browser, try await Self.proof(of: party, key))
        #expect(tokens.claims["aud"]?.string == party.id)
    }

    @Test("oidcc-registration-jwks-uri: an app registers the address of its keys, and has no other proof")
    func registration() async throws {
        let (gateway, key) = (try GatewayProcess.current, try AssertionKey("k1"))
        try await Self.publishing(key) { _, address in
            let request: JSON = [
                "redirect_uris": [.string(AgentTests.callback)], "token_endpoint_auth_method": "private_key_jwt",
                "jwks_uri": .string(address),
            ]
            let made = try await gateway.send(TestRequest("POST", "/v1/register").json(request))
            #expect(made.status == 201 && made.json["client_secret"] == nil, "\(made.text)")
            let id = try #require(made.json["client_id"]?.string)
            let (path, token) = ("/v1/register/\(id)", made.json["registration_access_token"]?.string)
            for json in [made.json, try await gateway.send(TestRequest("GET", path).bearer(token)).json] {
                #expect(json["jwks_uri"]?.string == address && json["token_endpoint_auth_method"] == "private_key_jwt")
            }
            let party = RelyingParty(gateway: gateway, id: id, secret: nil)
            let visitor = try await Visitor.arrive()
            try await visitor.signIn(AgentTests.asked(party, try await AgentTests.resource()))
            try await AgentTests.allow(visitor.browser)
            let code = try #require(visitor.browser.departureQuery["code"])
            let place = ["redirect_uri": AgentTests.callback]
            let unproved = try await party.redeem(code, place)
            #expect(unproved.status == 401 && unproved.json["error"] == "invalid_client")
            let proof = try await Self.proof(of: party, key)
            #expect(try await party.redeem(code, place.merging(proof) { $1 }).status == 200)
            let open: JSON = ["redirect_uris": [.string(AgentTests.callback)], "token_endpoint_auth_method": "none"]
            #expect(try await gateway.send(TestRequest("PUT", path).bearer(token).json(open)).status == 400)
        }
    }

    @Test("oidcc-refresh-token-rp-key-rotation: a new key at the address counts at once, and the old one no longer")
    func rotation() async throws {
        let (old, new) = (try AssertionKey("k1"), try AssertionKey("k2"))
        try await Self.publishing(old) { site, address in
            let party = try await Self.register(["jwks_uri": .string(address)])
            let browser = try await Visitor.arrive().signIn(party.request())
            let tokens = try await party.tokens(browser, try await Self.proof(of: party, old))
            #expect(site.fetches == 1)
            site.change("keys", [new.jwk])
            let answer = try await Self.refresh(tokens.json["refresh_token"], party, by: new)
            #expect(answer.status == 200, "\(answer.text)")
            for key in [old, nil] {
                let refused = try await Self.refresh(answer.json["refresh_token"], party, by: key)
                #expect(refused.status == 401 && refused.json["error"] == "invalid_client", "\(refused.text)")
            }
            #expect(try await Self.refresh(answer.json["refresh_token"], party, by: new).status == 200)
        }
    }

    @Test("oidcc-server-rotate-keys: the key set has new keys, and every old one")
    func serverRotation() async throws {
        let party = try await RelyingParty.register()
        let tokens = try await party.tokens(try await Visitor.arrive().signIn(party.request()))
        func published() async throws -> Set<String> {
            let document = try await party.gateway.get("/.well-known/jwks.json").body
            return Set(try JWKSet(parsing: document, accepting: [.ES256, .RS256]).keyIDs)
        }
        let before = try await published()
        let command = try await party.gateway.deployment.run("keys", "rotate", "--now", "--yes")
        #expect(command.exitCode == 0, "\(command.errors)")
        // One for each algorithm.
        let after = try await poll { () async throws -> Set<String>? in
            let keys = try await published()
            return keys.count == before.count + 2 ? keys : nil
        }
        #expect(after.isSuperset(of: before))
        #expect(try await party.gateway.idClaims(tokens.json)["sub"] == tokens.claims["sub"])
    }

    @Test("An agent proves itself by the keys of its document, and other keys ask its users again")
    func document() async throws {
        let key = try AssertionKey("k1")
        try await Self.publishing(key) { _, address in
            let keyed: JSONObject = ["token_endpoint_auth_method": "private_key_jwt", "jwks_uri": .string(address)]
            try await AgentTests.Site.run(keyed) { site, party, resource in
                let (visitor, asked) = (try await Visitor.arrive(), AgentTests.asked(party, resource))
                try await visitor.signIn(asked)
                try await AgentTests.allow(visitor.browser)
                let code = try #require(visitor.browser.departureQuery["code"])
                let place = ["redirect_uri": AgentTests.callback]
                #expect(try await party.redeem(code, place).status == 401)
                let proof = try await Self.proof(of: party, key)
                let answer = try await party.redeem(code, place.merging(proof) { $1 })
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try await Self.refresh(answer.json["refresh_token"], party, by: nil).status == 401)
                site.change("jwks_uri", .string(address + "/other"))
                try await poll {
                    try await party.gateway.change(
                        "update client_documents set fresh_until = now() - interval '1 second' where url = \(party.id)")
                    try await visitor.browser.visit(asked)
                    return visitor.browser.page.forms.contains { $0.action == "/authorize/answer" } ? () : nil
                }
            }
        }
    }

    @Test("While a client's keys can't be read, its requests fail for now, and nothing is spent")
    func unreadable() async throws {
        let key = try AssertionKey("k1")
        try await Self.publishing(key) { site, address in
            let party = try await Self.register(["jwks_uri": .string(address)])
            let browser = try await Visitor.arrive().signIn(party.request())
            let code = try #require(browser.departureQuery["code"])
            site.answers(.internalServerError)
            let failed = try await party.redeem(code, try await Self.proof(of: party, key))
            #expect(failed.status == 503 && failed.json["error"] == "temporarily_unavailable", "\(failed.text)")
            #expect(failed.json["code"] == "provider_unavailable" && failed.header("Retry-After") != nil)
            site.answers(.ok)
            // The gateway asks again after a pause of about five seconds.
            try await poll {
                try await party.redeem(code, try await Self.proof(of: party, key)).status == 200 ? () : nil
            }
        }
    }

    @Test("Fifty assertions at once fetch the keys once")
    func fetches() async throws {
        let key = try AssertionKey("k1")
        try await Self.publishing(key) { site, address in
            let party = try await Self.register(["service_account": true, "jwks_uri": .string(address)])
            let statuses = try await inParallel(0..<50) { _ in
                let grant = [("grant_type", "client_credentials")]
                let proof = try await Self.proof(of: party, key).map { ($0, $1) }
                return try await party.gateway.form("/v1/token", grant + proof, client: party.id, secret: nil).status
            }
            #expect(Set(statuses) == [200] && site.fetches == 1)
        }
    }
}
