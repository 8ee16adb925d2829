import Foundation
import JSON
import Testing

/// Mailboxes and numbers as second factors, on the account page.
@Suite(.gateway(["SMS_SENDER": "file"]))
struct AccountFactorTests {
    private static let add = "/account/factors"
    private static let confirm = "/account/factors/confirm"

    private func code(_ type: String, _ place: String) async throws -> String {
        let gateway = try GatewayProcess.current
        return type == "sms" ? try await gateway.textedCode(to: place) : try await gateway.mailedCode(to: place)
    }

    @Test(
        "A mailbox or number is proved by its code, creates recovery codes, and is then demanded",
        arguments: [("email", "Check your mail"), ("sms", "Check your phone")])
    func enrol(type: String, heading: String) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let place = type == "sms" ? Fresh.phone() : Fresh.email()
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.press(Self.add, "type", type)
        #expect(!browser.page.text.contains("a different address from the one"))
        try await browser.submit(Self.add, [type == "sms" ? "phone" : "email": place])
        #expect(browser.page.text.contains(heading))
        #expect(browser.page.text.contains("-digit code"))
        #expect(browser.page.forms.contains { $0.action == "/account/resend" })
        let code = try await code(type, place)
        let wrong = try await browser.submit(Self.confirm, ["code": code == "000000" ? "000001" : "000000"])
        #expect(wrong.status == 400)
        #expect(wrong.text.contains("Incorrect code"))
        try await browser.submit(Self.confirm, ["code": code])
        #expect(browser.page.forms.contains { $0.action == "/recovery-codes" })
        try await browser.visit("/account/two-step")
        #expect(browser.page.text.contains(place))
        try await browser.submit("/logout")
        try await browser.visit("/login")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        #expect(browser.cookies["__Host-session"] == nil)
        #expect(browser.page.text.contains(heading))
    }

    @Test("S-17 Linking and unlinking ask for the second factor first, if the session lacks it")
    func signInMethods() async throws {
        let gateway = try GatewayProcess.current
        let (email, mailbox) = (Fresh.email(), Fresh.email())
        let person = try await gateway.signUp(email)
        let linked = try await gateway.link(try await gateway.simulator.mint("google"), bearer: person.accessToken)
        #expect(linked.status == 201)
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await enrol("email", mailbox, try await PageBrowser.signedIn(gateway, email))
        try await browser.visit("/account/sign-in-methods")
        let link = try #require(browser.page.text.firstMatch(of: /"(\/login\/apple\?ticket=[^"]+)"/)?.output.1)
        let unlink = try #require(browser.page.forms.first { $0.action.hasSuffix("/unlink") })
        try await browser.visit(String(link))
        #expect(browser.page.text.contains("Check your mail"))
        try await browser.post(unlink.action, unlink.fields)
        #expect(browser.page.text.contains("Check your mail"))
        #expect(try await gateway.identities(person) == ["google"])
        let code = try await gateway.mailedCode(to: mailbox, number: 3)
        try await browser.submit("/login/step", ["code": code])
        try await browser.visit("/account/sign-in-methods")
        let again = try #require(browser.page.forms.first { $0.action.hasSuffix("/unlink") })
        try await browser.post(again.action, again.fields)
        #expect(!browser.page.forms.contains { $0.action.hasSuffix("/unlink") })
    }

    @Test("The account page reports the same mailbox twice, and one factor is preferred")
    func twice() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let (mailbox, phone) = (Fresh.email(), Fresh.phone())
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await enrol("email", mailbox, browser)
        try await browser.visit("/account")
        try await enrol("sms", phone, browser)
        try await browser.visit("/account")
        try await browser.press(Self.add, "type", "email")
        try await browser.submit(Self.add, ["email": mailbox])
        let again = try await browser.submit(
            Self.confirm, ["code": try await gateway.mailedCode(to: mailbox, number: 2)])
        #expect(again.status == 409)
        #expect(again.text.contains("Your account already has this."))
        let prefer = try #require(
            browser.page.forms.first { $0.action.hasSuffix("/prefer") && $0.action.hasPrefix(Self.add) })
        try await browser.submit(prefer.action)
        #expect(browser.page.text.contains("preferred second step"))
        try await browser.submit("/account/recovery-codes")
        #expect(browser.page.forms.contains { $0.action == "/recovery-codes" })
        try await browser.visit("/account/two-step")
        for _ in 0..<2 {
            let remove = try #require(
                browser.page.forms.first { $0.action.hasSuffix("/remove") && $0.action.hasPrefix(Self.add) })
            try await browser.submit(remove.action)
        }
        #expect(!browser.page.text.contains(mailbox))
        #expect(!browser.page.forms.contains { $0.action == "/account/recovery-codes" })
    }

    private func enrol(_ type: String, _ place: String, _ browser: PageBrowser) async throws {
        try await browser.press(Self.add, "type", type)
        try await browser.submit(Self.add, [type == "sms" ? "phone" : "email": place])
        try await browser.submit(Self.confirm, ["code": try await code(type, place)])
    }

    @Test("A mailbox that is a first factor can't be a second one: the page shows an error and changes nothing")
    func notIndependent() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await PageBrowser.open(gateway, "/sign-up")
        let form = try #require(browser.page.forms.first { $0.action == "/sign-up" })
        try await browser.post(
            "/sign-up", form.fields.map { ($0.0, $0.0 == "email" ? email : $0.1) } + [("without", "password")])
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        try await browser.press(Self.add, "type", "email")
        let refused = try await browser.submit(Self.add, ["email": email])
        #expect(refused.status == 409)
        #expect(refused.text.contains("You already sign in with this address"))
        #expect(refused.forms.first { $0.action == Self.add }?.fields.contains { $0 == ("email", email) } == true)
    }

    @Test("Without text messages, no page asks for a number, and none is accepted")
    func withoutTexts() async throws {
        try await withGateway { gateway in
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let browser = try await PageBrowser.signedIn(gateway, email)
            for (action, type, section) in [(Self.add, "sms", "/two-step"), ("/account/addresses", "phone", "")] {
                try await browser.visit("/account\(section)")
                #expect(browser.offers(action, "type", "email"))
                #expect(!browser.offers(action, "type", type))
                let fields = try #require(browser.page.forms.first { $0.action == action }).fields
                let answer = try await browser.post(
                    action, fields.filter { $0.0 != "type" } + [("type", type), ("phone", Fresh.phone())])
                #expect(try await gateway.audit(answer).map(\.reason) == ["invalid_request"], "\(type)")
            }
        }
    }
}
