import JSON
import Postgres
import TestSupport
import Testing

/// Linking on pages: from the account page, and for a known address.
@Suite(.gateway()) struct WebLinkTests {
    private func signedUp(_ email: String) async throws -> PageBrowser {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/sign-up")
        try await browser.submit("/sign-up", ["email": email, "password": GatewayProcess.password])
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        return browser
    }

    private func account(_ browser: PageBrowser) async throws -> String {
        let session = try await browser.send(TestRequest("GET", "/v1/session"))
        return try #require(session.json["account"]?["id"]?.string, "\(session.text)")
    }

    private func identities(_ account: String) async throws -> [String] {
        try await GatewayProcess.current.sql { connection in
            try connection.query(
                "select provider from identities where account_id = \(account)::uuid order by provider"
            )
            .map { try $0.value(0) }
        }
    }

    @Test("Linking from the account page adds the identity and keeps the session", arguments: WebSignInTests.providers)
    func link(_ provider: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await signedUp(Fresh.email())
        let owner = try await account(browser)
        let cookie = browser.cookies["__Host-session"]
        let back = try await gateway.simulator.authorize(
            try await browser.follow(link: provider), ["email": .string(Fresh.email())])
        let answer = try await browser.comeBack(back)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(browser.cookies["__Host-session"] == cookie)
        #expect(try await identities(owner) == [provider])
        #expect(!answer.links.contains { $0.hasPrefix("/login/\(provider)?") }, "what is linked isn't offered again")
    }

    @Test("the account page says which sign-in method was connected automatically")
    func automatic() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let owner = try await account(try await signedUp(email))
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.signIn("google", as: ["email": .string(email)])
        #expect(try await account(browser) == owner)
        try await browser.visit("/account/sign-in-methods")
        let words = "Connected automatically"
        #expect(browser.page.text.contains(words), "\(browser.page.text)")
        // A method that the user connected needs no such words.
        let other = try await signedUp(Fresh.email())
        let back = try await gateway.simulator.authorize(
            try await other.follow(link: "google"), ["email": .string(Fresh.email())])
        #expect(try await !other.comeBack(back).text.contains(words))
    }

    @Test("An identity of an account with a second factor can't be linked, and the page says so")
    func inUse() async throws {
        let gateway = try GatewayProcess.current
        let person: JSONObject = ["email": .string(Fresh.email())]
        let other = try await PageBrowser.open(gateway, "/login")
        try await other.signIn("google", as: person)
        try await gateway.change("update accounts set mfa = true where id = \(try await account(other))::uuid")
        let browser = try await signedUp(Fresh.email())
        let answer = try await browser.comeBack(
            try await gateway.simulator.authorize(try await browser.follow(link: "google"), person))
        #expect(answer.status == 409)
        #expect(try await gateway.audit(answer).map(\.reason) == ["identity_in_use"])
        #expect(answer.links.contains("/account"))
    }

    @Test("An identity of another account leads to a merge, which can be undone")
    func merge() async throws {
        let gateway = try GatewayProcess.current
        let person: JSONObject = ["email": .string(Fresh.email("example.org"))]
        let other = try await PageBrowser.open(gateway, "/login")
        try await other.signIn("google", as: person)
        let absorbed = try await account(other)
        let browser = try await signedUp(Fresh.email())
        let kept = try await account(browser)
        // The provider states no time, which is enough only where the account has nothing else to prove.
        let proved: JSONObject = ["email": .string(Fresh.email())]
        try await PageBrowser.open(gateway, "/login").signIn("google", as: proved)
        let refused = try await browser.comeBack(
            try await gateway.simulator.authorize(try await browser.follow(link: "google"), proved))
        #expect(refused.status == 409 && !refused.text.contains("/account/merge\""), "\(refused.text)")
        try await browser.visit("/account/sign-in-methods")
        let offer = try await browser.comeBack(
            try await gateway.simulator.authorize(try await browser.follow(link: "google"), person))
        #expect(offer.status == 200)
        #expect(offer.text.contains("<bdi>google</bdi>"), "\(offer.text)")
        #expect(try await identities(absorbed) == ["google"], "looking moves nothing")
        // The shown state is outdated, so the page is shown again.
        try await gateway.change("update accounts set mfa_demanded = true where id = \(kept)::uuid")
        let changed = try await browser.submit("/account/merge")
        #expect(changed.status == 409 && changed.text.contains("Check again"), "\(changed.text)")
        let done = try await browser.submit("/account/merge")
        #expect(done.status == 200 && done.text.contains("Your accounts are merged"), "\(done.text)")
        #expect(try await identities(kept) == ["google"])
        #expect(try browser.entries(of: "merge-list").count == 1)
        let undo = try #require(browser.page.forms.first { $0.action.hasPrefix("/account/merges/") }?.action)
        let apart = try await browser.submit(undo)
        #expect(apart.status == 200 && apart.text.contains("separate again"), "\(apart.text)")
        #expect(browser.cookies["__Host-session"] == nil)
        #expect(try await identities(absorbed) == ["google"])
        #expect(try await identities(kept) == [])
    }

    @Test("L-12 an old session must sign in again before it links")
    func staleProof() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await signedUp(Fresh.email())
        let owner = try await account(browser)
        let back = try await gateway.simulator.authorize(try await browser.follow(link: "google"))
        try await gateway.sql { connection in
            try connection.execute(
                "update sessions set auth_time = now() - interval '11 minutes' where account_id = \(owner)::uuid")
            _ = try connection.queryOne("select pg_notify('gateway_sessions', 'all')::text")
        }
        try await poll {
            let session = try await browser.send(TestRequest("GET", "/v1/session"))
            let proved = session.json["session"]?["auth_time"]?.string ?? ""
            return proved < (session.json["session"]?["created_at"]?.string ?? "") ? () : nil
        }
        // A return that is too late, and a start that would be too late.
        try await browser.visit("/account/sign-in-methods")
        let link = try #require(browser.page.links.first { $0.hasPrefix("/login/google?ticket=") })
        for answer in [try await browser.comeBack(back), try await browser.visit(link)] {
            #expect(answer.status == 403)
            #expect(try await gateway.audit(answer).map(\.reason) == ["reauth_required"])
            #expect(answer.links.contains { $0.hasPrefix("/login?") && $0.contains("prompt=login") })
        }
        #expect(try await identities(owner) == [])
        #expect(try await browser.visit("/login").text.contains("id=\"continue-as\""))
        #expect(try await browser.visit("/login?prompt=login").text.contains("id=\"continue-as\"") == false)
    }

    @Test("L-13 a link to a provider works only in the browser that got the page")
    func foreignTicket() async throws {
        let gateway = try GatewayProcess.current
        let attacker = try await signedUp(Fresh.email())
        try await attacker.visit("/account/sign-in-methods")
        let link = try #require(attacker.page.links.first { $0.hasPrefix("/login/google?ticket=") })
        let victim = try await signedUp(Fresh.email())
        let answer = try await victim.visit(link)
        #expect(answer.status == 400)
        #expect(try await gateway.audit(answer).map(\.reason) == ["flow_expired"])
    }

    @Test("A link that returns to another session, or to none, links nothing", arguments: [true, false])
    func otherSession(_ signsInAgain: Bool) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await signedUp(Fresh.email())
        let owner = try await account(browser)
        let back = try await gateway.simulator.authorize(try await browser.follow(link: "google"))
        let other = try await signedUp(Fresh.email())
        browser.setCookie("__Host-session", signsInAgain ? other.cookies["__Host-session"] : nil)
        let answer = try await browser.comeBack(back)
        #expect(answer.status == 401)
        #expect(try await gateway.audit(answer).map(\.reason) == ["session_ended"])
        #expect(try await identities(owner) == [])
        #expect(try await identities(try await account(other)) == [])
    }

    @Test("A session cookie with a provider's answer doesn't link the identity")
    func noSilentLink() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await signedUp(Fresh.email())
        let owner = try await account(browser)
        try await browser.signIn("google", as: ["email": .string(Fresh.email())])
        #expect(try await account(browser) != owner)
        #expect(try await identities(owner) == [])
        _ = gateway
    }

    @Test("An account with this address exists: the password joins them")
    func linkAccountByPassword() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let owner = try await account(try await signedUp(email))
        let browser = try await PageBrowser.open(gateway, "/login")
        let person: JSONObject = ["email": .string(email)]
        let asked = try await browser.signIn("amazon", as: person)
        #expect(asked.status == 200)
        #expect(browser.cookies["__Host-session"] == nil)
        #expect(!asked.text.contains(email), "the address is masked")
        let wrong = try await browser.passwordSignIn(email, "not this one")
        #expect(wrong.status == 401)
        #expect(wrong.forms.contains { $0.action == "/login/decline" }, "the same page again")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        #expect(try await account(browser) == owner)
        #expect(try await identities(owner) == ["amazon"])
        let again = try await PageBrowser.open(gateway, "/login")
        try await again.signIn("amazon", as: person)
        #expect(try await account(again) == owner)
    }

    @Test("An account with this address exists: a mailed code links it, even without a password")
    func linkAccountByCode() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let owner = try await account(try await signedUp(email))
        try await gateway.change("delete from passwords where account_id = \(owner)::uuid")
        let browser = try await PageBrowser.open(gateway, "/login")
        let asked = try await browser.signIn("amazon", as: ["email": .string(email)])
        let form = try #require(asked.forms.first { $0.action == "/login" })
        let sent = form.fields.map { ($0.0, $0.0 == "username" ? email : $0.1) } + [("with", "code")]
        try await browser.post("/login", sent)
        #expect(try await identities(owner) == [])
        try await browser.submit("/login/step", ["code": try await gateway.mailedCode(to: email, number: 2)])
        #expect(try await account(browser) == owner)
        #expect(try await identities(owner) == ["amazon"])
    }

    @Test("An account with this address exists: another provider's sign-in joins them")
    func linkAccountByProvider() async throws {
        let gateway = try GatewayProcess.current
        let person: JSONObject = ["email": .string(Fresh.email("example.com"))]
        let first = try await PageBrowser.open(gateway, "/login")
        try await first.signIn("google", as: person)
        let owner = try await account(first)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.signIn("amazon", as: person)
        let authorization = try await browser.follow(link: "google")
        try await browser.comeBack(try await gateway.simulator.authorize(authorization, person))
        #expect(try await account(browser) == owner)
        #expect(try await identities(owner) == ["amazon", "google"])
    }

    @Test("L-07 a link flow that is proved by another account links nothing")
    func otherAccount() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let owner = try await account(try await signedUp(email))
        let stranger = Fresh.email()
        _ = try await signedUp(stranger)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.signIn("amazon", as: ["email": .string(email)])
        let answer = try await browser.passwordSignIn(stranger, GatewayProcess.password)
        #expect(answer.status == 409)
        #expect(try await gateway.audit(answer).map(\.reason) == ["link_subject_changed"])
        #expect(try await identities(owner) == [])
    }

    @Test("Declining creates a separate account, without the address")
    func decline() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let owner = try await account(try await signedUp(email))
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.signIn("amazon", as: ["email": .string(email)])
        let answer = try await browser.submit("/login/decline")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await account(browser) != owner)
        #expect(try await identities(owner) == [])
        let session = try await browser.send(TestRequest("GET", "/v1/session"))
        #expect(session.json["account"]?["email"]?.isNull == true)
    }

    @Test("L-10 the last sign-in method can't be removed, and the page says so; another one can")
    func unlink() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.signIn("github", as: ["email": .string(Fresh.email())])
        try await browser.visit("/account/sign-in-methods")
        let only = try #require(browser.page.forms.first { $0.action.hasSuffix("/unlink") })
        let refused = try await browser.submit(only.action)
        #expect(refused.status == 409)
        #expect(try await gateway.audit(refused).map(\.reason) == ["last_credential"])
        #expect(refused.text.contains("role=\"alert\""))
        try await browser.visit("/account")
        try await browser.comeBack(
            try await gateway.simulator.authorize(
                try await browser.follow(link: "google"), ["email": .string(Fresh.email())]))
        let owner = try await account(browser)
        #expect(try await identities(owner) == ["github", "google"])
        let first = try #require(browser.page.forms.first { $0.action.hasSuffix("/unlink") })
        #expect(try await browser.submit(first.action).status == 200)
        #expect(try await identities(owner).count == 1)
    }
}
