import Foundation
import JSON
import Testing

extension TypeScriptTests {
    /// The library and `<gateway-sign-in>` on a website of another origin, under a strict Content-Security-Policy.
    @Suite("On a website")
    struct Websites {
        private static func visit(_ body: (GatewayProcess, Browser) async throws -> Void) async throws {
            let gateway = try GatewayProcess.current
            try await Website.run(gateway) {
                try await Browser.run(gateway) { browser in
                    try await browser.visit(try Website.origin + "/")
                    try await body(gateway, browser)
                }
            }
        }

        @Test("the element signs in by a password and the code of an app")
        func secondFactor() async throws {
            try await Self.visit { gateway, browser in
                let person = try await gateway.protectedPerson()
                try await browser.signInAtWebsite(person.email, password: "not the password of this user")
                try await browser.until("the problem") {
                    try await browser.text(of: "[data-problem]") == "Incorrect name or password." ? () : nil
                }
                try await browser.signInAtWebsite(person.email)
                try await browser.waitFor("form[data-view=confirm_sign_in_with_totp_code]")
                try await browser.type(GatewayProcess.code(person.secret, stepsAhead: 1), into: "[name=code]")
                try await browser.click("[data-action=submit]")
                try await browser.waitForUser(person.email)
                try await browser.reload()
                try await browser.waitForUser(person.email)
                try await browser.click("#sign-out")
                try await browser.waitFor("form[data-view=start]")
            }
        }

        @Test("the element creates an account, and resets its password")
        func signUp() async throws {
            try await Self.visit { gateway, browser in
                let email = Fresh.email()
                try await browser.click("[data-action=sign-up]")
                try await browser.fillSignUp(email)
                try await browser.type(try await gateway.mailedCode(to: email), into: "[name=code]")
                try await browser.click("[data-action=submit]")
                try await browser.waitForUser(email)
                try await browser.click("#sign-out")
                try await browser.waitFor("form[data-view=start]")
                try await browser.click("[data-action=forgot]")
                try await browser.waitFor("form[data-view=forgot]")
                try await browser.fill("[name=username]", email)
                try await browser.click("[data-action=submit]")
                try await browser.waitFor("form[data-view=reset_password]")
                try await browser.type(try await gateway.mailedCode(to: email, number: 2), into: "[name=code]")
                try await browser.fill("[name=new_password]", "brown otter under the bridge 17")
                try await browser.click("[data-action=submit]")
                try await browser.waitForUser(email)
            }
        }

        @Test("a passkey signs in by its button, and from the browser's suggestions")
        func passkey() async throws {
            try await Self.visit { gateway, browser in
                let email = Fresh.email()
                _ = try await gateway.signUp(email)
                let authenticator = try await browser.addAuthenticator()
                try await browser.signInAtWebsite(email)
                try await browser.waitForUser(email)
                try await browser.click("#add-passkey")
                try await browser.waitFor("#user[data-passkey=added]")
                try await browser.setPresence(false, at: authenticator)
                try await browser.click("#sign-out")
                try await browser.waitFor("form[data-view=start] [data-action=passkey]")
                try await browser.click("[data-action=passkey]")
                // The button has ended the request for suggestions.
                try await browser.waitFor("body[data-asked=button]")
                try await browser.setPresence(true, at: authenticator)
                try await browser.evaluate("proceed()")
                try await browser.waitFor("#user[data-count='2']")
                // Here the owner chooses at once from the suggestions for the name.
                try await browser.click("#sign-out")
                try await browser.waitFor("#user[data-count='3']")
                try await browser.waitForUser(email)
            }
        }

        @Test("text never becomes markup in the element")
        func markup() async throws {
            try await Self.visit { _, browser in
                try await browser.waitFor("form[data-view=start]")
                let markup = "<img src=x><b>Sign in</b>"
                try await browser.evaluate(
                    "document.querySelector('gateway-sign-in').texts = { signIn: arguments[0] }", [.string(markup)])
                #expect(try await browser.text(of: "gateway-sign-in h2") == markup)
                #expect(try await !browser.has("gateway-sign-in img"))
            }
        }

        @Test("a redirect by PKCE comes back with a session, and leaves no code in the address")
        func redirect() async throws {
            try await Self.visit { _, browser in
                let email = Fresh.email()
                try await browser.click("[data-action=provider-google]")
                try await browser.allow(as: email)
                try await browser.waitForUser(email)
                let address = try await browser.address()
                #expect(address.path == "/" && address.query == nil, "\(address)")
            }
        }

        @Test("a website on the gateway's site reads the session of the cookie, and stores no token")
        func cookie() async throws {
            try await Self.visit { gateway, browser in
                let email = Fresh.email()
                _ = try await gateway.signUp(email)
                let page = try Website.origin + "/cookie.html"
                try await browser.visit(page)
                try await browser.waitForUser("nobody")
                try await browser.click("#sign-in")
                try await browser.passwordSignIn(email)
                try await browser.waitForUser(email)
                #expect(try await browser.address().string == page)
                #expect(try await browser.evaluate("return localStorage.length").integer == 0)
            }
        }

        @Test("two tabs with one expired token refresh once, and both stay signed in")
        func twoTabs() async throws {
            try await Self.visit { gateway, browser in
                let email = Fresh.email()
                _ = try await gateway.signUp(email)
                try await browser.signInAtWebsite(email)
                try await browser.waitForUser(email)
                let first = try await browser.openTab()
                try await browser.visit(try Website.origin + "/")
                try await browser.waitForUser(email)
                let second = try await browser.session.get("window").string ?? ""
                try await browser.evaluate("expireAndRefresh()")
                var tokens = try await browser.receivedTokens()
                var refreshes = try await browser.refreshCount()
                try await browser.turn(to: first)
                tokens += try await browser.receivedTokens()
                refreshes += try await browser.refreshCount()
                #expect(Set(tokens).count == 1)
                #expect(refreshes == 1)
                try await browser.click("#sign-out")
                try await browser.turn(to: second)
                try await browser.waitFor("body[data-state=signedOut]")
            }
        }
    }
}

extension Browser {
    /// Types a name and a password into the element, and sends them.
    fileprivate func signInAtWebsite(_ email: String, password: String = GatewayProcess.password) async throws {
        try await waitFor("form[data-view=start]")
        try await fill("[name=username]", email)
        try await fill("[name=password]", password)
        try await click("[data-action=submit]")
    }

    fileprivate func fillSignUp(_ email: String) async throws {
        try await waitFor("form[data-view=sign-up]")
        try await fill("[name=username]", email)
        try await fill("[name=password]", GatewayProcess.password)
        try await click("[data-action=submit]")
        try await waitFor("form[data-view=confirm_sign_up]")
    }

    /// Waits until the website shows who is signed in.
    fileprivate func waitForUser(_ email: String) async throws {
        try await until("the user \(email)") { try await text(of: "#user") == email ? () : nil }
    }

    /// How often this tab has asked the gateway for new tokens.
    fileprivate func refreshCount() async throws -> Int {
        try await evaluate("return refreshes()").integer ?? 0
    }

    /// The access tokens that this tab got after it was started.
    fileprivate func receivedTokens() async throws -> [String] {
        try await until("the tokens") {
            let tokens = (try await evaluate("return window.received ?? []").array ?? []).compactMap(\.string)
            return tokens.isEmpty ? nil : tokens
        }
    }
}
