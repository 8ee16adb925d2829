import Cryptography
import Foundation
import JSON
import OperatorAccess
import Postgres
import TestSupport
import Testing

@testable import Clients
@testable import Web

/// The audiences of an app's sessions in addition to its own API, at every front door.
@Suite("Audiences", .gateway(StepServer.configuration))
struct AudienceTests {
    /// A client with only these permissions, loaded by its server.
    private static func client(_ audiences: [String], of gateway: GatewayProcess) async throws -> String {
        let id = "shop-\(Fresh.text())"
        try await gateway.addClient(id, secret: nil)
        try await gateway.change("update clients set audiences = \(audiences) where id = \(id)")
        return id
    }

    private static func claims(of session: SignedInAnswer) throws -> JSON {
        try JSON(parsing: try #require(Base64URL.decode(session.accessToken.split(separator: ".")[1])))
    }

    /// The audience of a token.
    private static func audience(of session: SignedInAnswer) throws -> [String] {
        let audience = try claims(of: session)["aud"]
        return audience?.array?.compactMap(\.string) ?? [audience?.string ?? ""]
    }

    /// Every route of an audience: `GET /v1/account` and so on.
    private static func routes(of audience: Audience) throws -> [(method: String, path: String)] {
        try MountedRoutes.all().sorted().compactMap { route in
            let parts = route.split(separator: " ", maxSplits: 1).map { String($0) }
            let path = parts[1].replacing(/\{[a-z]+\}/, with: UUID().uuidString.lowercased())
            return Audience(path: path) == audience ? (parts[0], path) : nil
        }
    }

    @Test("F1: an owner's token of an app opens no route of the operators' API")
    func administration() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        try await gateway.grant(.owner, to: person.account)
        let app = try await gateway.signIn(person)
        #expect(try app.facts.acr == "2")
        let routes = try Self.routes(of: .administration)
        #expect(routes.count > 30)
        for (method, path) in routes {
            let answer = try await gateway.send(TestRequest(method, path).json([:]).bearer(app.accessToken))
            #expect(answer.status == 403 && answer.code == "audience_not_allowed", "\(method) \(path): \(answer.text)")
        }
        let console = try await gateway.signIn(person, app: GatewayProcess.consoleClient)
        #expect(try await gateway.admin("GET", "me", by: console).json["role"] == "owner")
    }

    @Test("F1: the cookie of another app's sign-in opens no console page, and the console demands its own sign-in")
    func console() async throws {
        let gateway = try GatewayProcess.current
        let person = try await ConsoleOperator(gateway, .owner)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.passwordSignIn(person.email, GatewayProcess.password)
        try await browser.submit("/login/step", ["code": ConsoleOperator.code(person.secret, ahead: 1)])
        #expect(try await browser.visit("/account").status == 200)
        for path in ["/admin", "/admin/audit", "/admin/accounts/\(person.account)"] {
            let answer = try await browser.send(TestRequest("GET", path))
            #expect(answer.status == 303)
            #expect(answer.header("Location")?.hasPrefix("/login?client_id=console&") == true)
        }
        let rows = try await browser.send(TestRequest("GET", "/admin/audit/live/rows"))
        #expect(rows.status == 401 && rows.code == "session_ended")
        let token = try await browser.token()
        let posted = try await browser.send(
            TestRequest("POST", "/admin/accounts/\(person.account)/change").form([
                ("form_token", token), ("do", "disable"), ("reason", "not me"),
            ]))
        #expect(posted.status == 303 && posted.header("Location")?.hasPrefix("/login?client_id=console&") == true)
    }

    @Test("F1: tokens and introspection state their audience")
    func named() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let app = try await gateway.signUp(email)
        let issuer = try #require(try Self.claims(of: app)["iss"]?.string)
        let account = issuer + "/v1/account"
        #expect(try Self.audience(of: app) == ["app", account])
        let told = try await gateway.introspect(app.accessToken)
        #expect(told.json["aud"] == ["app", .string(account)])
        let console = try SignedInAnswer(
            try await gateway.passwordSignIn(email, GatewayProcess.password, app: GatewayProcess.consoleClient))
        #expect(try Self.audience(of: console) == ["console", account, issuer + "/admin/api/v1"])
        let reader = try await Self.client([], of: gateway)
        _ = try await poll {
            let session = try SignedInAnswer(
                try await gateway.passwordSignIn(email, GatewayProcess.password, app: reader))
            return try Self.audience(of: session) == [reader] ? () : nil
        }
    }

    @Test("F1: an app without the permission manages no account, and still has its session")
    func account() async throws {
        let gateway = try GatewayProcess.current
        let (email, reader) = (Fresh.email(), try await Self.client([], of: gateway))
        _ = try await gateway.signUp(email)
        let session = try await poll {
            let session = try SignedInAnswer(
                try await gateway.passwordSignIn(email, GatewayProcess.password, app: reader))
            return try Self.audience(of: session) == [reader] ? session : nil
        }
        let routes = try Self.routes(of: .account)
        #expect(routes.count > 25)
        for (method, path) in routes {
            let answer = try await gateway.send(TestRequest(method, path).json([:]).bearer(session.accessToken))
            #expect(answer.status == 403 && answer.code == "audience_not_allowed", "\(method) \(path): \(answer.text)")
        }
        let subject = Fresh.subject("google")
        let minted = try await gateway.simulator.mint("google", ["subject": .string(subject)])
        let beside = try await gateway.signIn(minted, app: reader, bearer: session.accessToken)
        try await gateway.expectRefusal(beside, 403, "audience_not_allowed", provider: "google")
        try await gateway.expectNobody("google", subject)
        #expect(try await gateway.signOut(session.accessToken, scope: "global").code == "audience_not_allowed")
        #expect(try await gateway.checkSession(session.accessToken).status == 200)
        #expect(try await gateway.signOut(session.accessToken).status == 204)
    }

    @Test("F1: the account pages refuse the cookie of an app without the permission")
    func accountPages() async throws {
        let gateway = try GatewayProcess.current
        let (email, reader) = (Fresh.email(), try await Self.client([], of: gateway))
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.open(gateway, "/login?client_id=\(reader)")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        let page = try await poll {
            let page = try await browser.visit("/account")
            return page.status == 403 ? page : nil
        }
        #expect(page.text.contains("Sessions of the app you signed in with"), "\(page.text)")
        let token = try await browser.token()
        for path in [
            "/account/profile", "/account/password", "/account/factors", "/account/addresses", "/account/export",
            "/account/delete", "/account/merge",
        ] {
            let refused = try await browser.post(path, [("form_token", token), ("display_name", "Eve")])
            #expect(refused.status == 403, "\(path)")
            #expect(try await gateway.audit(refused).map(\.reason) == ["audience_not_allowed"], "\(path)")
        }
        #expect(try await browser.visit("/account/delete").status == 403)
        for section in AccountSection.allCases {
            #expect(try await browser.visit(section.address).status == 403, "\(section)")
        }
        #expect(try await browser.visit("/account/merge?ticket=x").status == 403)
    }

    @Test("F1: a removed permission ends for existing tokens")
    func withdrawn() async throws {
        let gateway = try GatewayProcess.current
        let (email, client) = (Fresh.email(), try await Self.client(["account"], of: gateway))
        _ = try await gateway.signUp(email)
        let session = try SignedInAnswer(
            try await gateway.passwordSignIn(email, GatewayProcess.password, app: client))
        #expect(try await gateway.get("/v1/account", bearer: session.accessToken).status == 200)
        try await gateway.change("update clients set audiences = '{}' where id = \(client)")
        _ = try await poll {
            try await gateway.get("/v1/account", bearer: session.accessToken).code == "audience_not_allowed" ? () : nil
        }
        try await gateway.change("update clients set audiences = '{account,administration}' where id = \(client)")
        _ = try await poll {
            try await gateway.get("/v1/account", bearer: session.accessToken).status == 200 ? () : nil
        }
        // The token is older and gains nothing.
        #expect(try await gateway.admin("GET", "me", by: session).code == "audience_not_allowed")
    }

    @Test(
        "F1: a page of an app's origin may not call the operators' API, nor account management without the permission")
    func origins() async throws {
        let gateway = try GatewayProcess.current
        let client = try await Self.client([], of: gateway)
        let own = "https://\(client).example.com"
        try await gateway.change("update clients set origins = \([own]) where id = \(client)")
        func asked(_ path: String, _ origin: String) async throws -> Int {
            try await gateway.send(
                TestRequest("OPTIONS", path).header("Origin", origin).header("Access-Control-Request-Method", "GET")
            ).status
        }
        _ = try await poll { try await asked("/v1/session", own) == 204 ? () : nil }
        #expect(try await asked("/v1/account", own) == 403)
        #expect(try await asked("/v1/account", Deployment.origin) == 204)
        for origin in [own, Deployment.origin] {
            #expect(try await asked("/admin/api/v1/accounts", origin) == 403)
            let answer = try await gateway.send(TestRequest("GET", "/admin/api/v1/me").header("Origin", origin))
            #expect(answer.header("Access-Control-Allow-Origin") == nil)
        }
    }

    @Test("F1: a posted provider token does not open administration")
    func broughtTokens() async throws {
        let gateway = try GatewayProcess.current
        for provider in ["apple", "google", "cognito", "amazon", "microsoft"] {
            let answer = try await gateway.signIn(provider, app: GatewayProcess.consoleClient)
            try await gateway.expectRefusal(answer, 403, "provider_not_allowed", provider: provider)
        }
    }
}
