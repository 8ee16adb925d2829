import Testing

@testable import Web

extension BrowserTests {
    /// The page behind the link of a notice about a new device.
    @Suite struct NotMe {
        @Test("The link of the notice leads to a new password, with and without script", arguments: [true, false])
        func reset(runsScripts: Bool) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let stranger = try await gateway.signInAsStranger(email)
            let link = try await gateway.notMeLink(to: email)
            let mails = gateway.mailedCodes(to: email)
            try await Browser.run(gateway, BrowserOptions(runsScripts: runsScripts)) { browser in
                try await browser.visit(link)
                try await browser.waitFor("#disown-form")
                #expect(try await browser.text(of: "#sign-in").contains(StrangeDevice.words))
                #expect(try await stranger.send(TestRequest("GET", "/v1/session")).status == 200)
                try await browser.click("#disown")
                try await browser.waitFor("#code")
                #expect(try await stranger.send(TestRequest("GET", "/v1/session")).status == 401)
                let code = try await gateway.mailedCode(to: email, number: mails + 1)
                try await browser.type(code, into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#new-password")
                try await browser.type("seven quiet barges at dusk \(Fresh.text())", into: "#new-password")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                try await browser.open(.activity)
                #expect(try await browser.text(of: "#event-list").contains("New device"))
                #expect(try await browser.complaints() == [])
                try await browser.visit(link)
                try await browser.click("#disown")
                try await browser.waitFor("#action-to_account")
            }
        }

        @Test("The page is in the language of the browser")
        func language() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            _ = try await gateway.signInAsStranger(email)
            let link = try await gateway.notMeLink(to: email)
            try await Browser.run(gateway) { browser in
                for (language, heading) in [("de", "Waren Sie das nicht?"), ("ru", "Это были не вы?")] {
                    try await browser.visit("\(link)&ui_locales=\(language)")
                    #expect(try await browser.text(of: "h1") == heading)
                }
            }
        }
    }
}
