import JSON
import Postgres
import Testing

extension StepTests {
    /// In a browser, the first factor alone gives no session of a protected account.
    @Suite("Protected accounts in a browser")
    struct BrowserStepTests {
        @Test("a password alone leaves no cookie")
        func cookie() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let before = try await gateway.count(
                "select count(*) from sessions where account_id = \(person.account)::uuid")
            let browser = try await PageBrowser.open(gateway, "/login")
            try await browser.passwordSignIn(person.email, GatewayProcess.password)
            #expect(browser.cookies["__Host-session"] == nil)
            try await browser.visit("/account")
            #expect(!browser.page.text.contains(person.email) || browser.page.forms.contains { $0.action == "/login" })
            #expect(
                try await gateway.count("select count(*) from sessions where account_id = \(person.account)::uuid")
                    == before)
        }

        @Test("a provider's answer alone leaves no cookie")
        func provider() async throws {
            let gateway = try GatewayProcess.current
            let who: JSONObject = [
                "subject": .string(Fresh.subject("google")), "email": .string(Fresh.email("gmail.com")),
            ]
            let first = try await gateway.session("google", who)
            _ = try await gateway.addingTOTP(
                ProtectedPerson(email: first.email ?? "", account: first.account, session: first),
                bearer: first.accessToken)
            let before = try await gateway.count(
                "select count(*) from sessions where account_id = \(first.account)::uuid")
            let browser = try await PageBrowser.open(gateway, "/login")
            try await browser.signIn("google", as: who)
            #expect(browser.cookies["__Host-session"] == nil)
            #expect(
                try await gateway.count("select count(*) from sessions where account_id = \(first.account)::uuid")
                    == before)
        }
    }
}
