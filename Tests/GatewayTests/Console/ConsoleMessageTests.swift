import Foundation
import OperatorAccess
import Postgres
import Testing

@Suite(.gateway())
struct ConsoleMessageTests {
    private static let path = "/admin/messages/no-account"

    /// The form of the message with its own values and the typed ones.
    private func submit(
        _ browser: PageBrowser, _ typed: [String: String], _ action: String, to path: String = path
    ) async throws -> TestAnswer {
        let form = try #require(browser.page.forms.first { $0.action == Self.path }, "\(browser.page.text)")
        let texts = browser.page.text.components(separatedBy: "name=\"text_").dropFirst().compactMap { piece in
            let name = "text_" + piece.prefix { $0 != "\"" }
            let value = piece.components(separatedBy: "</textarea>")[0].components(separatedBy: ">\n").last
            return value.map { (name, typed[name] ?? $0) }
        }
        let rest = form.fields.map { ($0.0, typed[$0.0] ?? $0.1) }
        return try await browser.post(path, rest + texts + [("do", action)])
    }

    @Test("3-B10: an admin's text with a link is refused on the console")
    func link() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        try await browser.visit("\(Self.path)?language=zh-Hans")
        let answer = try await submit(
            browser, ["text_no_account.text": "https://evil.example/{service}", "reason": "shorter"], "save")
        #expect(answer.status == 403, "\(answer.text)")
        #expect(try await gateway.count("select count(*) from message_texts where language = 'zh-Hans'") == 0)
    }

    @Test("a text is changed with a reason, shown as changed, previewed, and restored")
    func life() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        try await browser.visit("\(Self.path)?language=ru")
        let preview = try await submit(
            browser, ["text_no_account.text": "Кто-то спросил {service}"], "save",
            to: "/admin/message-preview/no-account")
        #expect(preview.status == 200 && preview.text.contains("Кто-то спросил "))
        #expect(preview.header("Content-Security-Policy")?.contains("frame-ancestors 'self'") == true)
        #expect(preview.header("Content-Security-Policy")?.contains("script-src") == false)
        #expect(try await gateway.count("select count(*) from message_texts where language = 'ru'") == 0)
        try await browser.visit("\(Self.path)?language=ru")
        let saved = try await submit(
            browser, ["text_no_account.text": "Кто-то спросил {service}", "reason": "shorter"], "save")
        #expect(saved.status == 200 && saved.text.contains("Saved."), "\(saved.text)")
        #expect(try await browser.visit("/admin/messages?language=ru").text.contains("<span class=\"badge\">ru</span>"))
        try await browser.visit("\(Self.path)?language=ru")
        let restored = try await submit(browser, ["reason": "as before"], "reset")
        #expect(restored.text.contains("The defaults are restored."), "\(restored.text)")
        #expect(try await gateway.count("select count(*) from message_texts where language = 'ru'") == 0)
    }

    @Test("a mistake is shown at its field, with the entries; a stale form changes nothing")
    func mistakes() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        try await browser.visit("\(Self.path)?language=ja")
        let wrong = try await submit(
            browser, ["text_no_account.text": "{who}?", "reason": "shorter"], "save")
        #expect(wrong.status == 400 && wrong.text.contains("{who}?"), "\(wrong.text)")
        #expect(wrong.text.contains("The text has a placeholder that this message does not have."))
        try await browser.visit("\(Self.path)?language=ja")
        let other = try await ConsoleOperator.browser(gateway, .admin)
        try await other.visit("\(Self.path)?language=ja")
        _ = try await submit(other, ["text_no_account.text": "誰かが {service}", "reason": "shorter"], "save")
        let stale = try await submit(
            browser, ["text_no_account.advice": "別の方法で", "reason": "shorter"], "save")
        #expect(stale.status == 409, "\(stale.text)")
        #expect(
            try await gateway.count(
                "select count(*) from message_texts where language = 'ja' and key = 'no_account.advice'") == 0)
    }

    @Test("a test mail needs no reason")
    func testMail() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        try await browser.visit(Self.path)
        let sent = try await submit(browser, ["reason": ""], "test_email")
        #expect(sent.text.contains("The test mail is sent."), "\(sent.text)")
    }

    @Test("a viewer sees the texts without the buttons")
    func viewer() async throws {
        let browser = try await ConsoleOperator.browser(try GatewayProcess.current, .viewer)
        let page = try await browser.visit(Self.path)
        #expect(page.status == 200 && page.text.contains("id=\"preview\"") && !page.text.contains("id=\"save\""))
    }
}
