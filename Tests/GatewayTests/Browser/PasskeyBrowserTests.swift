import Foundation
import JSON
import Postgres
import Testing

@testable import Web

extension BrowserTests {
    /// Passkeys by the page's script, with the driver's authenticator (WebAuthn Level 3 §11).
    @Suite struct Passkeys {
        @Test("A passkey created on the account page signs in until it is removed there")
        func signIn() async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            try await Browser.run(gateway) { browser in
                let authenticator = try await browser.addAuthenticator()
                try await person.signIn(browser)
                // This device can hold a passkey, so one is offered.
                try await browser.click("#not-now")
                try await browser.arrive(at: "/account")
                try await browser.open(.signInMethods)
                try await browser.click("#add-passkey")
                try await browser.click("#use-passkey")
                try await browser.waitFor("#done")
                // The user is absent while the login page opens, so the browser's suggestion is not accepted.
                try await browser.setPresence(false, at: authenticator)
                try await browser.signOut()
                try await browser.visit("/login")
                try await browser.waitFor("#use-passkey")
                try await browser.setPresence(true, at: authenticator)
                try await browser.click("#use-passkey")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == person.account)
                let account = person.account
                #expect(
                    try await gateway.count(
                        "select count(*) from sessions where account_id = \(account)::uuid and provider = 'passkey'")
                        == 1)
                try await browser.open(.signInMethods)
                try await browser.click("[id^=remove-]")
                try await browser.waitFor("#done")
                #expect(try await !browser.has("[id^=remove-]"))
                try await browser.signOut()
                // Here the browser's suggestion for the name is accepted at once.
                try await browser.visit("/login")
                try await browser.waitFor("#problem")
                #expect(try await browser.address().path == "/login/step")
                #expect(try await browser.cookie("__Host-session") == nil)
            }
        }

        @Test("A passkey is a second factor after the password")
        func secondFactor() async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            let client = try await Person.strictClient(gateway)
            try await Browser.run(gateway) { browser in
                let authenticator = try await browser.addAuthenticator()
                try await person.signIn(browser)
                try await browser.waitFor("#not-now")
                try await browser.click("#use-passkey")
                try await browser.arrive(at: "/account/sign-in-methods")
                try await browser.waitFor("#done")
                try await browser.setPresence(false, at: authenticator)
                try await browser.signOut()
                try await person.signIn(browser, at: "/login?client_id=\(client)")
                try await browser.waitFor("#remember-device")
                try await browser.setPresence(true, at: authenticator)
                try await browser.click("#use-passkey")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == person.account)
            }
        }

        @Test("Without script a passkey can't be used, and the login page doesn't offer it")
        func withoutScript() async throws {
            try await Browser.run(try GatewayProcess.current, BrowserOptions(runsScripts: false)) { browser in
                try await browser.visit("/login")
                let display = try await browser.evaluate(
                    "return getComputedStyle(document.getElementById('passkey-form')).display")
                #expect(display == "none")
            }
        }
    }
}
