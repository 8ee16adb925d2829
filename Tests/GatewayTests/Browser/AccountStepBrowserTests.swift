import Testing

@testable import Web

extension BrowserTests {
    /// Addresses, numbers and their factors, on the account page.
    @Suite struct AccountSteps {
        @Test("An address is added, made the main one, and the old one is removed", arguments: [true, false])
        func address(runsScripts: Bool) async throws {
            let gateway = try GatewayProcess.current
            let (old, new) = (Fresh.email(), Fresh.email())
            try await Browser.run(gateway, BrowserOptions(runsScripts: runsScripts)) { browser in
                try await browser.signUp(old, gateway: gateway)
                let account = try await browser.accountID()
                try await browser.click("#add-address")
                try await browser.fill("#email", "nobody@nowhere")
                try await browser.click("#go-on")
                try await browser.waitFor("#email[aria-invalid]")
                try await browser.fill("#email", new)
                try await browser.click("#go-on")
                // At once, because after 30 seconds another code would be sent.
                try await browser.click("#resend")
                try await browser.waitFor("#problem")
                #expect(try await browser.text(of: "#problem").contains("seconds"))
                let code = try await gateway.mailedCode(to: new)
                try await browser.type(code == "000000" ? "000001" : "000000", into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#code[aria-invalid]")
                try await browser.type(code, into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#done")
                try await browser.click("#address-main-1")
                try await browser.until("the new address to be the main one") {
                    try await browser.text(of: "header").contains(new) ? () : nil
                }
                #expect(try await browser.text(of: "#address-list li:first-child").contains(new))
                try await browser.click("#address-remove-1")
                try await browser.until("the old address to be gone") {
                    try await browser.text(of: "#address-list").contains(old) ? nil : ()
                }
                #expect(try await browser.accountID() == account)
            }
        }

        @Test("A number becomes a second factor, is demanded at the next sign-in, and is removed again")
        func texts() async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            let phone = Fresh.phone()
            try await Browser.run(gateway) { browser in
                try await person.signIn(browser)
                try await browser.arrive(at: "/account")
                try await browser.open(.twoStep)
                try await browser.click("#add-sms")
                try await browser.fill("#phone", phone)
                try await browser.click("#go-on")
                try await browser.type(try await gateway.textedCode(to: phone), into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#codes")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account/two-step")
                try await browser.signOut()
                try await person.signIn(browser)
                try await browser.type(try await gateway.textedCode(to: phone, number: 2), into: "#code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                try await browser.open(.twoStep)
                #expect(try await browser.text(of: "#codes-left").contains("10"))
                try await browser.open(.twoStep)
                try await browser.click("[id^=remove-]")
                try await browser.waitFor("#done")
                #expect(try await !browser.has("#codes-left"))
                try await browser.signOut()
                try await person.signIn(browser)
                try await browser.arrive(at: "/account")
            }
        }

        @Test("A second click on a form that is being sent doesn't change the answer to the first")
        func doubleClick() async throws {
            let gateway = try GatewayProcess.current
            let phone = Fresh.phone()
            try await Browser.run(gateway) { browser in
                try await browser.signUp(Fresh.email(), gateway: gateway)
                try await browser.open(.twoStep)
                try await browser.click("#add-sms")
                try await browser.fill("#phone", phone)
                try await browser.click("#go-on")
                try await browser.type(try await gateway.textedCode(to: phone), into: "#code")
                _ = try await browser.evaluate(
                    "const go = document.getElementById('go-on'); go.click(); go.click(); return true")
                try await browser.waitFor("#codes")
            }
        }

        @Test("A mailbox becomes a second factor in addition to the app, and can be the default")
        func mailbox() async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            let mailbox = Fresh.email()
            try await Browser.run(gateway) { browser in
                try await person.signIn(browser)
                try await browser.arrive(at: "/account")
                try await browser.open(.twoStep)
                try await browser.click("#add-email")
                try await browser.fill("#email", mailbox)
                try await browser.click("#go-on")
                try await browser.type(try await gateway.mailedCode(to: mailbox), into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#codes")
                try await browser.click("#go-on")
                // The enrolment proved the mailbox, so the next change asks for nothing.
                try await browser.arrive(at: "/account/two-step")
                try await browser.open(.twoStep)
                try await browser.click("#add-totp")
                try await person.addApp(browser)
                try await browser.click("[id^=prefer-]")
                try await browser.waitFor("#done")
                #expect(try await browser.text(of: "#security + ul li .badge") == "preferred second step")
                try await browser.click("#new-codes")
                try await browser.waitFor("#codes")
            }
        }
    }
}
