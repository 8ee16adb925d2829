import Foundation
import JSON
import Postgres
import Testing

extension BrowserTests {
    /// Sign-ups at clients that require more than an address and a password.
    @Suite struct SignUps {
        private static let asked = SigningUpClient(
            names: ["user_name", "phone"],
            attributes: [
                ("given_name", "text", true), ("birthdate", "date", false), ("shoe_size", "number", false),
                ("newsletter", "flag", false), ("of_age", "flag", true),
            ])

        @Test(
            "A user name with attributes: errors are marked, the input stays, and the account is created",
            arguments: [true, false])
        func everything(runsScripts: Bool) async throws {
            let gateway = try GatewayProcess.current
            let client = try await Self.asked.add(gateway)
            let (name, email) = ("ann.\(Fresh.text())", Fresh.email())
            try await Browser.run(gateway, BrowserOptions(runsScripts: runsScripts)) { browser in
                try await browser.visit("/sign-up?client_id=\(client)")
                try await browser.fill("#username", "7 ducks")
                try await browser.fill("#email", email)
                try await browser.fill("#password", GatewayProcess.password)
                try await browser.fill("#attribute-0", "Ann & Lee")
                try await browser.evaluate("document.getElementById('attribute-1').value = '2001-12-31'")
                try await browser.fill("#attribute-2", "41.5")
                try await browser.click("#attribute-3")
                try await browser.click("#attribute-4-no")
                try await browser.click("#create")
                try await browser.waitFor("#username[aria-invalid]")
                #expect(try await browser.text(of: "#problem").contains("valid user name"))
                try await browser.waitForFocus("#username")
                try await expectKept(browser, email)
                try await browser.fill("#username", name)
                try await browser.type(GatewayProcess.password, into: "#password")
                try await browser.click("#create")
                try await browser.type(try await gateway.mailedCode(to: email), into: "#code")
                try await browser.click("#confirm")
                try await browser.arrive(at: "/account")
                let account = try await browser.accountID()
                let expected: JSON = [
                    "given_name": "Ann & Lee", "birthdate": "2001-12-31", "shoe_size": 41.5, "newsletter": true,
                    "of_age": false,
                ]
                #expect(try await attributes(of: account) == expected)
                try await browser.signOut()
                try await browser.visit("/login?client_id=\(client)")
                #expect(try await browser.text(of: "label[for=username]") == "Phone number or user name")
                try await browser.passwordSignIn(name)
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == account)
            }
        }

        @Test("A number without a password: the code creates the account, and signs in later")
        func number() async throws {
            let gateway = try GatewayProcess.current
            let client = try await Self.asked.add(gateway)
            let phone = Fresh.phone()
            try await Browser.run(gateway) { browser in
                try await browser.visit("/sign-up?client_id=\(client)")
                try await browser.click("#with-phone")
                try await browser.waitFor("#with-username")
                try await browser.fill("#phone", phone)
                try await browser.fill("#attribute-0", "Ann")
                try await browser.click("#attribute-4-yes")
                try await browser.click("#create-without-password")
                try await browser.waitFor("#code")
                #expect(try await browser.text(of: "h1") == "Check your phone")
                try await browser.type(try await gateway.textedCode(to: phone), into: "#code")
                try await browser.click("#confirm")
                try await browser.arrive(at: "/account")
                let account = try await browser.accountID()
                #expect(try await browser.text(of: "#address-list").contains(phone))
                #expect(try await !browser.has("#change-password"))
                try await browser.signOut()
                try await browser.visit("/login?client_id=\(client)")
                // A code was used last on this device, so the name leads to it at once.
                try await browser.fill("#username", phone)
                try await browser.click("#sign-in")
                try await browser.type(try await gateway.textedCode(to: phone, number: 2), into: "#code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == account)
            }
        }

        private func expectKept(_ browser: Browser, _ email: String) async throws {
            let kept = try await browser.evaluate(
                """
                const value = id => document.getElementById(id).value, ticked = id => document.getElementById(id).checked
                return [value('username'), value('email'), value('password'), value('attribute-0'), value('attribute-1'),
                    value('attribute-2'), ticked('attribute-3'), ticked('attribute-4-yes'), ticked('attribute-4-no')]
                """)
            #expect(
                kept == ["7 ducks", .string(email), "", "Ann & Lee", "2001-12-31", "41.5", true, false, true])
        }

        private func attributes(of account: String) async throws -> JSON? {
            let text = try await GatewayProcess.current.sql { connection in
                try connection.queryOne("select attributes::text from accounts where id = \(account)::uuid")?
                    .value(0, as: String.self)
            }
            let stored = try text.flatMap { try JSON(parsing: $0).object } ?? [:]
            let named = stored.members.map { member in
                JSONObject.Member(
                    name: member.name.split(separator: "/").last.map(String.init) ?? "", value: member.value)
            }
            return .object(JSONObject(named))
        }
    }
}
