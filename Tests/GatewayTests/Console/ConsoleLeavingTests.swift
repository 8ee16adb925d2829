import Foundation
import JSON
import OperatorAccess
import Postgres
import Testing

/// Deleting accounts and exporting their data, on the console.
@Suite(.gateway())
struct ConsoleLeavingTests {
    @Test("A deletion shows its delay, waits, and is cancelled")
    func deletion() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let path = "/admin/accounts/\(account)"
        try await browser.visit("\(path)/change?do=delete_account")
        #expect(browser.page.text.contains("<bdi>14</bdi> days"))
        try await browser.confirm("asked by letter")
        #expect(browser.page.text.contains("The account is scheduled for deletion."))
        #expect(browser.offered.contains("cancel_deletion") && !browser.offered.contains("delete_account"))
        #expect(try await gateway.isDeletionDue(account))
        let document = try HTMLDocument(Array(browser.page.text.utf8))
        #expect(document.element(id: "deletion") != nil)
        try await browser.visit("\(path)/change?do=cancel_deletion")
        try await browser.confirm("they changed their mind")
        #expect(browser.page.text.contains("The account is kept."))
        #expect(browser.offered.contains("delete_account") && !browser.offered.contains("cancel_deletion"))
        #expect(try await !gateway.isDeletionDue(account))
    }

    @Test("The data is exported as a file, with a reason")
    func export() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let account = try await gateway.signUp(email).account
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        try await browser.visit("/admin/accounts/\(account)/change?do=export_account")
        let wordless = try await browser.confirm("")
        #expect(wordless.status == 400 && browser.problem == "Enter a reason.")
        let file = try await browser.confirm("asked by letter")
        #expect(file.header("Content-Disposition") == "attachment; filename=\"account-\(account).json\"")
        #expect(file.text.contains(email))
        _ = try JSON(parsing: file.text)
        #expect(try await gateway.audit(file).map(\.words).contains("asked by letter"))
    }

    @Test(
        "Support may do neither, and the browser's token is required",
        arguments: [
            "delete_account", "cancel_deletion", "export_account",
        ])
    func refused(_ action: String) async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let path = "/admin/accounts/\(account)/change"
        let support = try await ConsoleOperator.browser(gateway, .support)
        let token = try await support.token()
        let fields = [("do", action), ("reason", "because I can")]
        let refused = try await support.post(path, fields + [("form_token", token)])
        #expect(refused.status == 403)
        #expect(try await gateway.audit(refused).map(\.reason) == ["role_too_low"])
        let admin = try await ConsoleOperator.browser(gateway, .admin)
        #expect(try await admin.post(path, fields).status == 403)
        #expect(try await !gateway.isDeletionDue(account))
    }
}

extension GatewayProcess {
    fileprivate func isDeletionDue(_ account: String) async throws -> Bool {
        let id = UUID(uuidString: account)
        return try await sql { connection in
            try connection.queryOne("select deletion_due_at is not null from accounts where id = \(id)")?.value(0)
                ?? false
        }
    }
}
