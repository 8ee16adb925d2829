import Cryptography
import Foundation
import JSON
import Testing

/// Tokens for other apps' APIs (RFC 8707, RFC 9068 §3).
extension OpenIDTests {
    /// An app whose back end serves an API.
    private struct ResourceServer {
        let party: RelyingParty
        let identifier: String

        static func register(clients: JSON = ["*"], _ more: JSONObject = [:]) async throws -> ResourceServer {
            let identifier = "https://\(Fresh.text()).example/mcp"
            var resource: JSONObject = [
                "identifier": .string(identifier), "name": "Files", "clients": clients,
                "scopes": ["files:read": "Read your files", "files:write": "Change your files"],
            ]
            for member in more.members { resource[member.name] = member.value }
            let party = try await RelyingParty.register(["resources": [.object(resource)]])
            return ResourceServer(party: party, identifier: identifier)
        }

        func introspect(_ token: String) async throws -> JSON {
            try await party.gateway.form(
                "/v1/token/introspect", [("token", token)], client: party.id, secret: party.secret
            ).json
        }
    }

    private static func claims(_ token: String) throws -> JSON {
        try JSON(parsing: try #require(Base64URL.decode(token.split(separator: ".")[1])))
    }

    @Test("A token for a resource has its audience and scopes, opens nothing here, and its server may introspect it")
    func resourceToken() async throws {
        let server = try await ResourceServer.register()
        let (party, other) = (try await RelyingParty.register(isPublic: true), try await RelyingParty.register())
        let visitor = try await Visitor.arrive()
        let browser = try await visitor.signIn(
            party.request(["scope": "openid files:read offline_access", "resource": server.identifier]))
        let tokens = try await party.tokens(browser, ["resource": server.identifier])
        let claims = try Self.claims(tokens.access)
        #expect(claims["aud"]?.string == server.identifier && claims["scope"] == "files:read")
        #expect(claims["client_id"]?.string == party.id && claims["email"] == nil)
        #expect(tokens.json["scope"] == "openid offline_access files:read")
        // Elsewhere it is no token.
        #expect(try await party.userInfo(tokens.access).status == 401)
        let account = try await party.gateway.send(TestRequest("GET", "/v1/account").bearer(tokens.access))
        #expect(account.status == 403 || account.status == 401)
        let seen = try await server.introspect(tokens.access)
        #expect(seen["active"] == true && seen["aud"]?.string == server.identifier && seen["scope"] == "files:read")
        let foreign = try await other.gateway.form(
            "/v1/token/introspect", [("token", tokens.access)], client: other.id, secret: other.secret)
        #expect(foreign.json == ["active": false])
        // The refreshed token is for the same resource, with no more scopes than it asks for.
        func refresh(_ more: [(String, String)]) async throws -> TestAnswer {
            let fields = [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh), ("client_id", party.id)]
            return try await party.gateway.form("/v1/token", fields + more, client: party.id, secret: nil)
        }
        let wider = try await refresh([("scope", "files:read files:write")])
        #expect(wider.status == 400 && wider.json["error"] == "invalid_scope")
        let unknown = try await refresh([("resource", "https://unknown.example")])
        #expect(unknown.status == 400 && unknown.json["error"] == "invalid_target")
        // Neither refusal spent the token.
        let narrowed = try await refresh([("scope", "openid"), ("resource", server.identifier)])
        let access = try #require(narrowed.json["access_token"]?.string, "\(narrowed.text)")
        let narrow = try Self.claims(access)
        #expect(narrow["aud"]?.string == server.identifier && narrow["scope"] == nil)
        _ = try await party.gateway.form(
            "/v1/token/revoke", [("token", access), ("client_id", party.id)], client: party.id, secret: nil)
        #expect(try await server.introspect(access) == ["active": false])
    }

    @Test("Of several granted resources the app names one; another one is refused, and its code is spent")
    func severalResources() async throws {
        let (files, mail) = (try await ResourceServer.register(), try await ResourceServer.register())
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        try await visitor.browser.visit(party.request())
        try await visitor.browser.passwordSignIn(visitor.email)
        let asked = party.request(["resource": files.identifier]) + "&resource=" + mail.identifier
        for named in [nil, "https://unknown.example", party.id] {
            try await visitor.browser.visit(asked)
            let code = try #require(visitor.browser.departureQuery["code"])
            let answer = try await party.redeem(code, ["resource": named])
            #expect(answer.status == 400 && answer.json["error"] == "invalid_target", "\(answer.text)")
        }
        try await visitor.browser.visit(asked)
        let tokens = try await party.tokens(visitor.browser, ["resource": mail.identifier])
        #expect(try Self.claims(tokens.access)["aud"]?.string == mail.identifier)
        #expect(try await files.introspect(tokens.access) == ["active": false])
    }

    @Test("An app that the operator did not list gets invalid_target at its address, and by a pushed request")
    func unlistedClient() async throws {
        let party = try await RelyingParty.register()
        let server = try await ResourceServer.register(clients: [])
        let browser = try await Visitor.arrive().browser
        try await browser.visit(party.request(["resource": server.identifier]))
        #expect(browser.departureQuery["error"] == "invalid_target" && browser.departureQuery["state"] == "st")
        let pushed = try await party.gateway.form(
            "/v1/par", party.parameters(["resource": server.identifier]), client: party.id, secret: party.secret)
        #expect(pushed.status == 400 && pushed.json["error"] == "invalid_target")
    }

    @Test("The user of another maker's app reads what it may do at a resource, and allows a part")
    func consentForResource() async throws {
        let server = try await ResourceServer.register()
        let party = try await RelyingParty.register(["third_party": true])
        let visitor = try await Visitor.arrive()
        let asked = party.request(["scope": "files:read files:write", "resource": server.identifier])
        try await visitor.signIn(asked)
        #expect(visitor.browser.page.text.contains("Read your files"))
        let form = try #require(visitor.browser.page.forms.first { $0.action == "/authorize/answer" })
        let fields = form.fields.filter { !$0.0.contains("files:write") } + [("decision", "allow")]
        try await visitor.browser.post("/authorize/answer", fields)
        let code = try #require(visitor.browser.departureQuery["code"])
        let answer = try await party.redeem(code)
        #expect(answer.status == 200 && answer.json["scope"] == "files:read" && answer.json["id_token"] == nil)
        // The part is remembered; the whole is asked about again.
        try await visitor.browser.visit(
            party.request(["scope": "files:read", "resource": server.identifier, "prompt": "none"]))
        #expect(visitor.browser.departureQuery["code"] != nil)
        try await visitor.browser.visit(asked + "&prompt=none")
        #expect(visitor.browser.departureQuery["error"] == "consent_required")
    }

    @Test("A resource whose tokens are RS256 gets them so, for verifiers that know nothing else")
    func resourceAlgorithm() async throws {
        let server = try await ResourceServer.register(
            clients: ["*"], ["access_token_algorithm": "RS256", "access_token_seconds": 120])
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let tokens = try await party.tokens(
            try await visitor.signIn(party.request(["resource": server.identifier])))
        let header = try JSON(parsing: try #require(Base64URL.decode(tokens.access.split(separator: ".")[0])))
        #expect(header["alg"] == "RS256" && header["typ"] == "at+jwt")
        #expect(tokens.json["expires_in"] == 120)
        #expect(try await server.introspect(tokens.access)["active"] == true)
    }

    @Test("Two apps can't serve the same resource")
    func takenResource() async throws {
        let server = try await ResourceServer.register()
        let other = try await RelyingParty.register()
        let gateway = server.party.gateway
        let resource: JSON = ["identifier": .string(server.identifier.uppercased()), "name": "Copy"]
        let change: JSON = ["openid": ["resources": [resource]], "reason": "a test"]
        let owner = try await gateway.operatorSession("owner")
        let answer = try await gateway.admin("PATCH", "clients/\(other.id)", change, by: owner)
        #expect(answer.status == 400 && answer.text.contains("taken"), "\(answer.text)")
    }
}
