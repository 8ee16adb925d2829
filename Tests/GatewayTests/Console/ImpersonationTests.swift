import Cryptography
import Foundation
import JSON
import OperatorAccess
import Postgres
import TestSupport
import Testing

/// An operator who acts for a user: marked, short, and without a change.
@Suite("Impersonation", .gateway()) struct ImpersonationTests {
    /// A browser in which an operator acts for a user, and both accounts.
    private static func acting() async throws -> (browser: PageBrowser, operator: String, user: String) {
        let gateway = try GatewayProcess.current
        let user = try await gateway.signUp(Fresh.email()).account
        let admin = try await ConsoleOperator(gateway, .admin)
        let browser = try await admin.open()
        try await browser.visit("/admin/accounts/\(user)/change?do=impersonate")
        try await browser.confirm("ticket 4711")
        return (browser, admin.account, user)
    }

    private static func claims(_ token: String) throws -> JSON {
        try JSON(parsing: try #require(Base64URL.decode(token.split(separator: ".")[1])))
    }

    @Test("Apps get tokens that name the operator, end with the impersonation, and every row and page says so")
    func course() async throws {
        let gateway = try GatewayProcess.current
        let (browser, admin, user) = try await Self.acting()
        #expect(browser.page.text.contains("id=\"impersonation\"") && browser.page.status == 200)
        let party = try await RelyingParty.register()
        try await browser.visit(party.request(["scope": "openid offline_access", "acr_values": "2"]))
        let tokens = try await party.tokens(browser)
        #expect(tokens.claims["sub"]?.string == user && tokens.claims["act"]?["sub"]?.string == admin)
        #expect(tokens.claims["acr"] == "0")
        let access = try Self.claims(tokens.access)
        #expect(access["act"]?["sub"]?.string == admin && access["idp"] == "operator")
        let refreshed = try await gateway.form(
            "/v1/token", [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh)], client: party.id,
            secret: party.secret)
        let second = try Self.claims(try #require(refreshed.json["access_token"]?.string, "\(refreshed.text)"))
        #expect(second["act"]?["sub"]?.string == admin)
        // No longer than the impersonation, whatever the app's own limits and `offline_access` say.
        let longest = try #require(refreshed.json["refresh_expires_in"]?.integer)
        #expect(longest <= 1_800)
        let renewed = try Self.claims(try #require(refreshed.json["id_token"]?.string, "\(refreshed.text)"))
        for token in [.object(tokens.claims), access, renewed, second] as [JSON] {
            let (end, start) = (try #require(token["exp"]?.integer), try #require(token["iat"]?.integer))
            #expect(end > start && end - start <= 1_800, "\(token)")
        }
        let rows = try await gateway.audit(account: user).filter { $0.actor == admin }
        #expect(
            Set(rows.map(\.action)).isSuperset(of: ["impersonation_begun", "app_signed_in", "handed_over", "refreshed"])
        )
        #expect(rows.first { $0.action == "impersonation_begun" }?.words == "ticket 4711")
        let notices = try await gateway.count(
            "select count(*) from outbox where account_id = \(user)::uuid and kind = 'notice.impersonation_begun'")
        #expect(notices <= 1)
        try await browser.visit("/account")
        try await browser.submit("/admin/end-impersonation")
        #expect(browser.page.status == 200 && browser.offered.contains("impersonate"), "\(browser.page.text)")
        #expect(!browser.page.text.contains("id=\"impersonation\""))
        #expect(try await party.userInfo(tokens.access).status == 401)
    }

    @Test("The end brings back nothing that is no session cookie of this service")
    func forgedCookie() async throws {
        let (browser, _, _) = try await Self.acting()
        for forged in ["x", String(repeating: "A", count: 86)] {
            browser.setCookie("__Host-operator", forged)
            let form = [("form_token", try await browser.token())]
            let ended = try await browser.send(TestRequest("POST", "/admin/end-impersonation").form(form))
            #expect(ended.status == 303)
            #expect(browser.cookies["__Host-operator"] == nil)
            #expect(browser.cookies["__Host-session"] == nil, "\(forged)")
        }
    }

    @Test("The operator sees the account and changes nothing, on pages and by the API")
    func readOnly() async throws {
        let gateway = try GatewayProcess.current
        let (browser, _, _) = try await Self.acting()
        let token = try await browser.token()
        for path in [
            "/account/profile", "/account/password", "/account/factors", "/account/addresses", "/account/export",
            "/account/delete",
        ] {
            let refused = try await browser.post(path, [("form_token", token), ("display_name", "Eve")])
            #expect(refused.status == 403, "\(path)")
            #expect(try await gateway.audit(refused).map(\.reason) == ["operator_acts"], "\(path)")
        }
        let global = try await browser.post("/logout", [("form_token", token), ("scope", "global")])
        #expect(global.status == 403)
        try await browser.visit("/account")
        #expect(browser.page.status == 200)
        let party = try await RelyingParty.register()
        try await browser.visit(party.request())
        let access = try await party.tokens(browser).access
        #expect(try await gateway.get("/v1/account", bearer: access).status == 200)
        let changed = try await gateway.send(
            TestRequest("PATCH", "/v1/account").bearer(access).json(["display_name": "Eve"]))
        #expect(changed.status == 403 && changed.code == "operator_acts", "\(changed.text)")
        #expect(try await gateway.signOut(access, scope: "global").code == "operator_acts")
        #expect(try await gateway.get("/admin/api/v1/me", bearer: access).status == 403)
        #expect(try await gateway.signOut(access, scope: "local").status == 204)
    }

    @Test("An operator's agreement is not the user's, and the console does not open")
    func noConsent() async throws {
        let (browser, _, _) = try await Self.acting()
        let party = try await RelyingParty.register(["third_party": true])
        try await browser.visit(party.request())
        #expect(browser.departureQuery["error"] == "access_denied")
        try await browser.visit("/admin")
        #expect(browser.page.forms.contains { $0.action == "/login/password" } || browser.title.contains("Sign in"))
    }

    @Test("Nobody acts for an operator, a guest or a closed account, nor below the role of an administrator")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let user = try await gateway.signUp(Fresh.email()).account
        let support = try await ConsoleOperator.browser(gateway, .support)
        try await support.visit("/admin/accounts/\(user)/change?do=impersonate")
        #expect(support.page.status == 403)
        let other = try await ConsoleOperator(gateway, .viewer).account
        let owner = try await ConsoleOperator.browser(gateway, .owner)
        try await owner.visit("/admin/accounts/\(other)")
        #expect(!owner.offered.contains("impersonate"))
        try await owner.visit("/admin/accounts/\(other)/change?do=impersonate")
        let answer = try await owner.confirm()
        #expect(answer.status == 409)
    }

    @Test("A withdrawn role ends what the operator does for others")
    func withdrawn() async throws {
        let gateway = try GatewayProcess.current
        let (browser, admin, _) = try await Self.acting()
        let party = try await RelyingParty.register()
        try await browser.visit(party.request())
        let access = try await party.tokens(browser).access
        let id = try #require(UUID(uuidString: admin))
        let refusal: String? = try await gateway.sql { connection in
            try connection.queryOne("select withdraw_role(\(id), null, 'test')")?.value(0)
        }
        #expect(refusal == nil)
        _ = try await poll { try await party.userInfo(access).status == 401 ? () : nil }
    }

    @Test("A tool exchanges the operator's token for one of the user, with a reason, and gets no refresh token")
    func exchange() async throws {
        let gateway = try GatewayProcess.current
        let user = try await gateway.signUp(Fresh.email()).account
        let tool = try await RelyingParty.register()
        try await gateway.change("update clients set audiences = '{account,administration}' where id = \(tool.id)")
        try await gateway.addClient("after-audience-\(tool.id)", secret: nil)
        let person = try await gateway.protectedPerson()
        try await gateway.grant(.admin, to: person.account)
        let browser = try await PageBrowser.open(gateway, tool.request())
        try await browser.passwordSignIn(person.email)
        try await browser.submit("/login/step", ["code": try await gateway.freshCode(person)])
        let own = try await tool.tokens(browser).access
        func ask(_ changes: [String: String?] = [:], by client: RelyingParty) async throws -> TestAnswer {
            let usual: [String: String?] = [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": own,
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token", "requested_subject": user,
                "reason": "ticket 4711",
            ]
            let sent = usual.merging(changes) { _, new in new }
            return try await gateway.form(
                "/v1/token", sent.compactMap { name, value in value.map { (name, $0) } }, client: client.id,
                secret: client.secret)
        }
        let answer = try await ask(by: tool)
        let token = try #require(answer.json["access_token"]?.string, "\(answer.text)")
        let claims = try Self.claims(token)
        #expect(claims["sub"]?.string == user && claims["act"]?["sub"]?.string == person.account)
        #expect(answer.json["refresh_token"] == nil && answer.json["id_token"] == nil)
        #expect(try await gateway.get("/v1/account", bearer: token).status == 200)
        for (change, code) in [
            (["reason": nil] as [String: String?], "invalid_request"),
            (["requested_subject": "ann"], "invalid_request"),
            (["requested_subject": person.account], "own_account"), (["subject_token": token], "audience_not_allowed"),
        ] {
            let refused = try await ask(change, by: tool)
            #expect(refused.status == 400 && refused.json["code"]?.string == code, "\(change) \(refused.text)")
        }
        let stranger = try await RelyingParty.register()
        #expect(try await ask(by: stranger).json["access_token"] == nil)
    }
}
