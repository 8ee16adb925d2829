import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Grants to other makers' apps.
extension OpenIDTests {
    private static let foreign: JSONObject = ["third_party": true]

    /// Presses the button of the consent page.
    private static func allow(_ browser: PageBrowser) async throws {
        let form = try #require(browser.page.forms.first { $0.action == "/authorize/answer" }, "\(browser.page.text)")
        try await browser.post("/authorize/answer", form.fields + [("decision", "allow")])
    }

    @Test("Another maker's app gets what the user allows, is not asked about again, and loses it within a second")
    func consent() async throws {
        let party = try await RelyingParty.register(Self.foreign)
        let visitor = try await Visitor.arrive()
        let asked = party.request(["scope": "openid email profile"])
        try await visitor.signIn(asked)
        #expect(visitor.browser.page.text.contains("rp.example"))
        try await Self.allow(visitor.browser)
        let tokens = try await party.tokens(visitor.browser)
        #expect(tokens.claims["email"]?.string == visitor.email)
        try await visitor.browser.visit(asked + "&prompt=none")
        _ = try await party.tokens(visitor.browser)
        // More than was granted is asked about.
        try await visitor.browser.visit(party.request(["scope": "openid email profile phone"]))
        #expect(visitor.browser.page.forms.contains { $0.action == "/authorize/answer" })
        let account = try #require(tokens.claims["sub"]?.string)
        let revoked: Bool? = try await party.gateway.sql {
            try $0.queryOne("select revoke_grant(\(account)::uuid, \(party.id), null, 'test')")?.value(0)
        }
        #expect(revoked == true)
        try await poll { try await party.userInfo(tokens.access).status == 401 ? () : nil }
        #expect(
            try await visitor.browser.visit(asked + "&prompt=none").header("Location")?.contains("consent_required")
                == true)
    }

    @Test("A scope that the user unticks is not granted, also as a single claim; declining gives the app an error")
    func lessOrNothing() async throws {
        let party = try await RelyingParty.register(Self.foreign)
        let visitor = try await Visitor.arrive()
        let claims = "{\"userinfo\": {\"email\": null}}"
        try await visitor.signIn(party.request(["scope": "openid email profile", "claims": claims]))
        let form = try #require(visitor.browser.page.forms.first { $0.action == "/authorize/answer" })
        let fields = form.fields.filter { $0.0 != "scope_email" } + [("decision", "allow")]
        try await visitor.browser.post("/authorize/answer", fields)
        let tokens = try await party.tokens(visitor.browser)
        #expect(tokens.json["scope"] == "openid profile" && tokens.claims["email"] == nil)
        #expect(try await party.userInfo(tokens.access).json["email"] == nil)

        try await visitor.browser.visit(party.request(["scope": "openid email"]))
        let again = try #require(visitor.browser.page.forms.first { $0.action == "/authorize/answer" })
        try await visitor.browser.post("/authorize/answer", again.fields + [("decision", "decline")])
        #expect(
            visitor.browser.departureQuery["error"] == "access_denied"
                && visitor.browser.departureQuery["state"] == "st")
        // The declined request is over.
        let late = try await visitor.browser.post("/authorize/answer", again.fields + [("decision", "allow")])
        #expect(late.status >= 400)
    }

    @Test("A form of another browser or without its token grants nothing, and a GET never does")
    func forged() async throws {
        let party = try await RelyingParty.register(Self.foreign)
        let (ann, eve) = (try await Visitor.arrive(), try await Visitor.arrive())
        try await ann.signIn(party.request())
        let form = try #require(ann.browser.page.forms.first { $0.action == "/authorize/answer" })
        try await eve.signIn(party.request())
        let fields = form.fields + [("decision", "allow")]
        for answer in [
            try await eve.browser.post("/authorize/answer", fields),
            try await ann.browser.post("/authorize/answer", fields.filter { $0.0 != "form_token" }),
            try await ann.browser.visit("/authorize/answer?r=x&decision=allow"),
        ] {
            #expect(answer.status >= 400 && answer.header("Location") == nil)
        }
    }

    @Test("The hosted sign-in page is no way around the consent, with a session and without")
    func hostedPage() async throws {
        let party = try await RelyingParty.register(Self.foreign)
        let visitor = try await Visitor.arrive()
        let asked = party.request().replacing("/authorize?", with: "/login?")
        try await visitor.signIn(asked)
        #expect(visitor.browser.departure == nil)
        try await visitor.browser.visit(asked)
        #expect(visitor.browser.departure == nil)
        try await Self.allow(visitor.browser)
        _ = try await party.tokens(visitor.browser)
    }

    @Test("The tokens of another maker's app open neither account nor session, and nobody signs in to it under /v1")
    func foreignWithoutAPI() async throws {
        let party = try await RelyingParty.register(Self.foreign)
        let gateway = party.gateway
        let visitor = try await Visitor.arrive()
        try await visitor.signIn(party.request())
        try await Self.allow(visitor.browser)
        let tokens = try await party.tokens(visitor.browser)
        let calls = [
            ("GET", "/v1/account"), ("PATCH", "/v1/account"), ("DELETE", "/v1/account"), ("GET", "/v1/session"),
            ("GET", "/v1/account/grants"),
        ]
        for (method, path) in calls {
            let answer = try await gateway.send(TestRequest(method, path).bearer(tokens.access).json([:]))
            #expect(answer.status == 403 && answer.code == "audience_not_allowed", "\(path) \(answer.text)")
        }
        #expect(try await party.userInfo(tokens.access).status == 200)
        let credential: JSON = ["username": .string(visitor.email), "password": "wrong"]
        let signIn: JSON = ["provider": "password", "client_id": .string(party.id), "credential": credential]
        let refused = try await gateway.send(TestRequest("POST", "/v1/sign-in").json(signIn))
        #expect(refused.status == 403 && refused.code == "audience_not_allowed", "\(refused.text)")
        // The browser's own session still manages the account.
        try await visitor.browser.visit("/account")
        #expect(visitor.browser.page.status == 200)
    }

    @Test("A token from before an app became another maker's opens nothing any more")
    func becameForeign() async throws {
        let party = try await RelyingParty.register([:])
        let visitor = try await Visitor.arrive()
        try await visitor.signIn(party.request())
        let access = try await party.tokens(visitor.browser).access
        #expect(try await party.gateway.get("/v1/account", bearer: access).status == 200)
        try await party.gateway.change("update clients set openid = '{\"third_party\": true}' where id = \(party.id)")
        _ = try await poll { try await party.gateway.get("/v1/account", bearer: access).status == 403 ? () : nil }
    }

    @Test("A public app on a loopback address is asked every time")
    func loopback() async throws {
        let address = "http://127.0.0.1/cb"
        let party = try await RelyingParty.register(Self.foreign, isPublic: true, redirects: [address])
        let visitor = try await Visitor.arrive()
        for port in [51_789, 51_790] {
            try await visitor.browser.visit(party.request(["redirect_uri": "http://127.0.0.1:\(port)/cb"]))
            if visitor.browser.page.text.contains("name=\"username\"") {
                try await visitor.browser.passwordSignIn(visitor.email)
            }
            try await Self.allow(visitor.browser)
            #expect(visitor.browser.departure?.hasPrefix("http://127.0.0.1:\(port)/cb?code=") == true)
        }
    }
}
