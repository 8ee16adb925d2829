import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import Web

extension BrowserTests {
    /// Sign-ins with several steps.
    @Suite struct Steps {
        @Test(
            "A client that requires a second factor has one set up, and recovery codes are shown before the sign-in continues",
            arguments: [true, false])
        func setUp(runsScripts: Bool) async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            let client = try await Person.strictClient(gateway)
            try await Browser.run(gateway, BrowserOptions(runsScripts: runsScripts)) { browser in
                try await person.signIn(browser, at: "/login?client_id=\(client)")
                try await browser.click("[id^=choose-totp]")
                try await browser.waitFor("#qr")
                let address = try await browser.attribute("href", of: "#open-app")
                #expect(address?.hasPrefix("otpauth://totp/") == true)
                for look in Look.all {
                    try await browser.take(look)
                    #expect(try await QRReader.read(try await browser.picture(look)) == address, "\(look)")
                }
                try await person.setUpApp(browser)
                #expect(Set(person.recoveryCodes).count == 10)
                #expect(try await browser.cookie("__Host-session") == nil)
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == person.account)
                let session = try await browser.cookie("__Host-session")
                #expect(session != nil)
                try await browser.open(.twoStep)
                #expect(try await browser.text(of: "#codes-left").contains("10"))
            }
        }

        @Test("The app's code completes the sign-in; a wrong one shows an error on the same page")
        func appCode() async throws {
            try await protected { browser, person in
                try await person.signIn(browser)
                try await browser.type(person.wrongAppCode(), into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#problem")
                #expect(try await browser.text(of: "h1") == "Code from your app")
                #expect(try await browser.text(of: "#problem").contains("4"))
                try await browser.waitForFocus("#code")
                #expect(try await browser.cookie("__Host-session") == nil)
                try await browser.type(person.appCode(), into: "#code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == person.account)
            }
        }

        @Test("A recovery code replaces the app's code, once")
        func recoveryCode() async throws {
            try await protected { browser, person in
                try await person.signIn(browser)
                try await browser.click("[id^=choose-recovery_code]")
                try await browser.type(person.recoveryCodes[0], into: "#recovery-code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                try await browser.open(.twoStep)
                #expect(try await browser.text(of: "#codes-left").contains("9"))
                try await browser.forgetCookies()
                try await person.signIn(browser)
                try await browser.click("[id^=choose-recovery_code]")
                try await browser.type(person.recoveryCodes[0], into: "#recovery-code")
                try await browser.click("#go-on")
                try await browser.waitFor("#problem")
                #expect(try await browser.text(of: "h1") == "Recovery code")
                #expect(try await browser.cookie("__Host-session") == nil)
            }
        }

        @Test("A remembered device skips the second factor until it is removed on the account page")
        func remember() async throws {
            try await protected { browser, person in
                try await person.signIn(browser)
                try await browser.click("#remember-device")
                try await browser.type(person.appCode(), into: "#code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                try await browser.signOut()
                try await person.signIn(browser)
                try await browser.arrive(at: "/account")
                try await browser.open(.devices)
                try await browser.click("[id^=forget-]")
                try await browser.waitFor("#done")
                try await browser.signOut()
                try await person.signIn(browser)
                try await browser.waitFor("#remember-device")
            }
        }

        @Test("A forgotten password is reset with a mailed code, and the app's code is still required")
        func forgot() async throws {
            try await protected { browser, person in
                let mails = person.mailCount
                try await browser.visit("/login")
                try await browser.fill("#username", person.email)
                try await browser.click("#forgot")
                try await browser.waitFor("#send-code")
                #expect(try await browser.attribute("value", of: "#username") == person.email)
                try await browser.click("#send-code")
                try await browser.waitFor("#code")
                let code = try await person.mailedCode(after: mails)
                try await browser.type(code, into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#new-password")
                try await browser.type("password1234", into: "#new-password")
                try await browser.click("#go-on")
                try await browser.waitFor("#problem")
                #expect(try await browser.evaluate("return document.getElementById('new-password').value") == "")
                let chosen = "seven quiet barges at dusk \(Fresh.text())"
                try await browser.type(chosen, into: "#new-password")
                try await browser.click("#go-on")
                try await browser.waitFor("#remember-device")
                #expect(try await browser.cookie("__Host-session") == nil)
                try await browser.type(person.appCode(), into: "#code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == person.account)
                try await browser.forgetCookies()
                try await browser.visit("/login")
                try await browser.passwordSignIn(person.email, chosen)
                try await browser.waitFor("#remember-device")
            }
        }

        @Test("A mailed code signs in without a password; a new code isn't available at once")
        func mailedCode() async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            let mails = person.mailCount
            try await Browser.run(gateway) { browser in
                try await browser.visit("/login")
                try await browser.enterName(person.email)
                try await browser.useCode()
                let code = try await person.mailedCode(after: mails)
                try await browser.click("#resend")
                try await browser.waitFor("#problem")
                #expect(try await browser.text(of: "#problem").contains("seconds"))
                try await browser.type(code == "000000" ? "000001" : "000000", into: "#code")
                try await browser.click("#go-on")
                try await browser.waitFor("#code[aria-invalid]")
                try await browser.type(code, into: "#code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == person.account)
            }
        }

        @Test(
            "Without a password the first page asks for the name, and the next one for the app's first factor, with the others"
        )
        func firstFactorSelection() async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            let mails = person.mailCount
            let client = "nameless-\(Fresh.text())"
            _ = try await gateway.sql { connection in
                try connection.execute(
                    """
                    insert into clients (id, name, origins, redirect_uris, providers)
                    values (\(client), 'Kiosk', '{}', '{}', '{email_otp,passkey}')
                    """)
            }
            try await poll { try await gateway.get("/login?client_id=\(client)").status == 200 ? () : nil }
            try await Browser.run(gateway) { browser in
                try await browser.visit("/login?client_id=\(client)")
                #expect(try await !browser.has("#password"))
                try await browser.fill("#username", person.email)
                try await browser.click("#sign-in")
                try await browser.waitFor("[id^=choose-passkey]")
                try await browser.type(try await person.mailedCode(after: mails), into: "#code")
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == person.account)
            }
        }

        @Test("An app gets its code after the last step, even if the recovery codes were shown for long")
        func handOver() async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            let client = try await Person.strictClient(gateway)
            let address = "http://127.0.0.1:\(try FreePort.choose())/back"
            let encoded = address.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
            try await Browser.run(gateway) { browser in
                try await person.signIn(
                    browser,
                    at: "/login?client_id=\(client)&redirect_uri=\(encoded)&state=s&code_challenge=\(challenge)")
                try await browser.click("[id^=choose-totp]")
                try await person.setUpApp(browser)
                // The app has no session yet, so none can expire with its code.
                let begun = try await gateway.count(
                    "select count(*) from sessions where client_id = \(client) and browser_id is not null")
                #expect(begun == 0)
                try await browser.click("#go-on")
                let items = try await browser.arrive(at: "/back").queryItems ?? []
                #expect(items.first { $0.name == "state" }?.value == "s")
                let tokens = try await gateway.send(
                    TestRequest("POST", "/v1/token").form([
                        ("grant_type", "authorization_code"), ("client_id", client), ("redirect_uri", address),
                        ("code", items.first { $0.name == "code" }?.value ?? ""),
                        ("code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
                    ]))
                #expect(tokens.status == 200, "\(tokens.text)")
            }
        }

        /// A user with an authenticator app, and a browser without a session.
        private func protected(_ body: (Browser, Person) async throws -> Void) async throws {
            let gateway = try GatewayProcess.current
            let person = try await Person(gateway)
            try await Browser.run(gateway) { browser in
                try await person.signIn(browser)
                try await browser.arrive(at: "/account")
                try await browser.open(.twoStep)
                try await browser.click("#add-totp")
                try await person.setUpApp(browser)
                try await browser.click("#go-on")
                try await browser.arrive(at: "/account/two-step")
                try await browser.signOut()
                try await body(browser, person)
            }
        }
    }
}
