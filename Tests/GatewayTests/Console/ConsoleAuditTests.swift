import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import OperatorAccess

/// The audit log, the overview and the providers on the console.
@Suite(.gateway())
struct ConsoleAuditTests {
    @Test("Events are found by filters, and an event's row shows all its data, escaped")
    func filters() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let code = Fresh.text()
        try await gateway.writeEvents(1, code, account: account, words: "<script>alert(1)</script>")
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        for query in ["account=\(account)&code=\(code)", "code=\(code)&outcome=refused", "action=probed&code=\(code)"] {
            let page = try await browser.visit("/admin/audit?\(query)&provider=&from=2020-01-01T00%3A00")
            #expect(page.status == 200)
            #expect(try browser.events.count == 1, "\(query)")
            #expect(page.text.contains("/admin/accounts/\(account)\""))
            #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>"))
        }
        for query in ["outcome=done", "to=2020-01-01T00%3A00", "action=signed_in"] {
            try await browser.visit("/admin/audit?code=\(code)&\(query)")
            #expect(try browser.events.isEmpty, "\(query)")
        }
    }

    @Test("Older events are on further pages, each exactly once, and the filters stay")
    func pages() async throws {
        let gateway = try GatewayProcess.current
        let code = Fresh.text()
        try await gateway.writeEvents(70, code)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        try await browser.visit("/admin/audit?action=probed&code=\(code)")
        let first = try browser.events
        #expect(first.count == 50)
        let next = try #require(browser.page.links.first { $0.contains("cursor=") })
        #expect(next.contains("code=\(code)"))
        try await browser.visit(next)
        let second = try browser.events
        #expect(second.count == 20)
        #expect(Set(first).isDisjoint(with: second))
    }

    @Test("F6: a page of the audit log on the console is a view, and its next page is not")
    func trace() async throws {
        let gateway = try GatewayProcess.current
        let code = Fresh.text()
        try await gateway.writeEvents(60, code)
        let person = try await ConsoleOperator(gateway, .viewer)
        let browser = try await person.open()
        let page = try await browser.visit("/admin/audit?action=probed&code=\(code)")
        let views = try await gateway.audit(page)
        #expect(views.map(\.action) == ["audit_viewed"] && views.map(\.actor) == [person.account])
        let next = try await browser.visit(try #require(browser.page.links.first { $0.contains("cursor=") }))
        #expect(next.status == 200)
        let rows = try await gateway.count(
            "select count(*) from audit_events where request_id = \(next.requestID)")
        #expect(rows == 0)
    }

    @Test(
        "An invalid filter is reported at its field, with its text",
        arguments: [
            ("account", "nobody", "Enter a valid ID."), ("session", "1", "Enter a valid ID."),
            ("from", "yesterday", "Enter a valid time."),
        ])
    func mistakes(_ name: String, _ typed: String, _ words: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/audit?\(name)=\(typed)")
        #expect(page.status == 400)
        let document = try HTMLDocument(Array(page.text.utf8))
        #expect(document.element(id: "wrong-\(name)")?.text == words)
        #expect(document.element(id: "filter-\(name)")?.attributes["value"] == typed)
        let row = try #require(try await gateway.audit(page).first)
        #expect(row.reason == "invalid_request")
        #expect(row.detail?.array?.first?["pointer"]?.string == "/\(name)" && row.detail?.text.contains(typed) == false)
    }

    @Test("An admin exports the log with a reason, which the log records")
    func export() async throws {
        let gateway = try GatewayProcess.current
        let code = Fresh.text()
        try await gateway.writeEvents(3, code)
        let person = try await ConsoleOperator(gateway, .admin)
        let browser = try await person.open("/admin/audit?code=\(code)")
        let link = try #require(browser.page.links.first { $0.hasPrefix("/admin/audit/export") })
        try await browser.visit(link)
        let form = try #require(browser.page.forms.first { $0.action == "/admin/audit/export" })
        let typed = form.fields.filter { !["reason", "format"].contains($0.0) } + [("format", "csv")]
        let wordless = try await browser.post(form.action, typed)
        #expect(wordless.status == 400)
        #expect(browser.problem == "Enter a reason.")
        let file = try await browser.post(form.action, typed + [("reason", "for the auditors")])
        #expect(file.status == 200)
        #expect(file.header("Content-Type")?.hasPrefix("text/csv") == true)
        #expect(file.header("Content-Disposition")?.hasPrefix("attachment") == true)
        let lines = file.text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        #expect(lines.count == 4 && lines.dropFirst().allSatisfy { $0.contains(code) })
        let rows = try await gateway.audit(file)
        #expect(rows.map(\.action) == ["audit_exported"])
        #expect(rows.map(\.words) == ["for the auditors"] && rows.map(\.actor) == [person.account])
    }

    @Test(
        "A lower role isn't offered the export of the log, and is refused",
        arguments: [
            OperatorRole.viewer, .support,
        ])
    func roles(_ role: OperatorRole) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, role)
        try await browser.visit("/admin/audit")
        #expect(!browser.page.links.contains { $0.hasPrefix("/admin/audit/export") })
        let asked = try await browser.visit("/admin/audit/export")
        #expect(asked.status == 403)
        #expect(try await gateway.audit(asked).map(\.reason) == ["role_too_low"])
        let token = try await browser.token()
        let fields = [("format", "csv"), ("reason", "because I can")]
        let refused = try await browser.post("/admin/audit/export", fields + [("form_token", token)])
        #expect(refused.status == 403)
        let rows = try await gateway.audit(refused)
        #expect(rows.map(\.action) == ["export_audit"] && rows.map(\.reason) == ["role_too_low"])
        #expect(try await browser.post("/admin/audit/export", fields).status == 403)
    }

    @Test("Without a role the log, the overview, providers and apps are refused")
    func strangers() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator(gateway, nil).open()
        for path in [
            "/admin/audit", "/admin/audit/export", "/admin/overview", "/admin/providers", "/admin/clients",
            "/admin/clients/app", "/admin/new-client", "/admin/audit/live", "/admin/events", "/admin/new-endpoint",
        ] {
            let answer = try await browser.visit(path)
            #expect(answer.status == 403, "\(path)")
            #expect(try await gateway.audit(answer).map(\.reason) == ["not_an_operator"])
        }
    }

    @Test("The overview shows the counts, and each bar links to its events", arguments: ["day", "week", "month"])
    func overview(_ span: String) async throws {
        let gateway = try GatewayProcess.current
        _ = try await gateway.signUp(Fresh.email())
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/overview?span=\(span)")
        #expect(page.status == 200)
        let document = try HTMLDocument(Array(page.text.utf8))
        #expect(document.all("h2").count == 3)
        #expect(document.element(id: "new_accounts-desc") != nil)
        let bar = try #require(
            browser.page.links.first { $0.hasPrefix("/admin/audit?action=account_created&outcome=done&from=") })
        let events = try await browser.visit(bar)
        #expect(events.status == 200)
        #expect(try !browser.events.isEmpty)
    }

    @Test("The overview is the first page, compares with the period before, and counts guests by themselves")
    func landing() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.change(
            """
            insert into audit_inbox (action, outcome, reason, provider, at)
            select 'account_created', 'done', 'guest', 'guest', now() - interval '1 minute' from generate_series(1, 3)
            union all
            select 'account_created', 'done', 'no_match', 'apple', now() - interval '26 hours' from generate_series(1, 2)
            """)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin")
        let document = try HTMLDocument(Array(page.text.utf8))
        #expect(document.all("h1").map(\.text) == ["Overview"])
        let badges = document.all("span").filter { $0.attributes["class"] == "badge" }
        #expect(!badges.isEmpty && badges.allSatisfy { !$0.text.isEmpty })
        let total = Int(document.element(id: "new_accounts-total")?.text ?? "") ?? 0
        #expect(total > 3)
        let before = document.all("small").map(\.text).filter { $0.hasPrefix("Period before: ") }
        #expect(before.count == 3 && Int(before[1].dropFirst("Period before: ".count)) ?? 0 >= 2)
        let legend = document.all("li").map(\.text).first { $0.hasPrefix("guests ") }
        #expect(Int(legend?.dropFirst("guests ".count) ?? "") ?? 0 >= 3, "\(legend ?? "")")
    }

    @Test("The bar of the console signs out")
    func signOut() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let form = try #require(browser.page.forms.first { $0.action == "/logout" })
        let left = try await browser.post(form.action, form.fields)
        #expect(left.status == 200 && left.text.contains("signed out"))
        let again = try await browser.send(TestRequest("GET", "/admin"))
        #expect(again.status == 303 && again.header("Location")?.hasPrefix("/login?") == true)
    }

    @Test("the log has names beside ids, times to the second, and a list of events to filter by")
    func names() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let name = "Ann \(Fresh.text())"
        try await gateway.furnish(account, name: name)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/audit?account=\(account)&action=account_created")
        let document = try HTMLDocument(Array(page.text.utf8))
        let row = try #require(document.all("tr").first { $0.text.contains("Account created") }?.text)
        #expect(row.contains(name) && row.contains(account))
        let time = try #require(document.all("time").first?.text)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil, "\(time)")
        let app: String = try await gateway.sql { connection in
            try #require(try connection.queryOne("select name from clients where id = 'app'")).value(0)
        }
        #expect(app == "app" || row.contains("\(app) app"))
        let options = document.all("option")
        let chosen = options.filter { $0.attributes["selected"] != nil }.map(\.text)
        #expect(chosen == ["Account created"])
        #expect(options.contains { $0.attributes["value"] == "login_page" && $0.text == "Sign-in page" })
        // An event without a name can still be chosen by its address.
        let other = try await browser.visit("/admin/audit?action=probed")
        let unnamed = try HTMLDocument(Array(other.text.utf8)).all("option").first { $0.text == "probed" }
        #expect(unnamed?.attributes["selected"] != nil)
    }

    @Test("a row has no raw code: a refusal has its cause in words, and a password is named once")
    func readable() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let account = try await gateway.signUp(email).account
        let credential: JSONObject = ["username": .string(email), "password": "not this one"]
        _ = try await gateway.audit(try await gateway.signIn("password", credential: credential))
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/audit?account=\(account)")
        let document = try HTMLDocument(Array(page.text.utf8))
        let lines = document.all("summary").map(\.text)
        #expect(lines.contains("refused Sign-in Wrong name or password"), "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("_") }, "\(lines)")
        let cells = document.all("td").map(\.text)
        #expect(cells.contains { $0.hasPrefix("Password · ") } && !cells.contains { $0.contains("Password password") })
        // Ids are short until their row opens.
        #expect(document.all("a").contains { $0.attributes["title"] == account && !$0.text.contains(account) })
        let codes = document.element(id: "filter-code")
        #expect(codes?.text.contains("Wrong name or password") == true)
    }

    @Test("a row names the operator who acted")
    func actor() async throws {
        let gateway = try GatewayProcess.current
        let (account, code) = (try await gateway.signUp(Fresh.email()).account, "c\(Fresh.text())")
        let name = "Ann \(Fresh.text())"
        try await gateway.furnish(account, name: name)
        try await gateway.writeEvents(1, code, actor: account)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/audit?action=probed&code=\(code)")
        let cells = try HTMLDocument(Array(page.text.utf8)).all("td").map(\.text)
        #expect(cells.contains("by \(name)"), "\(cells)")
    }

    @Test("Every provider shows what is set up, its return address, its apps and a test sign-in")
    func setUp() async throws {
        let gateway = try GatewayProcess.current
        let id = "s" + Fresh.text().lowercased().filter(\.isLetter)
        try await gateway.change("insert into clients (id, name, providers) values (\(id), 'Ducks', '{google}')")
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/providers")
        let document = try HTMLDocument(Array(page.text.utf8))
        let issuer = try await gateway.get("/.well-known/openid-configuration").json["issuer"]?.string ?? ""
        let codes = document.within("set-up").filter { $0.name == "code" }.map(\.text)
        #expect(codes.contains("\(issuer)/login/google/callback") && codes.contains("\(issuer)/login/apple/callback"))
        #expect(page.links.contains("/admin/clients/\(id)"))
        // The address is copied: a click would replace the operator's session.
        let test = try #require(codes.first { $0.hasPrefix("\(issuer)/login/google?client_id=") })
        #expect(!page.links.contains { $0.contains("/login/google") })
        let path = String(test.dropFirst(issuer.count))
        try await poll { try await browser.send(TestRequest("GET", path)).status == 303 ? () : nil }
    }

    @Test("Every provider is listed, with its counts of a day as links to their events")
    func providers() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        try await browser.visit("/admin/providers")
        for provider in ["apple", "google"] {
            #expect(browser.page.text.contains("<code>\(provider)</code>"))
            #expect(browser.page.links.contains("/admin/audit?provider=\(provider)&outcome=refused"))
        }
    }
}

extension PageBrowser {
    /// The rows of the log's table, by their content.
    var events: [String] {
        get throws {
            let document = try HTMLDocument(Array(page.text.utf8))
            return document.all("pre").map(\.text)
        }
    }
}

extension GatewayProcess {
    /// Refusals that only a test writes.
    func writeEvents(
        _ count: Int32, _ reason: String, account: String? = nil, words: String? = nil, actor: String? = nil
    ) async throws {
        let account = account.flatMap { UUID(uuidString: $0) }
        let actor = actor.flatMap { UUID(uuidString: $0) }
        _ = try await sql { connection in
            try connection.execute(
                """
                insert into audit_inbox (action, outcome, reason, account_id, words, actor_id)
                select 'probed', 'refused', \(reason), \(account), \(words), \(actor) from generate_series(1, \(count))
                """)
        }
    }
}
