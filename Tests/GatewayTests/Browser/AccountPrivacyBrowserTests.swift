import JSON
import Testing

@testable import Web

extension BrowserTests {
    /// Deletion, its cancellation, and the export of one's data.
    @Suite struct AccountPrivacy {
        @Test(
            "A deletion requested on the account page is shown at the next sign-in and cancelled",
            arguments: [true, false])
        func deletion(runsScripts: Bool) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            try await Browser.run(gateway, BrowserOptions(runsScripts: runsScripts)) { browser in
                try await browser.signUp(email, gateway: gateway)
                let account = try await browser.accountID()
                try await browser.open(.activity)
                #expect(try await browser.text(of: "#event-list").contains("Account created"))
                try await browser.open(.data)
                try await browser.click("#delete-account")
                try await browser.arrive(at: "/account/delete")
                #expect(try await browser.text(of: "#waits").contains("14"))
                try await browser.click("#keep")
                try await browser.arrive(at: "/account")
                try await browser.open(.data)
                try await browser.click("#delete-account")
                try await browser.click("#confirm")
                try await browser.click("#delete")
                try await browser.waitFor("#action-sign_in")
                #expect(try await browser.cookie("__Host-session") == nil)
                try await browser.click("#action-sign_in")
                try await browser.passwordSignIn(email)
                try await browser.waitFor("#deletion")
                try await browser.open(.data)
                #expect(try await !browser.has("#delete-account"))
                try await browser.open(.activity)
                #expect(try await browser.text(of: "#event-list").contains("Deletion requested"))
                try await browser.click("#keep-account")
                try await browser.waitFor("#done")
                #expect(try await !browser.has("#deletion"))
                #expect(try await browser.accountID() == account)
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("The keyboard alone is enough to leave")
        func keyboard() async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway) { browser in
                try await browser.signUp(Fresh.email(), gateway: gateway)
                try await browser.visit("/account/delete")
                try await browser.waitFor("#delete-form")
                try await browser.evaluate("document.getElementById('confirm').focus()")
                try await browser.press(" ")
                try await browser.press("\u{E004}")
                try await browser.waitForFocus("#delete")
                try await browser.press("\u{E007}")
                try await browser.waitFor("#action-sign_in")
            }
        }
    }
}
