import Foundation
import JSON
import Postgres
import Testing

/// Activity, export and deletion on the account page.
@Suite("Activity, export and deletion on the account page", .gateway())
struct AccountPrivacyTests {
    private static let delete = "/account/delete"

    @Test("the history lists the events, newest first, with actions of support")
    func activity() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let command = try await gateway.deployment.run("accounts", "demand-second-factor", person.account, "--off")
        #expect(command.exitCode == 0, "\(command.errors)")
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.visit("/account/activity")
        let entries = try browser.entries(of: "event-list")
        #expect(entries.count == 3)
        #expect(entries[0].contains("Signed in") && entries[0].contains("127.0.0.1"))
        #expect(entries[1].contains("by support") && !entries[1].contains("127.0.0.1"))
        #expect(entries[2].contains("Account created") && entries[2].contains("UTC"))
    }

    @Test("the data are a file, which only the page's form can request")
    func export() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.visit("/account")
        let file = try await browser.submit("/account/export")
        #expect(file.header("Content-Type") == "application/json")
        #expect(file.header("Content-Disposition")?.contains("account-\(person.account).json") == true)
        #expect(file.json["account"]?["id"] == .string(person.account))
        let forged = try await browser.post("/account/export", [("form_token", "made-up")])
        #expect(forged.status == 403, "\(forged.text)")
    }

    @Test("a deletion requires the tick and ends the browser's session, and an old proof leads to a new sign-in")
    func deletion() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.visit(Self.delete)
        let unticked = try await browser.submit(Self.delete, ["confirm": ""])
        #expect(unticked.status == 400 && unticked.text.contains("Tick the box"), "\(unticked.text)")

        try await age(person, by: "11 minutes")
        let old = try await browser.submit(Self.delete, ["confirm": "true"])
        #expect(old.status == 403)
        #expect(old.text.contains("prompt=login"))
        try await age(person, by: "0 minutes")

        try await browser.visit(Self.delete)
        let gone = try await browser.submit(Self.delete, ["confirm": "true"])
        #expect(gone.status == 200 && gone.text.contains("Your account will be deleted"), "\(gone.text)")
        #expect(browser.cookies["__Host-session"] == nil)
        #expect(try await gateway.checkSession(person.accessToken).status == 401)
    }

    private func age(_ person: SignedInAnswer, by interval: String) async throws {
        try await GatewayProcess.current.change(
            """
            update sessions set auth_time = now() - \(interval)::interval where account_id = \(person.account)::uuid
            """)
    }

    @Test("an operator must give up the role first")
    func operatorAccount() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        try await gateway.change("insert into operators (account_id, role) values (\(person.account)::uuid, 'viewer')")
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.visit(Self.delete)
        let refused = try await browser.submit(Self.delete, ["confirm": "true"])
        #expect(refused.status == 409 && refused.text.contains("Operator accounts"), "\(refused.text)")
    }

    @Test("without a session it leads to the sign-in, and with a pending deletion to the account")
    func elsewhere() async throws {
        let gateway = try GatewayProcess.current
        let stranger = try await gateway.get("/account/delete")
        #expect(stranger.status == 303 && stranger.header("Location") == "/login")
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        #expect(try await gateway.delete("/v1/account", bearer: person.accessToken).status == 202)
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.visit(Self.delete)
        #expect(browser.page.text.contains("id=\"deletion\""))
        try await browser.submit("/account/deletion/cancel")
        #expect(browser.page.text.contains("Deletion cancelled. We keep your account."))
    }
}
