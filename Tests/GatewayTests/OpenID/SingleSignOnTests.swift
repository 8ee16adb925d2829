import Foundation
import JSON
import Testing

/// One sign-in for several apps.
extension OpenIDTests {
    @Test("The second app asks nothing; each app has a session of its own, which the sign-out of the browser ends")
    func secondApp() async throws {
        let (first, second) = (try await RelyingParty.register(), try await RelyingParty.register())
        let visitor = try await Visitor.arrive()
        let one = try await first.tokens(try await visitor.signIn(first.request()))
        try await visitor.browser.visit(second.request())
        let two = try await second.tokens(visitor.browser)
        #expect(two.claims["sub"] == one.claims["sub"] && two.claims["sid"] != one.claims["sid"])
        try await visitor.browser.visit("/account")
        try await visitor.browser.submit("/logout")
        #expect(try await first.userInfo(one.access).status == 401)
        #expect(try await second.userInfo(two.access).status == 401)
        let answer = try await visitor.browser.visit(first.request(["prompt": "none"]))
        #expect(answer.header("Location")?.contains("error=login_required") == true)
    }

    @Test("With offline_access the app's session outlives the browser's")
    func offline() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let tokens = try await party.tokens(try await visitor.signIn(party.request(["scope": "openid offline_access"])))
        try await visitor.browser.visit("/account")
        try await visitor.browser.submit("/logout")
        #expect(try await party.userInfo(tokens.access).status == 200)
    }

    @Test("An app of the hosted sign-in page gets its code without a password too, and the user can switch accounts")
    func hosted() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let one = try await party.tokens(try await visitor.signIn(party.request()))
        let asked = party.request().replacing("/authorize?", with: "/login?")
        try await visitor.browser.visit(asked)
        #expect(try await party.tokens(visitor.browser).claims["sub"] == one.claims["sub"])
        try await visitor.browser.visit(asked + "&prompt=select_account")
        let other = Fresh.email()
        _ = try await party.gateway.signUp(other)
        try await visitor.browser.passwordSignIn(other)
        #expect(try await party.tokens(visitor.browser).claims["sub"] != one.claims["sub"])
    }

    @Test("prompt=select_account offers the account of the browser, and the answer is bound to it")
    func choice() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        let one = try await party.tokens(try await visitor.signIn(party.request()))
        try await visitor.browser.visit(party.request(["prompt": "select_account"]))
        try await visitor.browser.submit("/authorize/answer")
        #expect(try await party.tokens(visitor.browser).claims["sub"] == one.claims["sub"])
        try await visitor.browser.visit(party.request(["prompt": "select_account"]))
        try await visitor.browser.submit("/authorize/answer", ["account": UUID().uuidString.lowercased()])
        #expect(visitor.browser.page.forms.contains { $0.action == "/authorize/answer" })
    }

    @Test("A hint about another user asks for that user, and never answers with this one")
    func otherUser() async throws {
        let party = try await RelyingParty.register()
        let (ann, bob) = (try await Visitor.arrive(), try await Visitor.arrive())
        let hint = try await party.tokens(try await ann.signIn(party.request())).idToken
        try await bob.signIn(party.request())
        let silent = try await bob.browser.visit(party.request(["prompt": "none", "id_token_hint": hint]))
        #expect(silent.header("Location")?.contains("error=login_required") == true)
        try await bob.browser.visit(party.request(["id_token_hint": hint]))
        try await bob.browser.passwordSignIn(bob.email)
        #expect(bob.browser.departureQuery["error"] == "login_required")
        let changed = try await bob.browser.visit(party.request(["id_token_hint": hint + "x"]))
        #expect(changed.header("Location")?.contains("error=invalid_request") == true)
    }

    @Test("acr_values=2 raises the session of a user who has a second factor")
    func stepUp() async throws {
        let party = try await RelyingParty.register()
        let person = try await party.gateway.protectedPerson()
        let browser = try await PageBrowser.open(party.gateway, party.request(["acr_values": "2"]))
        try await browser.passwordSignIn(person.email)
        try await browser.submit("/login/step", ["code": try await party.gateway.freshCode(person)])
        #expect(try await party.tokens(browser).claims["acr"] == "2")
        // Without a second factor the answer says what was reached.
        let plain = try await Visitor.arrive()
        #expect(try await party.tokens(try await plain.signIn(party.request(["acr_values": "2"]))).claims["acr"] == "1")
        let essential = "{\"id_token\": {\"acr\": {\"essential\": true, \"value\": \"2\"}}}"
        let refused = try await plain.browser.visit(party.request(["claims": essential]))
        #expect(refused.header("Location")?.contains("error=unmet_authentication_requirements") == true)
    }

    @Test("A request that was answered is used, and one of a stranger's reference is none")
    func usedRequest() async throws {
        let party = try await RelyingParty.register()
        let visitor = try await Visitor.arrive()
        try await visitor.browser.visit(party.request())
        let back = try #require(visitor.browser.page.forms.first?.fields.first { $0.0 == "return_to" }?.1)
        try await visitor.browser.passwordSignIn(visitor.email)
        _ = try await party.tokens(visitor.browser)
        for address in [back, back + "x", "/authorize?r=au_AAAA"] {
            let answer = try await visitor.browser.visit(address)
            #expect(answer.status >= 400 && answer.header("Location") == nil, "\(answer.status)")
        }
    }
}
