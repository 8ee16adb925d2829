import Foundation
import JSON
import Postgres
import Testing

/// The age of a session's proof by a provider.
@Suite("Proofs by providers and their age", .gateway(StepServer.configuration))
struct ReauthenticationTests {
    private static var now: Int { Int(Date().timeIntervalSince1970) }

    /// A provider, the order's member for its claim, the claim, and its maximum age in seconds.
    struct Word: Sendable, CustomTestStringConvertible {
        let provider: String
        let claim: String
        var member = "claims"
        var age = 300
        var testDescription: String { "\(provider) \(claim)" }
    }

    @Test(
        "D4: the proof time of a session is the provider's auth_time, else its iat",
        arguments: [
            Word(provider: "apple", claim: "auth_time", age: 3_000), Word(provider: "microsoft", claim: "iat"),
            Word(provider: "google", claim: "iat"), Word(provider: "acme", claim: "auth_time", age: 86_400),
            Word(provider: "cognito", claim: "auth_time"),
            Word(provider: "amazon", claim: "iat", member: "tokeninfo"),
        ])
    func age(word: Word) async throws {
        let gateway = try GatewayProcess.current
        let proved = Self.now - word.age
        let session = try await gateway.session(
            word.provider, [word.member: .object([word.claim: .integer(proved)])])
        let facts = try session.facts
        #expect(facts.authTime == proved)
        let issued = try #require(session.answer.json["session"]?["expires_in"]?.integer as Int?)
        #expect(issued == 600, "The token itself is new.")
        #expect(try await gateway.checkSession(session.accessToken).status == 200)
        let stored = try await gateway.count(
            "select extract(epoch from auth_time)::int8 from sessions where id = \(session.session)::uuid")
        #expect(stored == proved)
        guard word.age > 600 else { return }
        let linking = try await gateway.link(
            try await gateway.simulator.mint("google"), bearer: session.accessToken)
        #expect(linking.code == "reauth_required", "\(linking.text)")
    }

    @Test("D4: a provider's fast clock creates no session in the future")
    func future() async throws {
        let gateway = try GatewayProcess.current
        let session = try await gateway.session("acme", ["claims": ["auth_time": .integer(Self.now + 5_000)]])
        #expect(try session.facts.authTime <= Self.now)
    }

    @Test("D4: a silent answer of a provider has the age of the proof there")
    func silent() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login")
        let address = try await browser.start("acme")
        #expect(address.contains("max_age=31536000"))
        #expect(!address.contains("prompt="))
        let person: JSONObject = ["email": .string(Fresh.email()), "auth_age": 3_600]
        try await browser.comeBack(try await gateway.simulator.authorize(address, person))
        let session = try await browser.send(TestRequest("GET", "/v1/session"))
        #expect(session.status == 200)
        try await browser.visit("/account/sign-in-methods")
        let link = try #require(browser.page.links.first { $0.hasPrefix("/login/google?ticket=") })
        let refused = try await browser.visit(link)
        #expect(refused.status == 403)
        #expect(try await gateway.audit(refused).map(\.reason) == ["reauth_required"])
    }

    @Test("D4: a re-authentication must be fresh at the provider, or it is refused")
    func asked() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await PageBrowser.open(gateway, "/login?prompt=login")
        let link = try #require(browser.page.links.first { $0.hasPrefix("/login/acme?") })
        #expect(link.contains("prompt=login"))
        let person: JSONObject = ["email": .string(Fresh.email())]
        for (age, removed) in [(3_600, ""), (120, ""), (0, "&max_age=0")] {
            try await browser.visit(link)
            let address = try #require(browser.departure)
            #expect(address.contains("&prompt=login&max_age=0"))
            var answer = person
            answer["auth_age"] = .integer(age)
            let back = try await gateway.simulator.authorize(
                removed.isEmpty ? address : address.replacing(removed, with: ""), answer)
            let refused = try await browser.comeBack(back)
            #expect(refused.status == 403, "\(age) \(removed)")
            #expect(try await gateway.audit(refused).map(\.reason) == ["reauth_required"])
            #expect(browser.cookies["__Host-session"] == nil)
        }
        try await browser.visit(link)
        let address = try #require(browser.departure)
        try await browser.comeBack(try await gateway.simulator.authorize(address, person))
        #expect(browser.cookies["__Host-session"] != nil)
    }

    @Test("3-B5: a provider's answer without a time changes nothing before a mailed code")
    func undated() async throws {
        let gateway = try GatewayProcess.current
        let email = "\(Fresh.text())@gmail.com"
        let who: JSONObject = [
            "subject": .string(Fresh.subject("google")), "email": .string(email), "claims": [:],
        ]
        let session = try await gateway.session("google", who)
        #expect(try session.facts.acr == "1")
        let bearer = session.accessToken
        let answers = [
            try await gateway.post("/v1/account/factors", ["type": "totp"], bearer: bearer),
            try await gateway.post(
                "/v1/account/addresses", ["address": .string(Fresh.email())], bearer: bearer),
            try await gateway.post(
                "/v1/password/change", ["new_password": "a new passphrase 7"], bearer: bearer),
            try await gateway.link(try await gateway.simulator.mint("apple"), bearer: bearer),
            try await gateway.send(TestRequest("DELETE", "/v1/account").bearer(bearer)),
            try await gateway.get("/v1/account/export", bearer: bearer),
        ]
        for answer in answers {
            #expect(answer.status == 403 && answer.code == "step_up_required", "\(answer.text)")
        }

        let asked = try PendingAnswer(try await gateway.post("/v1/session/step-up", bearer: bearer))
        let code = try await gateway.mailedCode(to: email)
        let wrong = try await gateway.answer(asked.flow, ["code": code == "000000" ? "000001" : "000000"])
        #expect(wrong.code == "code_wrong", "\(wrong.text)")
        let raised = try SignedInAnswer(try await gateway.answer(asked.flow, ["code": .string(code)]))
        #expect(try raised.facts.acr == "1", "One mailbox is no second factor beside its provider.")
        #expect(try raised.facts.amr == ["otp"])
        #expect(try await gateway.checkSession(bearer).code == "session_ended")
        let begun = try await gateway.post(
            "/v1/account/factors", ["type": "totp"], bearer: raised.accessToken)
        #expect(begun.status == 200, "\(begun.text)")
        let again = try await gateway.post("/v1/session/step-up", bearer: raised.accessToken)
        #expect(again.code == "no_second_factor", "\(again.text)")

        // The account of an unproved address has nothing else to prove.
        let bare = try await gateway.session(
            "google", ["email": .string(Fresh.email("example.org")), "claims": [:]])
        let free = try await gateway.post(
            "/v1/account/factors", ["type": "totp"], bearer: bare.accessToken)
        #expect(free.status == 200, "\(free.text)")
    }

    @Test("3-B5: an answer without a time gives no ticket for a merge", arguments: [true, false])
    func undatedMerge(isDated: Bool) async throws {
        let gateway = try GatewayProcess.current
        var who: JSONObject = [
            "subject": .string(Fresh.subject("google")), "email": .string("\(Fresh.text())@gmail.com"),
        ]
        _ = try await gateway.session("google", who)
        if !isDated { who["claims"] = [:] }
        let person = try await gateway.signUp(Fresh.email())
        let refused = try await gateway.link(
            try await gateway.simulator.mint("google", who), bearer: person.accessToken)
        #expect(
            refused.code == "identity_in_use" && (refused.json["merge_ticket"] != nil) == isDated,
            "\(refused.text)")
    }

    @Test(
        "3-B5: the pages ask for a mailed code after a silent answer of any provider",
        arguments: ["x", "discord", "facebook", "github", "microsoft", "amazon", "google"])
    func undatedOnPages(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let who: JSONObject = ["email": .string(Fresh.email("example.org"))]
        let first = try await PageBrowser.open(gateway, "/login")
        try await first.signIn(provider, as: who)
        let account = try await first.send(TestRequest("GET", "/v1/session")).json["account"]?["id"]?
            .string
        let (id, mailbox) = (try #require(account, "\(first.page.text)"), Fresh.email())
        try await gateway.change(
            """
            insert into account_emails (account_id, address, address_key, source, proved_at, is_main)
            values (\(id)::uuid, \(mailbox), \(mailbox), 'person', now(), false)
            """)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.signIn(provider, as: who)
        try await browser.visit("/account/delete")
        try await browser.submit("/account/delete", ["confirm": "true"])
        #expect(browser.page.forms.contains { $0.action == "/login/step" }, "\(browser.page.text)")
        let deletions: SQL =
            "select count(*) from accounts where id = \(id)::uuid and deletion_due_at is not null"
        #expect(try await gateway.count(deletions) == 0)
        try await browser.submit("/login/step", ["code": try await gateway.mailedCode(to: mailbox)])
        #expect(
            browser.page.status == 200 && browser.cookies["__Host-session"] != nil, "\(browser.page.text)"
        )
        try await browser.visit("/account/delete")
        try await browser.submit("/account/delete", ["confirm": "true"])
        #expect(try await gateway.count(deletions) == 1, "\(browser.page.text)")
    }

    @Test("D4: a proved second factor makes a session fresh, and a newly set-up one does not")
    func factors() async throws {
        let gateway = try GatewayProcess.current
        let app = try await gateway.demandingClient()
        let who: JSONObject = ["subject": .string(Fresh.subject("acme")), "email": .string(Fresh.email())]
        let proved = Self.now - 7_200
        func begin() async throws -> PendingAnswer {
            var order = who
            order["claims"] = ["auth_time": .integer(proved)]
            return try PendingAnswer(try await gateway.signIn("acme", order, app: app))
        }
        let asked = try await begin()
        let setUp = try PendingAnswer(try await gateway.answer(asked.flow, ["factor": "totp"]))
        let secret = try #require(GatewayProcess.secret(of: setUp))
        let first = try SignedInAnswer(
            try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.code(secret))]))
        #expect(try first.facts.authTime == proved && first.facts.acr == "2")
        let again = try await begin()
        try await gateway.change("update factors set counter = counter - 100 where account_id = \(first.account)::uuid")
        let second = try SignedInAnswer(
            try await gateway.answer(again.flow, ["code": .string(GatewayProcess.code(secret))]))
        #expect(try second.facts.authTime >= proved + 7_200)
    }

    @Test("D4: an old proof by a provider gives no ticket for a merge", arguments: [60, 7_200])
    func merging(age: Int) async throws {
        let gateway = try GatewayProcess.current
        var who: JSONObject = ["subject": .string(Fresh.subject("acme")), "email": .string(Fresh.email())]
        _ = try await gateway.session("acme", who)
        let person = try await gateway.signUp(Fresh.email())
        who["claims"] = ["auth_time": .integer(Self.now - age)]
        let refused = try await gateway.link(
            try await gateway.simulator.mint("acme", who), bearer: person.accessToken)
        #expect(refused.code == "identity_in_use", "\(refused.text)")
        #expect((refused.json["merge_ticket"] != nil) == (age < 600))
    }

    @Test("D4: the proof time after a declined link is the provider's")
    func declined() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let proved = Self.now - 300
        let link = try gateway.linkFlow(
            try await gateway.signIn("amazon", ["email": .string(email), "tokeninfo": ["iat": .integer(proved)]]))
        let declined = try SignedInAnswer(try await gateway.answer(link, ["create_account": true]))
        #expect(try declined.facts.authTime == proved)
    }
}
