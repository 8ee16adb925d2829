import Foundation
import JSON
import OperatorAccess
import Postgres
import Testing

@testable import HTTPServer

/// The content of the console's pages, and their rules.
@Suite(.gateway())
struct ConsolePageTests {
    @Test("An account is found by its search text, page by page, and everything is a link")
    func search() async throws {
        let gateway = try GatewayProcess.current
        let mark = "zz" + Fresh.text().filter(\.isLetter)
        try await gateway.crowd(mark, 30)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        try await browser.visit("/admin/accounts?q=\(mark)")
        let first = Set(browser.page.links.filter { $0.hasPrefix("/admin/accounts/") })
        #expect(first.count == 25)
        let next = try #require(browser.page.links.first { $0.contains("cursor=") })
        try await browser.visit(next)
        let second = Set(browser.page.links.filter { $0.hasPrefix("/admin/accounts/") })
        #expect(second.count == 5)
        #expect(first.isDisjoint(with: second))
        #expect(browser.page.links.contains("/admin/accounts?q=\(mark)"))
        try await browser.visit("/admin/accounts?q=\(mark)nobody")
        #expect(browser.page.text.contains("No accounts found"))
    }

    @Test("The reference of a refused sign-in leads to its cause, its remedy and its account")
    func reference() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let account = try await gateway.signUp(email).account
        let wrong = try await gateway.signIn(
            "password", credential: ["username": .string(email), "password": "not this one"])
        #expect(try await gateway.audit(wrong).map(\.account) == [account])
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/accounts?q=Reference:%20\(wrong.requestID.uppercased())")
        let document = try HTMLDocument(Array(page.text.utf8))
        #expect(document.element(id: "request")?.text == "Reference \(wrong.requestID)")
        let cause = try #require(document.all("ol").first?.text)
        #expect(cause.contains("Wrong name or password") && cause.contains("sets a new password"), "\(cause)")
        #expect(page.links.contains("/errors/invalid_credentials"))
        #expect(document.within("results").contains { $0.attributes["href"] == "/admin/accounts/\(account)" })
        // The audit log records the look-up.
        #expect(Set(try await gateway.audit(page, atLeast: 2).map(\.action)) == ["accounts_searched", "audit_viewed"])
        // No request has this reference.
        #expect(try await browser.visit("/admin/accounts?q=0000000000000").text.contains("No accounts found"))
    }

    @Test("An account has two actions in sight, the others in a menu, and a danger zone at the end")
    func actions() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let account = try await gateway.signUp(email).account
        let wrong = try await gateway.signIn(
            "password", credential: ["username": .string(email), "password": "not this one"])
        _ = try await gateway.audit(wrong)
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let document = try HTMLDocument(Array(try await browser.visit("/admin/accounts/\(account)").text.utf8))
        func actions(_ id: String) -> [String] { document.within(id).compactMap { $0.attributes["data-do"] } }
        let more = actions("more")
        #expect(actions("actions").filter { !more.contains($0) } == ["require_reset", "merge"])
        #expect(more.contains("impersonate") && !more.contains("disable"))
        let zone = try #require(document.all("section").last)
        #expect(zone.attributes["aria-labelledby"] == "danger")
        #expect(browser.offered.isSuperset(of: ["disable", "delete_account"]))
        let refusals = try #require(document.all("section").first { $0.attributes["aria-labelledby"] == "refusals" })
        #expect(refusals.text.contains("Wrong name or password") && refusals.text.contains("sets a new password"))
    }

    @Test("the user name is shown with the account, in lists, and in the preview of a merge")
    func userNames() async throws {
        let gateway = try GatewayProcess.current
        let name = "ann.\(Fresh.text().lowercased())"
        let account = try await gateway.signUp(Fresh.email()).account
        let other = try await gateway.signUp(Fresh.email()).account
        try await gateway.furnish(account, name: "Ann Lee")
        try await gateway.change(
            "update accounts set user_name = \(name), user_name_key = \(name) where id = \(account)::uuid")
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let page = try await browser.visit("/admin/accounts/\(account)")
        #expect(try HTMLDocument(Array(page.text.utf8)).element(id: "user-name")?.text == name)
        #expect(!page.text.contains(">guest</span>"))
        for path in ["/admin/accounts?q=\(name)", "/admin/accounts/\(other)/merge?with=\(account)"] {
            #expect(try await browser.visit(path).text.contains("<bdi>\(name)</bdi>"), "\(path)")
        }
    }

    @Test("A guest has a badge on the page of the account")
    func guestBadge() async throws {
        let gateway = try GatewayProcess.current
        let id = UUID()
        try await gateway.change("insert into accounts (id, guest) values (\(id), true)")
        try await gateway.change(
            """
            insert into audit_inbox (action, outcome, reason, account_id, provider)
            values ('account_created', 'done', 'guest', \(id), 'guest')
            """)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/accounts/\(id.uuidString.lowercased())")
        #expect(page.text.contains("<span class=\"badge\">guest</span>"))
    }

    @Test("Two accounts that may be one are shown side by side, and the rows that agree are marked")
    func sideBySide() async throws {
        let gateway = try GatewayProcess.current
        let (one, other) = (Fresh.email(), Fresh.email())
        let (first, second) = (try await gateway.signUp(one).account, try await gateway.signUp(other).account)
        for account in [first, second] {
            try await gateway.furnish(account, name: "Ann Lee", identity: Fresh.text(), email: one)
        }
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let page = try await browser.visit("/admin/accounts/\(first)")
        let rows = try HTMLDocument(Array(page.text.utf8)).all("tr").map(\.text)
        let addresses = try #require(rows.first { $0.contains(one) && $0.contains(other) })
        #expect(!addresses.hasSuffix("same"))
        #expect(rows.contains { $0.hasPrefix("Providers") && $0.hasSuffix("same") })
        #expect(rows.contains { $0.hasPrefix("Name") && $0.hasSuffix("same") })
    }

    @Test("A provider is linked by choosing it with its realm, and the fields are explained")
    func linkForm() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let page = try await browser.visit("/admin/accounts/\(account)/change?do=link")
        let document = try HTMLDocument(Array(page.text.utf8))
        let options = document.all("option").compactMap { $0.attributes["value"] }
        #expect(options.contains("google https://accounts.google.com"))
        #expect(options.contains { $0.hasPrefix("apple ") })
        #expect(document.element(id: "hint-subject")?.text.contains("sub") == true)
        let subject = Fresh.text()
        try await browser.post(
            "/admin/accounts/\(account)/change",
            [
                ("form_token", try await browser.token()), ("do", "link"), ("subject", " \(subject) "),
                ("provider", "google https://accounts.google.com"), ("reason", "asked by phone"),
            ])
        let stored = try await gateway.count(
            """
            select count(*) from identities where account_id = \(account)::uuid and provider = 'google'
               and realm = 'https://accounts.google.com' and subject = \(subject)
            """)
        #expect(stored == 1, "\(browser.problem ?? "")")
    }

    @Test("Names can't break a page")
    func hostileNames() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let name = "\u{202E}evil \"quoted\" <script>alert(1)</script> \u{2066}{{words}}"
        try await gateway.furnish(account, name: name, identity: "<img src=x onerror=alert(1)>")
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        for path in [
            "/admin/accounts/\(account)", "/admin/accounts/\(account)/merge", "/admin/accounts?q=%22%3E%3Cscript%3E",
        ] {
            let page = try await browser.visit(path)
            #expect(page.status == 200)
            #expect(!page.text.contains("<script>") && !page.text.contains("<img") && !page.text.contains("\u{202E}"))
            #expect(!page.text.contains("\u{2066}"))
        }
    }

    @Test(
        "Every page has its words in every language, and keeps to the rules of all pages", arguments: Language.allCases)
    func languages(_ language: Language) async throws {
        let gateway = try GatewayProcess.current
        let (email, subject) = (Fresh.email(), Fresh.text())
        let account = try await gateway.signUp(email).account
        let other = try await gateway.signUp(Fresh.email()).account
        for id in [account, other] {
            try await gateway.furnish(id, name: "Ann \(subject)", identity: "\(subject)\(id)")
        }
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let path = "/admin/accounts/\(account)"
        let agent = try await gateway.makeAgent("Agent \(subject)")
        try await gateway.withEndpoint { endpoint in
            _ = try await gateway.tell(endpoint, states: ["dead", "waiting"])
            let events = "/admin/events/\(endpoint)"
            for page in [
                "/admin/accounts?q=ann", path, "\(path)/change?do=disable", "\(path)/change?do=delete_account",
                "\(path)/change?do=export_account",
                "\(path)/change?do=link", "\(path)/merge",
                "\(path)/merge?with=\(other)", "\(path)/split", "/admin/operators", "\(path)/change?do=nothing",
                "/admin/audit?action=signed_in", "/admin/audit/export", "/admin/audit/live", "/admin/events",
                "/admin/new-endpoint", events,
                "\(events)?state=dead", "\(events)/change", "\(events)/act?do=remove", "\(events)/act?do=replay_since",
                "/admin/providers", "/admin/overview?span=week", "/admin/requests", "/admin/clients",
                "/admin/new-client",
                "/admin/clients/app", "/admin/clients/app/change", "/admin/clients/app/secret",
                "/admin/clients/app/quickstart",
                "/admin/agents?q=\(subject)", "/admin/agents?q=nobody", "/admin/clients/\(agent)",
                "/admin/clients/\(agent)/revoke",
            ] {
                try await keepsToRules(page, language, browser)
            }
        }
    }

    private func keepsToRules(_ page: String, _ language: Language, _ browser: PageBrowser) async throws {
        let separator = page.contains("?") ? "&" : "?"
        let answer = try await browser.visit("\(page)\(separator)ui_locales=\(language.rawValue)")
        #expect([200, 404].contains(answer.status), "\(page)")
        let document = try HTMLDocument(Array(answer.text.utf8))
        #expect(document.all("html").map { $0.attributes["lang"] } == [language.rawValue])
        #expect(document.all("h1").count == 1 && document.all("h1").allSatisfy { !$0.text.isEmpty }, "\(page)")
        let ids = document.elements.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count, "\(page)")
        for element in document.elements where ["button", "a", "th", "label", "h2", "dt"].contains(element.name) {
            #expect(!(element.attributes["aria-label"] ?? element.text).isEmpty, "\(page): \(element)")
        }
        for element in document.elements {
            #expect(element.names.allSatisfy { $0 != "style" && !$0.hasPrefix("on") }, "\(page)")
            for named in ["aria-describedby", "aria-labelledby"] {
                let names = element.attributes[named]?.split(separator: " ") ?? []
                #expect(names.allSatisfy { ids.contains(String($0)) }, "\(page): \(names)")
            }
        }
        // A chosen language stays from page to page.
        let own = document.all("a").compactMap { $0.attributes["href"] }.filter { $0.hasPrefix("/admin") }
        #expect(own.allSatisfy { $0.contains("ui_locales=\(language.rawValue)") }, "\(page): \(own)")
    }

    @Test("Acting operators appear by name, each a link, with any characters")
    func operatorNames() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let admin = try await ConsoleOperator(gateway, .admin)
        let name = "Olga <b>\(Fresh.text())</b>"
        try await gateway.furnish(admin.account, name: name)
        let browser = try await admin.open()
        try await browser.post(
            "/admin/accounts/\(account)/change",
            [
                ("form_token", try await browser.token()), ("do", "link"),
                ("provider", "google https://accounts.google.com"), ("subject", Fresh.text()),
                ("reason", "asked by phone"),
            ])
        #expect(browser.page.status == 200, "\(browser.page.text)")
        for path in ["/admin/accounts/\(account)", "/admin/audit?account=\(account)&action=identity_linked"] {
            let page = try await browser.visit(path)
            let document = try HTMLDocument(Array(page.text.utf8))
            let links = document.all("a").filter { $0.attributes["href"] == "/admin/accounts/\(admin.account)" }
            #expect(!links.isEmpty && links.allSatisfy { $0.text == name }, "\(path): \(links)")
        }
        let page = try await browser.visit("/admin/accounts/\(account)")
        // Next to the undoable change, and in the history.
        let document = try HTMLDocument(Array(page.text.utf8))
        #expect(document.all("a").filter { $0.text == name && $0.attributes["title"] == admin.account }.count == 2)
        let undo = try #require(page.links.first { $0.contains("/undo?change=") })
        #expect(
            try await browser.visit(undo).text.contains(name.replacing("<", with: "&lt;").replacing(">", with: "&gt;")))
    }

    @Test("F2: the page of a grant shows the origin of each sign-in method")
    func origins() async throws {
        let gateway = try GatewayProcess.current
        let person = try await ConsoleOperator(gateway, nil)
        try await gateway.furnish(person.account, name: "Ann", identity: Fresh.text())
        try await gateway.change(
            "update identities set linked_by = 'over_budget' where account_id = \(person.account)::uuid")
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let path = "/admin/operators/change?do=grant&account=\(person.account)&role=support"
        let page = try await browser.visit(path)
        #expect(page.text.contains("created with the account") && page.text.contains("entered by the user"))
        #expect(!page.text.contains("over_budget") && !page.text.contains("added by an operator"))
        try await gateway.change(
            """
            update factors set joined_at = now(), joined_by = 'operator' where account_id = \(person.account)::uuid
            """)
        #expect(try await browser.visit(path).text.contains("added by an operator"))
    }

    @Test("Owners manage operators; others see the list, and there is always an owner")
    func operators() async throws {
        let gateway = try GatewayProcess.current
        let person = try await ConsoleOperator(gateway, nil)
        let (email, account) = (person.email, person.account)
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        let address = email.replacingOccurrences(of: "@", with: "%40")
        try await browser.visit("/admin/operators/change?do=grant&account=\(address)&role=support")
        #expect(browser.page.text.contains("<bdi>no role</bdi>") && browser.page.text.contains("<bdi>Support</bdi>"))
        // The sign-in methods behind the role.
        let document = try HTMLDocument(Array(browser.page.text.utf8))
        #expect(document.element(id: "methods") != nil)
        #expect(["Authenticator app", "Password", "E-mail address"].allSatisfy { browser.page.text.contains($0) })
        try await browser.confirm("new in the team")
        #expect(browser.page.text.contains("The role is granted.") && browser.page.text.contains(email))
        let withdraw = try #require(browser.page.links.first { $0.contains("do=withdraw&account=\(account)") })
        try await browser.visit(withdraw)
        try await browser.confirm("left the team")
        #expect(browser.page.text.contains("The role is withdrawn.") && !browser.page.text.contains(email))
        let admin = try await ConsoleOperator.browser(gateway, .admin)
        try await admin.visit("/admin/operators")
        #expect(admin.page.text.contains("Only an owner can grant"))
        #expect(!admin.page.forms.contains { $0.action == "/admin/operators/change" })
        let refused = try await admin.visit("/admin/operators/change?do=grant&account=\(address)&role=owner")
        let rows = try await gateway.audit(refused, atLeast: 2).filter { $0.outcome == "refused" }
        #expect(rows.map(\.reason) == ["role_too_low"])
    }
}

extension GatewayProcess {
    /// A number of accounts with a common name prefix, each with a proved address.
    fileprivate func crowd(_ name: String, _ count: Int32) async throws {
        _ = try await sql { connection in
            try connection.execute(
                """
                with made as (
                    insert into accounts (id, display_name)
                    select gen_random_uuid(), \(name) || ' ' || n from generate_series(1, \(count)) n returning id),
                reached as (
                    insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
                    select id, id || '@example.com', id || '@example.com', 'person', now(), true from made)
                insert into audit_inbox (action, outcome, reason, account_id)
                select 'account_created', 'done', 'sign_up', id from made
                """)
        }
    }
}
