import Cryptography
import JSON
import OperatorAccess
import Postgres
import TestSupport
import Testing

/// Changes of the clients that operators use.
@Suite("Administration clients", .serialized, .gateway(StepServer.configuration))
struct AdministrationClientTests {
    private static let path = "clients/\(GatewayProcess.consoleClient)"

    private static func because(_ members: JSONObject) -> JSON {
        var members = members
        members["reason"] = "asked for by a test"
        return .object(members)
    }

    private static func row(_ gateway: GatewayProcess) async throws -> String {
        try await gateway.sql { connection in
            try connection.queryOne(
                "select to_jsonb(c)::text from clients c where id = \(GatewayProcess.consoleClient)")?.value(0) ?? ""
        }
    }

    /// Removes the permission from the clients of other tests.
    private static func leaveConsoleAlone(_ gateway: GatewayProcess) async throws {
        try await gateway.change("update clients set audiences = '{account}' where id <> 'console'")
    }

    @Test("F1, F2: an admin cannot change the operators' client or its secret")
    func admin() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let before = try await Self.row(gateway)
        for members: JSONObject in [
            ["disabled": true], ["sign_up_names": ["email"]], ["refresh_idle_seconds": 31_536_000],
            ["access_token_seconds": 3_600], ["linking_policy": "ask"], ["name": "Mine"],
        ] {
            let refused = try await gateway.admin("PATCH", Self.path, Self.because(members), by: admin)
            try await gateway.expectRefusal(refused, 403, "role_too_low", action: "change_client")
        }
        let secret = try await gateway.admin("POST", "\(Self.path)/secret", Self.because([:]), by: admin)
        try await gateway.expectRefusal(secret, 403, "role_too_low", action: "change_client")
        #expect(try await Self.row(gateway) == before)
        #expect(try await gateway.admin("GET", "me", by: admin).status == 200)
    }

    @Test("a sealed secret is the operator's choice, and authenticates its client like a digest")
    func sealedSecret() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let id = "sealed-\(Fresh.text())"
        let made = try await gateway.admin(
            "POST", "clients", Self.because(["id": .string(id), "providers": []]), by: owner)
        #expect(made.status == 201 && made.json["client"]?["secret_kept"] == .null)
        for kept: JSON in ["plain", "", 1, .null, true] {
            let refused = try await gateway.admin(
                "POST", "clients/\(id)/secret", Self.because(["kept": kept]), by: owner)
            try await gateway.expectRefusal(refused, 400, "invalid_request", action: "change_client")
            #expect(refused.json["errors"]?.array?.first?["pointer"] == "/kept")
        }
        for kept in ["sealed", "digest"] {
            let replaced = try await gateway.admin(
                "POST", "clients/\(id)/secret", Self.because(["kept": .string(kept)]), by: owner)
            #expect(replaced.status == 200 && replaced.json["client"]?["secret_kept"]?.string == kept)
            let secret = try #require(replaced.json["secret"]?.string)
            try await poll {
                try await gateway.form("/v1/token/introspect", [("token", "x")], client: id, secret: secret)
                    .status == 200 ? () : nil
            }
            let wrong = try await gateway.form(
                "/v1/token/introspect", [("token", "x")], client: id, secret: secret + "x")
            #expect(wrong.status == 401)
            #expect(try await gateway.audit(replaced).map(\.action) == ["client_secret_replaced"])
        }
    }

    @Test("F1, F2: the last client for administration in use stays; with another one, it can be removed")
    func last() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        try await Self.leaveConsoleAlone(gateway)
        let before = try await Self.row(gateway)
        for members: JSONObject in [
            ["disabled": true], ["audiences": ["account"]], ["audiences": []],
            ["audiences": ["administration"], "disabled": true],
        ] {
            let refused = try await gateway.admin("PATCH", Self.path, Self.because(members), by: owner)
            try await gateway.expectRefusal(refused, 409, "last_administration_client", action: "change_client")
        }
        #expect(try await Self.row(gateway) == before)
        // A disabled client cannot sign anyone in.
        let made = try await gateway.admin(
            "POST", "clients", Self.because(["id": "ops", "audiences": ["administration"], "providers": ["password"]]),
            by: owner)
        #expect(made.status == 201 && made.json["client"]?["sign_up_names"] == [], "\(made.text)")
        func change(_ id: String, _ members: JSONObject) async throws -> TestAnswer {
            try await gateway.admin("PATCH", "clients/\(id)", Self.because(members), by: owner)
        }
        let relaxed = try await change("ops", ["refresh_rotation": "relaxed"])
        try await gateway.expectRefusal(relaxed, 400, "invalid_request", action: "change_client")
        #expect(relaxed.json["errors"]?.array?.first?["pointer"] == "/refresh_rotation")
        let guests = try await change("ops", ["guests": true])
        try await gateway.expectRefusal(guests, 400, "invalid_request", action: "change_client")
        #expect(guests.json["errors"]?.array?.first?["pointer"] == "/guests")
        #expect(try await change("ops", ["disabled": true]).status == 200)
        #expect(try await change("console", ["audiences": []]).code == "last_administration_client")
        #expect(try await change("ops", ["disabled": false]).status == 200)
        #expect(try await change("ops", ["audiences": ["account"]]).status == 200)
        #expect(try await change("ops", ["sign_up_names": ["email"]]).status == 200)
        #expect(try await change("ops", ["guests": true]).json["client"]?["guests"] == true)
        // The permission takes a relaxed rotation and guests away again.
        let kept = try await change("ops", ["refresh_rotation": "relaxed"])
        #expect(kept.json["client"]?["refresh_rotation"] == "relaxed", "\(kept.text)")
        let detail = try await gateway.audit(kept).first { $0.action == "client_changed" }?.detail
        #expect(detail?["before"]?["refresh_rotation"] == "always")
        #expect(detail?["after"]?["refresh_rotation"] == "relaxed")
        let trusted = try await change("ops", ["audiences": ["administration"]])
        #expect(trusted.json["client"]?["refresh_rotation"] == "always", "\(trusted.text)")
        #expect(trusted.json["client"]?["guests"] == false)
        #expect(try await change("ops", ["audiences": ["account"]]).status == 200)
        #expect(try await gateway.admin("GET", "me", by: owner).status == 200)
    }

    @Test("F1, F2: a client for administration allows no sign-up")
    func signUp() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let refused = try await gateway.admin(
            "PATCH", Self.path, Self.because(["sign_up_names": ["email"]]), by: owner)
        try await gateway.expectRefusal(refused, 400, "invalid_request", action: "change_client")
        #expect(refused.json["errors"]?.array?.first?["pointer"] == "/sign_up_names", "\(refused.text)")
        // Nor with a contradicting row. The name shows that the server has read the row.
        try await gateway.change(
            "update clients set sign_up_names = '{email}', name = 'Read again' where id = 'console'")
        _ = try await poll {
            let page = try await gateway.send(TestRequest("GET", "/login?client_id=console"))
            return page.text.contains("Read again") ? () : nil
        }
        let answer = try await gateway.post(
            "/v1/sign-up",
            [
                "client_id": "console", "username": .string(Fresh.email()),
                "password": .string(GatewayProcess.password),
            ])
        #expect(answer.status == 400 && answer.code == "invalid_request", "\(answer.text)")
    }

    private static func audience(of token: String) throws -> [String] {
        let claims = try JSON(parsing: try #require(Base64URL.decode(token.split(separator: ".")[1])))
        return claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string ?? ""]
    }

    @Test("F6: a session from before its client had the permission never administers, refreshed or not")
    func earlier() async throws {
        let gateway = try GatewayProcess.current
        let client = "tools-\(Fresh.text())"
        try await gateway.addClient(client, secret: nil)
        let person = try await gateway.protectedPerson(app: client)
        try await gateway.grant(.owner, to: person.account)
        let old = try await gateway.signIn(person, app: client)
        try await gateway.change("update clients set audiences = '{account,administration}' where id = \(client)")
        // A new session shows that the server has read the change.
        let new = try await poll {
            let new = try await gateway.signIn(person, app: client)
            return try Self.audience(of: new.accessToken).contains { $0.hasSuffix("/admin/api/v1") } ? new : nil
        }
        #expect(try await gateway.admin("GET", "me", by: new).status == 200)
        let pair = try await gateway.refreshed(new.refreshToken)
        #expect(try Self.audience(of: pair.accessToken).contains { $0.hasSuffix("/admin/api/v1") })

        var token = old.refreshToken
        for _ in 0..<2 {
            let pair = try await gateway.refreshed(token)
            token = pair.refreshToken
            let audience = try Self.audience(of: pair.accessToken)
            #expect(audience.count == 2 && audience.first == client, "\(audience)")
            let answer = try await gateway.send(
                TestRequest("GET", "/admin/api/v1/me").bearer(pair.accessToken))
            #expect(answer.status == 403 && answer.code == "audience_not_allowed", "\(answer.text)")
            #expect(try await gateway.get("/v1/account", bearer: pair.accessToken).status == 200)
        }
    }

    @Test("F6: a cookie from before the console's client had the permission opens no page, and a new sign-in does")
    func earlierCookie() async throws {
        let gateway = try GatewayProcess.current
        let person = try await ConsoleOperator(gateway, .owner)
        try await gateway.change("update clients set audiences = '{account}' where id = 'console'")
        let (login, email) = ("/login?client_id=console&return_to=/admin", Fresh.email())
        _ = try await gateway.signUp(email)
        func isForAdministration() async throws -> Bool {
            let session = try SignedInAnswer(
                try await gateway.passwordSignIn(email, GatewayProcess.password, app: GatewayProcess.consoleClient))
            return try Self.audience(of: session.accessToken).contains { $0.hasSuffix("/admin/api/v1") }
        }
        _ = try await poll { try await isForAdministration() ? nil : () }
        let browser = try await PageBrowser.open(gateway, login)
        try await browser.passwordSignIn(person.email, GatewayProcess.password)
        try await browser.submit("/login/step", ["code": ConsoleOperator.code(person.secret, ahead: 1)])
        #expect(try await browser.visit(login).text.contains("/login/continue"))
        try await gateway.change("update clients set audiences = '{account,administration}' where id = 'console'")
        _ = try await poll { try await isForAdministration() ? () : nil }
        let token = try await browser.token()
        #expect(try await !browser.visit(login).text.contains("/login/continue"))
        let continued = try await browser.post("/login/continue", [("form_token", token), ("client_id", "console")])
        #expect(continued.status == 401, "\(continued.text)")
        let answer = try await browser.send(TestRequest("GET", "/admin"))
        #expect(answer.status == 303)
        #expect(answer.header("Location")?.hasPrefix("/login?client_id=console&") == true)
    }

    @Test("F1, F2: on the console the client that operators sign in with is an owner's")
    func pages() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await ConsoleOperator.browser(gateway, .admin)
        let page = "/admin/clients/console"
        try await Self.leaveConsoleAlone(gateway)
        let before = try await Self.row(gateway)
        let shown = try await admin.visit(page)
        #expect(shown.status == 200 && !shown.text.contains("\(page)/change") && !shown.text.contains("\(page)/secret"))
        for path in ["\(page)/change", "\(page)/secret"] {
            let refused = try await admin.visit(path)
            #expect(refused.status == 403, "\(path)")
            let rows = try await gateway.audit(refused)
            #expect(rows.map(\.reason) == ["role_too_low"] && rows.map(\.action) == ["trust_client"])
        }
        let sent = [
            ("form_token", try await admin.token()), ("name", "Mine"), ("origins", ""), ("redirect_uris", ""),
            ("linking_policy", "both_verified"), ("second_factor", "optional"), ("access_token_seconds", "600"),
            ("refresh_idle_seconds", "2592000"), ("refresh_max_seconds", "7776000"), ("disabled", "1"),
        ]
        for extra in [[], [("confirmed", "1"), ("reason", "because I can")]] {
            #expect(try await admin.post("\(page)/change", sent + extra).status == 403)
        }
        #expect(try await admin.post("\(page)/secret", sent + [("reason", "because I can")]).status == 403)
        #expect(try await Self.row(gateway) == before)

        let owner = try await ConsoleOperator.browser(gateway, .owner)
        let own = ("form_token", try await owner.token())
        let asked = try await owner.post("\(page)/change", Array(sent.dropFirst()) + [own])
        #expect(asked.status == 200, "\(asked.text)")
        let refused = try await owner.confirm("nobody uses it")
        #expect(refused.status == 409, "\(refused.text)")
        #expect(
            owner.problem == "At least one app must keep the administration permission. Give it to another app first.")
        #expect(try await Self.row(gateway) == before)
    }
}
