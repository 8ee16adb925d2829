import Foundation
import OperatorAccess
import Postgres
import Testing

/// The apps that no operator brought, on the console.
@Suite(.gateway())
struct ConsoleAgentTests {
    @Test("An agent is found by its host, and revoked after a question and with a reason")
    func revoke() async throws {
        let gateway = try GatewayProcess.current
        let name = "Agent \(Fresh.text())"
        let id = try await gateway.makeAgent(name, at: "https://\(Fresh.text()).example/callback")
        try await gateway.change("update agents set used_at = '2026-02-03 04:05:06+00' where client_id = \(id)")
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        #expect(try await browser.visit("/admin/clients").links.contains("/admin/agents"))
        let host: String = try await gateway.sql {
            try $0.queryOne("select agent_outline(\(id))->>'host'")?.value(0) ?? ""
        }
        let list = try await browser.visit("/admin/agents?q=\(host)")
        #expect(list.text.contains(name) && list.text.contains(host) && list.text.contains("registered itself"))
        #expect(list.text.contains("datetime=\"2026-02-03T04:05:06Z\""))
        let path = "/admin/clients/\(id)/revoke"
        #expect(list.links.filter { $0.hasPrefix("/admin/clients/") } == ["/admin/clients/\(id)", path])
        try await browser.visit(path)
        let wordless = try await browser.confirm("")
        #expect(wordless.status == 400 && browser.problem == "Enter a reason.")
        let done = try await browser.confirm("it floods us")
        #expect(done.text.contains("The agent is revoked.") && !done.links.contains(path))
        let rows = try await gateway.count(
            """
            select count(*) from audit_events
             where client_id = \(id) and action = 'client_changed' and words = 'it floods us' and detail->'after'->>'disabled' = 'true'
            """)
        #expect(rows == 1)
        #expect(try await browser.visit("/admin/agents?q=\(host)").links.contains(path) == false)
    }

    @Test("An agent that withdrew itself can still be revoked, so that its document does not bring it back")
    func withdrawn() async throws {
        let gateway = try GatewayProcess.current
        let id = try await gateway.makeAgent("Agent \(Fresh.text())")
        try await gateway.change("update clients set disabled_at = now(), withdrawn = true where id = \(id)")
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        #expect(try await browser.visit("/admin/clients/\(id)").text.contains("withdrawn by itself"))
        try await browser.visit("/admin/clients/\(id)/revoke")
        #expect(try await browser.confirm("for good").text.contains("The agent is revoked."))
        #expect(try await gateway.count("select count(*) from clients where id = \(id) and not withdrawn") == 1)
    }

    @Test("The list has pages")
    func pages() async throws {
        let gateway = try GatewayProcess.current
        let mark = "pages-\(Fresh.text())"
        for number in 0..<27 { _ = try await gateway.makeAgent("\(mark) \(number)") }
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        func agents(_ path: String) async throws -> Set<String> {
            Set(try await browser.visit(path).links.filter { $0.hasPrefix("/admin/clients/") })
        }
        let first = try await agents("/admin/agents?q=\(mark)")
        let next = try #require(browser.page.links.first { $0.contains("cursor=") })
        let second = try await agents(next)
        #expect(first.count == 25 && second.count == 2 && first.isDisjoint(with: second))
        #expect(browser.page.links.contains("/admin/agents?q=\(mark)"))
        #expect(try await browser.visit("/admin/agents?q=\(mark)x").text.contains("No agents found."))
    }

    @Test("A viewer is offered no revocation and refused one, and an app of operators has none")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let name = "Agent-\(Fresh.text())"
        let id = try await gateway.makeAgent(name)
        let viewer = try await ConsoleOperator.browser(gateway, .viewer)
        for page in ["/admin/agents?q=\(name)", "/admin/clients/\(id)"] {
            #expect(try await viewer.visit(page).links.contains { $0.hasSuffix("/revoke") } == false, "\(page)")
        }
        #expect(try await viewer.visit("/admin/clients/\(id)/revoke").status == 403)
        let admin = try await ConsoleOperator.browser(gateway, .admin)
        #expect(try await admin.visit("/admin/clients/app/revoke").status == 404)
        #expect(try await gateway.count("select count(*) from clients where id = \(id) and disabled_at is null") == 1)
    }
}

extension GatewayProcess {
    /// An app that registered itself.
    func makeAgent(_ name: String, at address: String = "http://localhost/callback") async throws -> String {
        let id = "dyn-\(Fresh.text())"
        let none: [[UInt8]] = []
        _ = try await sql { connection in
            try connection.execute(
                """
                select register_client(\(id), \(name), null, \([address]), '{}', '{}', false, 10000, null, 'test', \(none), '{}', '{}')
                """)
        }
        return id
    }
}
