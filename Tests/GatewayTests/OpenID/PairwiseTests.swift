import Cryptography
import Foundation
import JSON
import Postgres
import Testing

/// Subjects that only the apps of one sector share (OpenID Connect Core §8).
extension OpenIDTests {
    private static let settings: JSONObject = ["subject_type": "pairwise"]

    /// A party on a host of its own.
    private static func party(_ more: JSONObject = [:]) async throws -> (party: RelyingParty, address: String) {
        let address = "https://\(Fresh.text()).example/cb"
        var openID = settings
        for member in more.members { openID[member.name] = member.value }
        return (try await RelyingParty.register(openID, redirects: [address]), address)
    }

    private static func account(of visitor: Visitor) async throws -> String {
        let email = visitor.email
        return try await GatewayProcess.current.sql { connection in
            try connection.row("select account_id::text from account_emails where address_key = \(email)").value(0)
        }
    }

    private static func payload(_ token: String?) throws -> JSON {
        let parts = try #require(token).split(separator: ".")
        return try JSON(parsing: try #require(Base64URL.decode(parts[1])))
    }

    @Test("An app with pairwise subjects sees one sub everywhere, and the account's id nowhere")
    func oneSubject() async throws {
        let party = try await RelyingParty.register(Self.settings)
        let gateway = party.gateway
        let visitor = try await Visitor.arrive()
        let tokens = try await party.tokens(
            try await visitor.signIn(party.request(["scope": "openid profile email offline_access"])))
        let (subject, account) = (
            try #require(tokens.claims["sub"]?.string), try await Self.account(of: visitor)
        )
        #expect(subject.utf8.count == 43 && subject != account)
        func inspect(_ token: String) async throws -> TestAnswer {
            try await gateway.form(
                "/v1/token/introspect", [("token", token)], client: party.id, secret: party.secret)
        }
        let (info, access, refresh) = (
            try await party.userInfo(tokens.access), try await inspect(tokens.access),
            try await inspect(tokens.refresh)
        )
        let renewed = try await gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh)], client: party.id,
            secret: party.secret)
        let bodies = [
            try Self.payload(tokens.access), .object(tokens.claims), info.json, access.json, refresh.json,
            try Self.payload(renewed.json["access_token"]?.string), try Self.payload(renewed.json["id_token"]?.string),
        ]
        for body in bodies + [tokens.json, renewed.json] { #expect(!body.text.contains(account), "\(body.text)") }
        for body in bodies { #expect(body["sub"]?.string == subject, "\(body.text)") }
        #expect(access.json["active"] == true && refresh.json["active"] == true)
        // Its access token ends the session, as every other one does.
        _ = try await gateway.form(
            "/v1/token/revoke", [("token", tokens.access)], client: party.id, secret: party.secret)
        #expect(try await party.userInfo(tokens.access).status == 401)
    }

    @Test("Apps of one sector know a user by the same sub, and those of another one by another")
    func sectors() async throws {
        let (one, two) = (
            try await RelyingParty.register(Self.settings), try await RelyingParty.register(Self.settings)
        )
        let (other, address) = try await Self.party()
        let visitor = try await Visitor.arrive()
        let first = try await one.tokens(try await visitor.signIn(one.request()))
        try await visitor.browser.visit(two.request())
        let second = try await two.tokens(visitor.browser)
        try await visitor.browser.visit(other.request(["redirect_uri": address]))
        let third = try await other.tokens(visitor.browser, ["redirect_uri": address])
        #expect(first.claims["sub"] == second.claims["sub"] && first.claims["sub"] != third.claims["sub"])
        // The hosted sign-in page hands over the same session.
        try await visitor.browser.visit(one.request().replacing("/authorize?", with: "/login?"))
        #expect(try await one.tokens(visitor.browser).claims["sub"] == first.claims["sub"])
    }

    @Test("A merge changes no sub of the kept account, and keeps what other apps saw of the absorbed one")
    func merged() async throws {
        let party = try await RelyingParty.register(Self.settings)
        let (other, address) = try await Self.party()
        let (ann, bob) = (try await Visitor.arrive(), try await Visitor.arrive())
        let before = try await party.tokens(try await ann.signIn(party.request())).claims["sub"]
        let bobs = try await party.tokens(try await bob.signIn(party.request())).claims["sub"]
        try await bob.browser.visit(other.request(["redirect_uri": address]))
        let elsewhere = try await other.tokens(bob.browser, ["redirect_uri": address]).claims["sub"]
        let (kept, absorbed) = (try await Self.account(of: ann), try await Self.account(of: bob))
        try await party.gateway.change(
            """
            select merge_accounts(gen_random_uuid(), \(kept)::uuid, \(absorbed)::uuid, null, false, null, null, 'test')
            """)
        try await ann.browser.visit(party.request())
        #expect(try await party.tokens(ann.browser).claims["sub"] == before && before != bobs)
        try await ann.browser.visit(other.request(["redirect_uri": address]))
        #expect(try await other.tokens(ann.browser, ["redirect_uri": address]).claims["sub"] == elsewhere)
    }

    @Test("A hint and the claim sub count as the app itself knows the user, so no sector learns of another")
    func hints() async throws {
        let party = try await RelyingParty.register(Self.settings)
        let (other, address) = try await Self.party()
        let (ann, bob) = (try await Visitor.arrive(), try await Visitor.arrive())
        let tokens = try await party.tokens(try await ann.signIn(party.request()))
        let bobs = try await party.tokens(try await bob.signIn(party.request()))
        try await ann.browser.visit(other.request(["redirect_uri": address]))
        let foreign = try await other.tokens(ann.browser, ["redirect_uri": address])
        let account = try await Self.account(of: ann)
        func silent(_ changes: [String: String?]) async throws -> [String: String] {
            try await ann.browser.visit(party.request(["prompt": "none"].merging(changes) { $1 }))
            return ann.browser.departureQuery
        }
        func claims(_ sub: String) -> String { "{\"id_token\": {\"sub\": {\"value\": \"\(sub)\"}}}" }
        #expect(try await silent(["id_token_hint": tokens.idToken])["code"] != nil)
        #expect(try await silent(["claims": claims(tokens.claims["sub"]?.string ?? "")])["code"] != nil)
        for changes in [
            ["id_token_hint": bobs.idToken], ["id_token_hint": foreign.idToken], ["claims": claims(account)],
            ["claims": claims(foreign.claims["sub"]?.string ?? "")],
        ] as [[String: String?]] {
            #expect(try await silent(changes)["error"] == "login_required", "\(changes)")
        }
        try await ann.browser.visit("/end-session?id_token_hint=\(bobs.idToken)")
        #expect(try await silent([:])["code"] != nil)
        try await ann.browser.visit("/end-session?id_token_hint=\(tokens.idToken)")
        #expect(try await silent([:])["error"] == "login_required")
    }

    @Test("An app with pairwise subjects has no /v1 of its own, whose answers name accounts")
    func withoutAPI() async throws {
        let party = try await RelyingParty.register(Self.settings)
        let gateway = party.gateway
        let visitor = try await Visitor.arrive()
        let tokens = try await party.tokens(try await visitor.signIn(party.request()))
        for path in ["/v1/session", "/v1/account", "/v1/account/sessions"] {
            let answer = try await gateway.send(TestRequest("GET", path).bearer(tokens.access))
            #expect(answer.status == 403 && answer.json["code"] == "audience_not_allowed", "\(answer.text)")
        }
        let credential: JSON = ["username": .string(visitor.email), "password": "wrong"]
        let signIn: JSON = ["provider": "password", "client_id": .string(party.id), "credential": credential]
        let refused = try await gateway.send(TestRequest("POST", "/v1/sign-in").json(signIn))
        #expect(refused.status == 403 && refused.json["code"] == "audience_not_allowed", "\(refused.text)")
        let out = TestRequest("POST", "/v1/sign-out").bearer(tokens.access)
        #expect(try await gateway.send(out.json(["scope": "local"])).status == 204)
        #expect(try await party.userInfo(tokens.access).status == 401)
    }

    @Test("A token for a resource has the subject of its sector, whichever app asks and however it is got")
    func resources() async throws {
        func server(_ clients: JSON) async throws -> (party: RelyingParty, identifier: String) {
            let identifier = "https://\(Fresh.text()).example/api"
            let resource: JSON = ["identifier": .string(identifier), "name": "API", "clients": clients]
            return (try await Self.party(["resources": [resource]]).party, identifier)
        }
        let (files, filesAPI) = try await server(["*"])
        let (days, daysAPI) = try await server(["*", .string(files.id)])
        let (app, other) = (try await RelyingParty.register(), try await RelyingParty.register(Self.settings))
        let visitor = try await Visitor.arrive()
        try await visitor.signIn(app.request())
        func token(_ party: RelyingParty, _ resource: String) async throws -> TokenAnswer {
            try await visitor.browser.visit(party.request(["resource": resource]))
            return try await party.tokens(visitor.browser)
        }
        let first = try await token(app, filesAPI)
        let subject = try Self.payload(first.access)["sub"]
        let account = try await Self.account(of: visitor)
        #expect(first.claims["sub"]?.string == account && subject?.string?.utf8.count == 43)
        #expect(try await Self.payload(token(other, filesAPI).access)["sub"] == subject)
        let there = try await Self.payload(token(other, daysAPI).access)["sub"]
        #expect(there != subject && there?.string != account)
        let seen = try await files.gateway.form(
            "/v1/token/introspect", [("token", first.access)], client: files.id, secret: files.secret)
        #expect(seen.json["active"] == true && seen.json["sub"] == subject, "\(seen.text)")
        let renewed = try await app.gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("refresh_token", first.refresh)], client: app.id,
            secret: app.secret)
        #expect(try Self.payload(renewed.json["access_token"]?.string)["sub"] == subject)
        let exchanged = try await days.gateway.form(
            "/v1/token",
            [
                ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("subject_token", first.access),
                ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"), ("resource", daysAPI),
            ], client: files.id, secret: files.secret)
        #expect(try Self.payload(exchanged.json["access_token"]?.string)["sub"] == there, "\(exchanged.text)")
    }

    @Test("A resource without a sector gets the subject that the asking app has, never the id that it must not see")
    func openResource() async throws {
        let identifier = "https://\(Fresh.text()).example/api"
        let resource: JSON = ["identifier": .string(identifier), "name": "API", "clients": ["*"]]
        let server = try await RelyingParty.register(["resources": [resource]])
        let party = try await RelyingParty.register(Self.settings)
        let visitor = try await Visitor.arrive()
        let tokens = try await party.tokens(try await visitor.signIn(party.request(["resource": identifier])))
        #expect(try Self.payload(tokens.access)["sub"] == tokens.claims["sub"])
        let seen = try await server.gateway.form(
            "/v1/token/introspect", [("token", tokens.access)], client: server.id, secret: server.secret)
        #expect(seen.json["active"] == true && seen.json["sub"] == tokens.claims["sub"], "\(seen.text)")
    }

    @Test("The metadata name both kinds of subjects")
    func subjectTypes() async throws {
        let json = try await GatewayProcess.current.get("/.well-known/openid-configuration").json
        #expect(json["subject_types_supported"] == ["public", "pairwise"])
    }
}
