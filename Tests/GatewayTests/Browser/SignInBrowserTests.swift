import Foundation
import JSON
import Postgres
import Testing

extension BrowserTests {
    /// Sign-ins through the providers' own pages.
    @Suite struct SignIn {
        @Test(
            "A sign-in with a provider creates an account, and the next one finds it",
            arguments: WebSignInTests.providers)
        func twice(_ provider: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            try await Browser.run(gateway) { browser in
                try await browser.signIn(provider, as: email)
                let account = try await browser.accountID()
                try await browser.click("#sign-out")
                try await browser.arrive(at: "/logout")
                #expect(try await browser.cookie("__Host-session") == nil)
                try await browser.signIn(provider, as: email)
                #expect(try await browser.accountID() == account)
                let rows = try await gateway.audit(account: account)
                #expect(rows.filter { $0.action == "account_created" }.map(\.provider) == [provider])
            }
        }

        @Test(
            "After a cancellation or failure at the provider a page says so and links to the sign-in",
            arguments: WebSignInTests.providers)
        func refusals(_ provider: String) async throws {
            try await Browser.run(try GatewayProcess.current) { browser in
                for (decision, title, way) in [
                    ("cancel", "You aren't signed in yet", "try_again"),
                    ("fail", "reported a problem", "sign_in_another_way"),
                ] {
                    try await browser.choose(provider)
                    try await browser.click("#\(decision)")
                    try await browser.waitFor("#action-\(way)")
                    #expect(try await browser.text(of: "h1").contains(title))
                    #expect(try await browser.address().port == Int(browser.origin.split(separator: ":")[2]))
                    #expect(try await browser.cookie("__Host-session") == nil)
                    try await browser.click("#action-\(way)")
                    try await browser.arrive(at: "/login")
                    try await browser.waitFor("#provider-\(provider)")
                }
            }
        }

        @Test("The provider used last is the first button of the next visit")
        func usedLast() async throws {
            try await Browser.run(try GatewayProcess.current) { browser in
                try await browser.signIn("github", as: Fresh.email())
                try await browser.signOut()
                try await browser.visit("/login")
                try await browser.waitFor("#password-form ~ .providers #provider-github")
                #expect(try await browser.text(of: ".or") == "Used last on this device")
                #expect(try await browser.has("#password-form ~ #passkey-form #use-passkey"))
            }
        }

        @Test("A typed password can be read, and the field keeps it")
        func readablePassword() async throws {
            try await Browser.run(try GatewayProcess.current) { browser in
                try await browser.visit("/login")
                try await browser.waitForFocus("#username")
                try await browser.enterName(Fresh.email())
                try await browser.waitForFocus("#password")
                try await browser.fill("#password", "typed")
                try await browser.click(".show")
                #expect(try await browser.attribute("type", of: "#password") == "text")
                #expect(try await browser.attribute("aria-pressed", of: ".show") == "true")
                #expect(try await browser.evaluate("return document.getElementById('password').value") == "typed")
                try await browser.click(".show")
                #expect(try await browser.attribute("type", of: "#password") == "password")
            }
        }

        @Test("Two simultaneous tabs both finish", arguments: kinds)
        func twoTabs(_ provider: String) async throws {
            let email = Fresh.email()
            try await Browser.run(try GatewayProcess.current) { browser in
                try await browser.choose(provider)
                let first = try await browser.openTab()
                try await browser.choose(provider)
                try await browser.allow(as: email)
                try await browser.arrive(at: "/account")
                let account = try await browser.accountID()
                try await browser.turn(to: first)
                try await browser.allow(as: email)
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == account)
            }
        }

        @Test("Reloading and going back after a sign-in do no harm", arguments: kinds)
        func reloadAndBack(_ provider: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            try await Browser.run(gateway) { browser in
                try await browser.signIn(provider, as: email)
                let account = try await browser.accountID()
                let session = try await browser.cookie("__Host-session")
                try await browser.reload()
                #expect(try await browser.accountID() == account)
                try await browser.back()
                // If the browser caches the provider's page, its answer is sent a second time.
                if try await browser.has("#allow") { try await browser.click("#allow") }
                try await browser.waitFor("#action-to_account")
                try await browser.reload()
                try await browser.click("#action-to_account")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == account)
                #expect(try await browser.cookie("__Host-session") == session)
                let sessions = try await gateway.count(
                    "select count(*) from sessions where account_id = \(account)::uuid")
                #expect(sessions == 1)
            }
        }

        @Test("Without script every step works with buttons", arguments: ["apple", "acme"])
        func withoutScript(_ provider: String) async throws {
            try await Browser.run(try GatewayProcess.current, BrowserOptions(runsScripts: false)) { browser in
                try await browser.choose(provider)
                try await browser.allow(as: Fresh.email())
                if provider == "apple" {
                    try await browser.click("#answer #continue")
                    try await browser.arrive(at: "/login/apple/callback")
                    try await browser.click("#repost #continue")
                }
                try await browser.arrive(at: "/account")
                try await browser.waitFor("#sign-out")
            }
        }

        @Test("A browser that blocks third-party cookies signs in", arguments: kinds)
        func withoutThirdPartyCookies(_ provider: String) async throws {
            let options = BrowserOptions(takesThirdPartyCookies: false)
            try await Browser.run(try GatewayProcess.current, options) { browser in
                try await browser.signIn(provider, as: Fresh.email())
                try await browser.waitFor("#sign-out")
            }
        }

        @Test("A browser that lost its cookies gets advice and no session", arguments: kinds)
        func lostCookies(_ provider: String) async throws {
            try await Browser.run(try GatewayProcess.current) { browser in
                try await browser.choose(provider)
                try await browser.forgetCookies()
                try await browser.allow(as: Fresh.email())
                try await browser.waitFor("#action-try_again")
                #expect(try await browser.text(of: "h1") == "We couldn't continue your sign-in")
                #expect(try await browser.cookie("__Host-session") == nil)
            }
        }
    }
}
