import Postgres
import Testing

@testable import Web

extension BrowserTests {
    /// Passwords, the account page, and merges of one's own accounts.
    @Suite struct Account {
        private func identities(_ account: String) async throws -> [String] {
            try await GatewayProcess.current.sql { connection in
                try connection.query(
                    "select provider from identities where account_id = \(account)::uuid order by provider"
                )
                .map { try $0.value(0) }
            }
        }

        @Test("Linking from the account page adds the identity and keeps the session", arguments: kinds)
        func link(_ provider: String) async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway) { browser in
                try await browser.signUp(Fresh.email(), gateway: gateway)
                let account = try await browser.accountID()
                let session = try await browser.cookie("__Host-session")
                try await browser.open(.signInMethods)
                try await browser.click("#link-\(provider)")
                try await browser.allow(as: Fresh.email())
                try await browser.arrive(at: "/account/sign-in-methods")
                try await browser.waitFor("#done")
                #expect(try await !browser.has("#link-\(provider)"))
                #expect(try await browser.accountID() == account)
                #expect(try await browser.cookie("__Host-session") == session)
                #expect(try await identities(account) == [provider])
            }
        }

        @Test("A cancelled link leaves the account unchanged", arguments: kinds)
        func cancelledLink(_ provider: String) async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway) { browser in
                try await browser.signUp(Fresh.email(), gateway: gateway)
                let account = try await browser.accountID()
                try await browser.open(.signInMethods)
                try await browser.click("#link-\(provider)")
                try await browser.click("#cancel")
                try await browser.waitFor("main.card .actions")
                #expect(try await browser.account() == account)
                #expect(try await identities(account) == [])
            }
        }

        @Test("An address with an account: the password links the identity")
        func joinByPassword() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let owner = try await gateway.signUp(email).account
            try await Browser.run(gateway) { browser in
                try await browser.choose("amazon")
                try await browser.allow(as: email)
                try await browser.waitFor("#decline")
                #expect(try await browser.cookie("__Host-session") == nil)
                try await browser.passwordSignIn(email, "not this one")
                try await browser.waitFor("#problem")
                try await browser.passwordSignIn(email)
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == owner)
                #expect(try await identities(owner) == ["amazon"])
            }
        }

        @Test("An address with an account: a sign-in at another provider links the identity")
        func joinByProvider() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            try await Browser.run(gateway) { browser in
                try await browser.signIn("google", as: email)
                let owner = try await browser.accountID()
                try await browser.click("#sign-out")
                try await browser.arrive(at: "/logout")
                try await browser.choose("amazon")
                try await browser.allow(as: email)
                try await browser.waitFor("#decline")
                try await browser.click("#provider-google")
                try await browser.allow(as: email)
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == owner)
                #expect(try await identities(owner) == ["amazon", "google"])
            }
        }

        @Test("An address with an account: declining creates a separate account")
        func decline() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let owner = try await gateway.signUp(email).account
            try await Browser.run(gateway) { browser in
                try await browser.choose("amazon")
                try await browser.allow(as: email)
                try await browser.click("#decline")
                try await browser.arrive(at: "/account")
                let own = try await browser.accountID()
                #expect(own != owner)
                #expect(try await identities(own) == ["amazon"])
                #expect(try await identities(owner) == [])
            }
        }

        @Test("A mailed code creates a password account, which signs in and out")
        func password() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            try await Browser.run(gateway) { browser in
                try await browser.signUp(email, name: "Ann & Lee", gateway: gateway)
                let account = try await browser.accountID()
                #expect(try await browser.attribute("value", of: "#display-name") == "Ann & Lee")
                #expect(try await browser.text(of: "#address-list").contains(email))
                try await browser.signOut()
                #expect(try await browser.text(of: "h1") == "You are signed out")
                try await browser.visit("/account")
                try await browser.arrive(at: "/login")
                try await browser.passwordSignIn(email, "not this one")
                try await browser.waitFor("#problem")
                #expect(try await browser.text(of: "#name") == email)
                try await browser.waitForFocus("#password")
                try await browser.passwordSignIn(email)
                try await browser.arrive(at: "/account")
                #expect(try await browser.accountID() == account)
            }
        }

        @Test("Signing out everywhere ends the sessions of other browsers")
        func everywhere() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            try await Browser.run(gateway) { browser in
                // Only now: the wait for a free browser may outlast an access token.
                let elsewhere = try await gateway.signUp(email)
                try await browser.visit("/login")
                try await browser.passwordSignIn(email)
                try await browser.arrive(at: "/account")
                #expect(try await gateway.get("/v1/session", bearer: elsewhere.accessToken).status == 200)
                try await browser.click("#sign-out-everywhere")
                try await browser.waitFor("#action-sign_in")
                #expect(try await browser.text(of: "h1") == "You are signed out everywhere")
                try await gateway.expectEnded(elsewhere.accessToken, [elsewhere.refreshToken])
            }
        }
    }
}
