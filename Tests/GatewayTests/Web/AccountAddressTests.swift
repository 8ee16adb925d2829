import Foundation
import JSON
import Postgres
import Testing

/// Addresses and numbers on the account page.
@Suite(.gateway(["SMS_SENDER": "file"]))
struct AccountAddressTests {
    private static let add = "/account/addresses"
    private static let confirm = "/account/addresses/confirm"

    private func signedIn() async throws -> (browser: PageBrowser, email: String, elsewhere: SignedInAnswer) {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let elsewhere = try await gateway.signUp(email)
        return (try await PageBrowser.signedIn(gateway, email), email, elsewhere)
    }

    @Test("An address is added with a mailed code and becomes the main one, and the old one is removed")
    func change() async throws {
        let gateway = try GatewayProcess.current
        let (browser, old, elsewhere) = try await signedIn()
        let new = Fresh.email()
        try await browser.press(Self.add, "type", "email")
        try await browser.submit(Self.add, ["email": new])
        let held = try browser.entries(of: "address-list")
        #expect(held.allSatisfy { !$0.contains(new) })
        let code = try await gateway.mailedCode(to: new)
        let wrong = try await browser.submit(Self.confirm, ["code": code == "000000" ? "000001" : "000000"])
        #expect(wrong.status == 400)
        #expect(wrong.text.contains("Incorrect code"))
        try await browser.submit(Self.confirm, ["code": code])
        #expect(browser.page.text.contains("Added and confirmed."))
        #expect(try browser.entries(of: "address-list").filter { $0.contains("confirmed") }.count == 2)
        #expect(!browser.offers("/account/addresses/prefer", "address", old))
        try await browser.press("/account/addresses/prefer", "address", new)
        #expect(browser.offers("/account/addresses/prefer", "address", old))
        #expect(try await gateway.get("/v1/session", bearer: elsewhere.accessToken).status == 401)
        try await browser.press("/account/addresses/remove", "address", old)
        #expect(!browser.page.text.contains(old))
        let list = try browser.entries(of: "address-list")
        #expect(list.count == 1)
        #expect(list[0].contains(new))
        try await browser.submit("/logout")
        try await browser.visit("/login")
        try await browser.passwordSignIn(new, GatewayProcess.password)
        #expect(browser.cookies["__Host-session"] != nil)
    }

    @Test("L-10: an address from a provider is a sign-in method once the user has proved it")
    func toldByProvider() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.session("apple", ["email": .string(email)])
        func unlink() async throws -> TestAnswer {
            try await gateway.delete("/v1/account/identities/\(person.identity)", bearer: person.accessToken)
        }
        #expect(try await unlink().code == "last_credential")
        let asked = try PendingAnswer(
            try await gateway.post(
                "/v1/account/addresses", ["address": .string(email)], bearer: person.accessToken))
        let added = try await gateway.post(
            "/v1/account/addresses/confirm",
            ["flow": .string(asked.flow), "response": ["code": .string(try await gateway.mailedCode(to: email))]],
            bearer: person.accessToken)
        #expect(added.status < 300, "\(added.text)")
        #expect(try await unlink().status == 204)
    }

    @Test("A number is added with a texted code; a new code ends the first")
    func number() async throws {
        let gateway = try GatewayProcess.current
        let (browser, _, _) = try await signedIn()
        let phone = Fresh.phone()
        try await browser.press(Self.add, "type", "phone")
        try await browser.submit(Self.add, ["phone": phone])
        let first = try await gateway.textedCode(to: phone)
        let early = try await browser.submit("/account/resend")
        #expect(early.status == 429)
        #expect(early.text.contains("We just sent a code"))
        try await gateway.waitForResend(browser.flow)
        let again = try await browser.submit("/account/resend")
        #expect(again.text.contains("We sent a new code."))
        let second = try await gateway.textedCode(to: phone, number: 2)
        if first != second { #expect(try await browser.submit(Self.confirm, ["code": first]).status == 400) }
        try await browser.submit(Self.confirm, ["code": second])
        #expect(try browser.entries(of: "address-list").contains { $0.contains(phone) && $0.contains("confirmed") })
    }

    @Test(
        "An invalid address or number gets an error at its field, and the input stays",
        arguments: [
            ("email", "ann at home", "a complete e-mail address"), ("phone", "0151 234567", "a complete phone number"),
        ])
    func invalid(type: String, typed: String, words: String) async throws {
        let (browser, _, _) = try await signedIn()
        try await browser.press(Self.add, "type", type)
        let answer = try await browser.submit(Self.add, [type: typed])
        #expect(answer.status == 400)
        #expect(answer.text.contains(words))
        #expect(answer.forms.first { $0.action == Self.add }?.fields.contains { $0 == (type, typed) } == true)
    }

    @Test("An address of another account stays there, and only its mailbox is notified")
    func inUse() async throws {
        let gateway = try GatewayProcess.current
        let (browser, _, _) = try await signedIn()
        let taken = Fresh.email()
        _ = try await gateway.signUp(taken)
        let mails = gateway.mailedCodes(to: taken)
        try await browser.press(Self.add, "type", "email")
        try await browser.submit(Self.add, ["email": taken])
        #expect(!browser.page.text.contains("Another account"))
        let code = try await gateway.mailedCode(to: taken, number: mails + 1)
        let answer = try await browser.submit(Self.confirm, ["code": code])
        #expect(answer.status == 409)
        #expect(answer.text.contains("Another account has this already."))
        #expect(try !browser.entries(of: "address-list").contains { $0.contains(taken) })
    }

    @Test("An unproved address of a sign-up can be proved later")
    func prove() async throws {
        let gateway = try GatewayProcess.current
        let (email, phone) = (Fresh.email(), Fresh.phone())
        let client = try await SigningUpClient(names: ["user_name"]).add(gateway)
        let browser = try await PageBrowser.open(gateway, "/sign-up?client_id=\(client)")
        try await browser.submit(
            "/sign-up",
            [
                "username": "ann.\(Fresh.text())", "email": email, "phone": phone, "password": GatewayProcess.password,
            ])
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        #expect(try browser.entries(of: "address-list").contains { $0.contains(phone) && $0.contains("not confirmed") })
        try await browser.press(Self.add, "phone", phone)
        try await browser.submit(Self.confirm, ["code": try await gateway.textedCode(to: phone)])
        #expect(
            try !browser.entries(of: "address-list").contains { $0.contains(phone) && $0.contains("not confirmed") })
    }

    @Test("The only sign-in method stays")
    func last() async throws {
        let (browser, email, _) = try await signedIn()
        let answer = try await browser.press("/account/addresses/remove", "address", email)
        #expect(answer.status == 409)
        #expect(answer.text.contains("This is your only sign-in method."))
        #expect(try browser.entries(of: "address-list").count == 1)
    }

    @Test("Another account's address can't be removed, and another site's form changes nothing")
    func foreign() async throws {
        let gateway = try GatewayProcess.current
        let (browser, email, _) = try await signedIn()
        let (_, other, _) = try await signedIn()
        let fields = try #require(browser.page.forms.first { $0.action == "/account/addresses/remove" }).fields
        for path in ["/account/addresses/remove", "/account/addresses/prefer"] {
            let answer = try await browser.post(path, fields.map { ($0.0, $0.1 == email ? other : $0.1) })
            #expect(answer.status == 404)
        }
        for path in ["", "/confirm", "/remove", "/prefer"].map({ "/account/addresses\($0)" }) + ["/account/resend"] {
            let forged = try await browser.post(path, fields.filter { $0.0 != "form_token" })
            #expect(try await gateway.audit(forged).map(\.reason) == ["form_not_bound"], "\(path)")
        }
        #expect(
            try await gateway.count("select count(*) from account_emails where address in (\(email), \(other))") == 2)
    }

    @Test("An old session must sign in again, and one without the second factor must prove it")
    func proof() async throws {
        let gateway = try GatewayProcess.current
        let (browser, _, elsewhere) = try await signedIn()
        let person = ProtectedPerson(email: "", account: elsewhere.account, session: elsewhere)
        _ = try await gateway.addingTOTP(person, bearer: elsewhere.accessToken)
        try await browser.press(Self.add, "type", "email")
        let raised = try await browser.submit(Self.add, ["email": Fresh.email()])
        #expect(raised.forms.first?.action == "/login/step")
        #expect(raised.text.contains("Code from your app"))
        try await gateway.change(
            "update sessions set auth_time = now() - interval '11 minutes' where account_id = \(elsewhere.account)::uuid"
        )
        try await browser.visit("/account")
        try await browser.press(Self.add, "type", "email")
        let refused = try await browser.submit(Self.add, ["email": Fresh.email()])
        #expect(refused.text.contains("Sign in again"))
        #expect(try await gateway.audit(refused).map(\.reason) == ["reauth_required"])
    }
}
