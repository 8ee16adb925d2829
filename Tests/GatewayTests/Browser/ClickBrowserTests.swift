import JSON
import Postgres
import Testing

@testable import OperatorAccess

extension BrowserTests {
    /// The clicks of an operator's frequent tasks, from the console's first page.
    ///
    /// Typing does not count.
    @Suite struct Clicks {
        /// A browser that counts its clicks.
        private final class Counted {
            let browser: Browser
            private(set) var clicks = 0

            init(_ browser: Browser) { self.browser = browser }

            func click(_ selector: String) async throws {
                clicks += 1
                try await browser.click(selector)
            }

            /// Searches, and opens the first account of the results.
            func find(_ words: String) async throws {
                try await browser.fill("#q", words)
                try await click("#search")
                try await browser.waitFor("#results")
                try await click("#results a")
                try await browser.waitFor("#account-id")
            }

            func confirm(_ reason: String) async throws {
                try await browser.fill("#reason", reason)
                try await click("#confirm")
            }
        }

        private func counted(as role: OperatorRole, _ body: (Counted) async throws -> Void) async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway) { browser in
                try await browser.openConsole(gateway, as: role)
                try await body(Counted(browser))
            }
        }

        @Test("Merging two accounts takes four clicks")
        func merge() async throws {
            let gateway = try GatewayProcess.current
            let name = "Ann \(Fresh.text().filter(\.isLetter))"
            for _ in 0..<2 {
                let account = try await gateway.signUp(Fresh.email()).account
                try await gateway.furnish(account, name: name, identity: Fresh.text())
            }
            try await counted(as: .admin) { console in
                try await console.find(name)
                try await console.click("section [data-do=merge]")
                try await console.browser.waitFor("#preview")
                try await console.confirm("both are hers, by phone")
                try await console.browser.waitFor("#undo-it")
                #expect(console.clicks == 4)
            }
        }

        @Test("Removing a lost second factor takes four clicks")
        func removeFactor() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            try await counted(as: .admin) { console in
                try await console.find(person.email)
                try await console.click("[data-do=remove_factors]")
                try await console.confirm("lost the phone, called us")
                try await console.browser.waitFor("#done")
                #expect(console.clicks == 4)
            }
        }

        @Test("Adding an app with Apple and a password takes four clicks")
        func addApp() async throws {
            let gateway = try GatewayProcess.current
            let id = "ducks-\(Fresh.text().lowercased())"
            try await counted(as: .owner) { console in
                try await console.click(".bar a[href='/admin/clients']")
                try await console.click("#new")
                // The id comes from the name, and the password is ticked.
                try await console.browser.fill("#name", id)
                try await console.click("#provider-apple")
                try await console.browser.fill("#reason", "the shop's new app")
                try await console.click("#go-on")
                try await console.browser.waitFor("#callbacks")
                #expect(try await gateway.count("select count(*) from clients where id = \(id)") == 1)
                #expect(console.clicks == 4)
            }
        }

        @Test("Finding why a sign-in failed, from the reference that its user reads out, takes one click")
        func reference() async throws {
            let gateway = try GatewayProcess.current
            let wrong = try await gateway.signIn(
                "password", credential: ["username": .string(Fresh.email()), "password": "not this one"])
            _ = try await gateway.audit(wrong)
            try await counted(as: .support) { console in
                try await console.browser.fill("#q", wrong.requestID.uppercased())
                try await console.click("#search")
                try await console.browser.until("the refused sign-in") {
                    let isFound = try await console.browser.has(".causes")
                    return isFound ? () : nil
                }
                #expect(try await console.browser.text(of: ".causes").contains("Wrong name or password"))
                #expect(console.clicks == 1)
            }
        }

        @Test("Finding why a user can't sign in takes two clicks")
        func wrongPassword() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let wrong = try await gateway.signIn(
                "password", credential: ["username": .string(email), "password": "not this one"])
            #expect(wrong.status == 401)
            try await counted(as: .support) { console in
                try await console.find(email)
                #expect(try await console.browser.text(of: ".story").contains("refused"))
                #expect(console.clicks == 2)
            }
        }
    }
}
