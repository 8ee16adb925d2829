import OperatorAccess
import Testing

/// Access to the live audit log, and the rights of its page.
///
/// A browser test covers the arrival of rows.
@Suite(.gateway())
struct ConsoleLiveTests {
    private static let rows = "/admin/audit/live/rows"

    @Test("The page keeps the filters, and only it may connect to the server")
    func page() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        try await browser.visit("/admin/audit?code=wrong_password&provider=google")
        #expect(browser.page.header("Content-Security-Policy")?.contains("connect-src") == false)
        let link = try #require(browser.page.links.first { $0.hasPrefix("/admin/audit/live?") })
        let page = try await browser.visit(link)
        #expect(page.status == 200)
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("connect-src 'self';"))
        let document = try HTMLDocument(Array(page.text.utf8))
        let live = try #require(document.element(id: "live"))
        #expect(live.attributes["data-source"] == "\(Self.rows)?code=wrong_password&provider=google")
        #expect(page.links.contains("/admin/audit?code=wrong_password&provider=google"))
        #expect(try await browser.visit("/admin/audit/live?account=nobody").status == 400)
    }

    @Test("The page keeps the switch for look-ups, in its own link and in its stream")
    func views() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        let hidden = try await browser.visit("/admin/audit/live?outcome=done")
        let turn = try #require(try HTMLDocument(Array(hidden.text.utf8)).element(id: "views"))
        #expect(turn.text == "Show look-ups")
        let shown = try await browser.visit(try #require(turn.attributes["href"]))
        let document = try HTMLDocument(Array(shown.text.utf8))
        #expect(document.element(id: "views")?.text == "Hide look-ups")
        #expect(document.element(id: "live")?.attributes["data-source"] == "\(Self.rows)?outcome=done&views=true")
    }

    @Test("Without access the stream is refused, without a page")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let nobody = try await gateway.get(Self.rows)
        #expect(nobody.status == 401 && nobody.code == "session_ended")
        let stranger = try await ConsoleOperator(gateway, nil).open()
        let refused = try await stranger.visit(Self.rows)
        #expect(refused.status == 403 && refused.code == "not_an_operator")
        #expect(try await gateway.audit(refused).map(\.reason) == ["not_an_operator"])
        let viewer = try await ConsoleOperator.browser(gateway, .viewer)
        let malformed = try await viewer.visit("\(Self.rows)?session=1")
        #expect(malformed.status == 400 && malformed.code == "invalid_request")
        viewer.headers = [("Sec-Fetch-Site", "cross-site")]
        #expect(try await viewer.visit(Self.rows).status == 403)
    }
}
