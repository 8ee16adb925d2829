import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import OperatorAccess

/// Operators' views in the audit log of the console.
@Suite(.gateway())
struct ConsoleAuditViewTests {
    @Test("Look-ups are hidden until the switch shows them; links, the form and the file keep to that")
    func views() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let viewed = try await browser.visit("/admin/accounts/\(account)")
        #expect(try await gateway.audit(viewed).map(\.action).contains("account_viewed"))
        let path = "/admin/audit?account=\(account)"
        let hidden = try await browser.visit(path)
        #expect(try browser.actions.contains("account_created") && !browser.actions.contains("account_viewed"))
        let turn = try #require(try HTMLDocument(Array(hidden.text.utf8)).element(id: "views"))
        #expect(turn.text == "Show look-ups" && turn.attributes["href"] == "\(path)&views=true")
        let shown = try await browser.visit("\(path)&views=true")
        #expect(try Set(browser.actions).isSuperset(of: ["account_created", "account_viewed", "audit_viewed"]))
        let back = try #require(try HTMLDocument(Array(shown.text.utf8)).element(id: "views"))
        #expect(back.text == "Hide look-ups" && back.attributes["href"] == path)
        let form = try #require(browser.page.forms.first { $0.action == "/admin/audit" })
        #expect(form.fields.contains { $0 == ("views", "true") })
        #expect(browser.page.links.contains("/admin/audit/live?account=\(account)&views=true"))
        #expect(browser.page.links.contains("/admin/audit?views=true"))

        // The file has them anyway.
        try await browser.visit("/admin/audit/export?account=\(account)")
        let export = try #require(browser.page.forms.first { $0.action == "/admin/audit/export" })
        let typed = export.fields.filter { !["reason", "format"].contains($0.0) }
        let file = try await browser.post(export.action, typed + [("format", "csv"), ("reason", "for the auditors")])
        #expect(file.status == 200 && file.text.contains("account_viewed"))
    }

    @Test("A chosen event or request shows its look-ups without the switch", arguments: ["action", "request_id"])
    func chosenViews(_ filter: String) async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let viewed = try await browser.visit("/admin/accounts/\(account)")
        #expect(try await gateway.audit(viewed).map(\.action).contains("account_viewed"))
        let value = filter == "action" ? "account_viewed" : viewed.requestID
        let page = try await browser.visit("/admin/audit?account=\(account)&\(filter)=\(value)")
        #expect(try browser.actions.contains("account_viewed"))
        #expect(try HTMLDocument(Array(page.text.utf8)).element(id: "views") == nil)
    }

    @Test("Pages without look-ups contain the other rows, each exactly once")
    func pagesWithoutViews() async throws {
        let gateway = try GatewayProcess.current
        let account = UUID().uuidString.lowercased()
        try await gateway.writeViews(60, of: account)
        try await gateway.writeEvents(60, "c\(Fresh.text())", account: account)
        try await gateway.writeViews(60, of: account)
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        try await browser.visit("/admin/audit?account=\(account)")
        let first = try browser.events
        #expect(first.count == 50)
        try await browser.visit(try #require(browser.page.links.first { $0.contains("cursor=") }))
        let second = try browser.events
        #expect(second.count == 10 && Set(first).isDisjoint(with: second))
        #expect((first + second).allSatisfy { !$0.contains("account_viewed") })
    }
}

extension PageBrowser {
    /// The actions of the rows of the log's table.
    fileprivate var actions: [String] {
        get throws { try events.compactMap { try JSON(parsing: $0)["action"]?.string } }
    }
}

extension GatewayProcess {
    /// Views of an account that only a test writes.
    fileprivate func writeViews(_ count: Int32, of account: String) async throws {
        let account = try #require(UUID(uuidString: account))
        try await change(
            """
            insert into audit_inbox (action, outcome, account_id)
            select 'account_viewed', 'done', \(account) from generate_series(1, \(count))
            """)
    }
}
