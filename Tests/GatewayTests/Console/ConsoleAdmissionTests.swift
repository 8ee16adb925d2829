import Foundation
import Operators
import Postgres
import Testing

@testable import OperatorAccess

/// Access to the console, the return to the requested page, and the rights of each role.
@Suite(.gateway())
struct ConsoleAdmissionTests {
    @Test("Without a session the page leads to a sign-in with the second factor, and back")
    func signIn() async throws {
        let gateway = try GatewayProcess.current
        let somebody = try await gateway.signUp(Fresh.email()).account
        let wanted = "/admin/accounts/\(somebody)?before=999999"
        let first = try await PageBrowser.open(gateway, "/login").send(TestRequest("GET", wanted))
        #expect(first.status == 303)
        #expect(
            first.header("Location")?.hasPrefix("/login?client_id=console&return_to=%2Fadmin%2Faccounts%2F") == true)
        let browser = try await ConsoleOperator(gateway, .viewer).open(wanted)
        #expect(browser.page.status == 200)
        #expect(browser.page.text.contains(somebody))
    }

    @Test("A role demands a second factor, and a missing one is set up during the sign-in")
    func setUp() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        try await gateway.grant(.viewer, to: try await gateway.signUp(email).account)
        let browser = try await PageBrowser.open(gateway, "/admin")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        #expect(browser.title == "Protect your account")
    }

    @Test("A session with one factor is asked for the other, and returns")
    func stepUp() async throws {
        let gateway = try GatewayProcess.current
        let person = try await ConsoleOperator(gateway, .viewer)
        let browser = try await person.open()
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                update sessions set acr = '1', amr = '{pwd}', proofs = jsonb_build_array(proofs->0)
                 where account_id = \(UUID(uuidString: person.account)) and ended_at is null
                """)
        }
        let asked = try await browser.visit("/admin/operators")
        #expect(browser.title == "Code from your app")
        // Different threads write the refusal and the step-up, in any order.
        #expect(try await gateway.audit(asked, atLeast: 2).contains { $0.reason == "step_up_required" })
        #expect(browser.page.forms.first?.fields.contains { $0 == ("return_to", "/admin/operators") } == true)
    }

    @Test("Without a role every page is refused")
    func strangers() async throws {
        let gateway = try GatewayProcess.current
        let person = try await ConsoleOperator(gateway, nil)
        let browser = try await person.open()
        for path in ["/admin", "/admin/operators", "/admin/accounts/\(person.account)"] {
            let answer = try await browser.visit(path)
            #expect(answer.status == 403)
            #expect(answer.text.contains("You need an operator role"))
            #expect(try await gateway.audit(answer).map(\.reason) == ["not_an_operator"])
        }
    }

    @Test(
        "W-05 only pages of the console are return targets",
        arguments: [
            "//evil.example", "/%5Cevil.example", "%2F%2Fevil.example", "https%3A%2F%2Fevil.example",
            "/admin%2F..%2Flogin",
            "%09//evil.example", "/account", "/admin%0D%0AX:%20y",
        ])
    func returns(_ spelled: String) async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.get("/login?return_to=\(spelled)")
        #expect(answer.status == 400)
        let document = try HTMLDocument(answer.body)
        let targets = document.elements.flatMap { Array($0.attributes.values) }
        #expect(targets.allSatisfy { !$0.contains("evil") })
    }

    /// The actions that each role sees for an account with a password, a provider and a session.
    @Test(
        "A role is offered its actions, and posting others is refused",
        arguments: [
            (.viewer, []),
            (.support, ["disable", "require_reset", "require_proof", "end_session", "end_sessions", "unlink"]),
            (
                .admin,
                [
                    "disable", "require_reset", "require_proof", "end_session", "end_sessions", "unlink", "move",
                    "link", "merge", "split", "export_account", "delete_account", "demand_second_factor",
                    "impersonate",
                ]
            ),
        ] as [(OperatorRole, Set<String>)])
    func matrix(_ role: OperatorRole, _ offered: Set<String>) async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        try await gateway.furnish(account, name: "Ann Lee", identity: Fresh.text())
        let browser = try await ConsoleOperator.browser(gateway, role)
        try await browser.visit("/admin/accounts/\(account)")
        #expect(browser.offered == offered)
        let token = try await browser.token()
        for action in ["disable", "link", "require_reset"] where !offered.contains(action) {
            let refused = try await browser.post(
                "/admin/accounts/\(account)/change",
                [
                    ("form_token", token), ("do", action), ("reason", "because I can"), ("provider", "google"),
                    ("subject", "1"),
                ])
            #expect(refused.status == 403)
            let rows = try await gateway.audit(refused)
            #expect(rows.map(\.reason) == ["role_too_low"])
            #expect(rows.map(\.action) == [AccountAction.all.first { $0.name == action }?.right.rawValue])
        }
        if role < .admin {
            let refused = try await browser.post(
                "/admin/accounts/\(account)/merge",
                [("form_token", token), ("with", account), ("digest", "x"), ("reason", "because I can")])
            #expect(try await gateway.audit(refused).map(\.reason) == ["role_too_low"])
        }
        #expect(try await gateway.status(of: account) == "active")
    }

    @Test("The pages of an operator's own and other operators' accounts offer no actions")
    func colleagues() async throws {
        let gateway = try GatewayProcess.current
        let (one, other) = (try await ConsoleOperator(gateway, .admin), try await ConsoleOperator(gateway, .viewer))
        let browser = try await one.open("/admin/accounts/\(one.account)")
        #expect(browser.offered == [])
        #expect(browser.page.text.contains("This is your own account"))
        try await browser.visit("/admin/accounts/\(other.account)")
        #expect(browser.offered == [])
        #expect(browser.page.text.contains("Only an owner can change it"))
        let page = try await browser.visit("/admin/accounts/\(other.account)/change?do=disable")
        #expect(page.status == 409)
    }

    @Test("A change needs a sign-in of the last ten minutes, which returns to the change")
    func reauthentication() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let person = try await ConsoleOperator(gateway, .support)
        let browser = try await person.open("/admin/accounts/\(account)/change?do=disable")
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                update sessions set auth_time = now() - interval '11 minutes'
                 where account_id = \(UUID(uuidString: person.account)) and ended_at is null
                """)
        }
        // A change in preparation, and a new one.
        let late = try await browser.confirm()
        #expect(late.status == 403)
        #expect(try await gateway.audit(late).map(\.action) == ["disable_account"])
        let lateLinks = late.links
        let page = try await browser.visit("/admin/accounts/\(account)/change?do=disable")
        #expect(page.status == 403)
        #expect(page.links.filter { $0.hasPrefix("/login") } == lateLinks.filter { $0.hasPrefix("/login") })
        let link = try #require(page.links.first { $0.hasPrefix("/login") })
        #expect(
            link
                == "/login?prompt=login&client_id=console&return_to=%2Fadmin%2Faccounts%2F\(account)%2Fchange%3Fdo%3Ddisable"
        )
        #expect(try await browser.visit("/admin/accounts/\(account)").status == 200)
    }

    @Test("A form without this browser's token, or from another site, changes nothing")
    func forgery() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let token = try await browser.token()
        let fields = [("do", "disable"), ("reason", "not me")]
        let path = "/admin/accounts/\(account)/change"
        #expect(try await browser.post(path, fields).status == 403)
        #expect(try await browser.post(path, fields + [("form_token", "AAAA")]).status == 403)
        let foreign = TestRequest("POST", path).form(fields + [("form_token", token)])
            .header("Origin", "https://evil.example")
        #expect(try await browser.send(foreign).status == 403)
        let crossSite = TestRequest("POST", path).form(fields + [("form_token", token)])
            .header("Sec-Fetch-Site", "cross-site")
        #expect(try await browser.send(crossSite).status == 403)
        #expect(try await gateway.status(of: account) == "active")
    }
}

extension PageBrowser {
    /// The token of this browser's forms, from any page that has one.
    func token() async throws -> String {
        try await visit("/login?prompt=login")
        let fields = page.forms.flatMap(\.fields)
        return try #require(fields.first { $0.0 == "form_token" }?.1)
    }
}
