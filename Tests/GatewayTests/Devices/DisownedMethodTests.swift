import Cryptography
import Foundation
import JSON
import Postgres
import Testing
import WebAuthnTestAuthenticator

@testable import Messages

/// What an intruder added goes when the account holder disowns the sign-in.
@Suite("Methods of a disowned sign-in", .gateway(StepServer.configuration))
struct DisownedMethodTests {
    private static let next = "a quiet otter below the mill 7"

    /// The methods that an intruder added with a stolen password.
    private struct Intruder {
        let mailbox: String
        let identity: JSONObject
        var key: TestAuthenticator
    }

    /// Adds an identity and a passkey; a session of that passkey then adds an authenticator app and a mailbox.
    private func intrude(_ email: String) async throws -> Intruder {
        let gateway = try GatewayProcess.current
        let first = try await gateway.strangeSession(email)
        let identity: JSONObject = ["subject": .string(Fresh.subject("google"))]
        let linked = try await gateway.link(
            try await gateway.simulator.mint("google", identity), bearer: first.accessToken)
        try #require(linked.status == 201, "\(linked.text)")
        var key = try await gateway.newPasskey(bearer: first.accessToken).key
        let second = try SignedInAnswer(try await gateway.signIn(passkey: &key))
        let person = ProtectedPerson(email: email, account: second.account, session: second)
        _ = try await gateway.addingTOTP(person, bearer: second.accessToken)
        let mailbox = Fresh.email()
        _ = try await gateway.newMailbox(mailbox, bearer: second.accessToken)
        let main = try await gateway.patch(
            "/v1/account/addresses/\(mailbox)", ["main": true], bearer: second.accessToken)
        try #require(main.status == 200, "\(main.text)")
        return Intruder(mailbox: mailbox, identity: identity, key: key)
    }

    @Test("3-B3: everything that a stranger's sessions added goes, in a chain too, and none of it meets the reset")
    func removed() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        var intruder = try await intrude(email)
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        let page = try await browser.submit("/not-me")
        #expect(page.status == 200 && page.text.contains(intruder.mailbox), "\(page.text)")
        #expect(try await gateway.methods(of: person.account) == ["email \(email) main", "password"])
        let rows = try await gateway.audit(page).filter { $0.detail?["disowned"] == true }
        #expect(
            rows.map { "\($0.action) \($0.reason ?? "")" }.sorted() == [
                "address_removed email", "factor_removed passkey", "factor_removed recovery_codes",
                "factor_removed totp", "identity_unlinked identity",
            ])

        let refused = try await gateway.signIn(passkey: &intruder.key)
        #expect(refused.status >= 400, "\(refused.text)")
        let stranger = try await gateway.session("google", intruder.identity)
        #expect(stranger.account != person.account)
        _ = try await gateway.post(
            "/v1/password/forgot", ["client_id": "app", "username": .string(intruder.mailbox)])

        let sent = gateway.mailedCodes(to: email)
        try await browser.submit("/not-me/password")
        let code = try await gateway.mailedCode(to: email, number: sent + 1)
        try await browser.resetPassword(code, to: Self.next)
        #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        #expect(try await gateway.passwordSignIn(email, Self.next).status == 200)
        let later = try await gateway.count(
            """
            select count(*) from outbox
             where address = \(intruder.mailbox) and kind not in ('code.address_proof', 'notice.address_added', 'no_account')
            """)
        #expect(later == 0)
    }

    @Test("3-B3: what came since from elsewhere gets a button, which only this page's ticket and form can use")
    func kept() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        _ = try await gateway.strangeSession(email)
        let added = Fresh.email()
        try await gateway.change(
            """
            insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
            values (\(person.account)::uuid, \(added), \(added), 'operator', now(), false)
            """)
        let link = try await gateway.notMeLink(to: email)
        let browser = try await PageBrowser.open(gateway, link)
        let notice = try #require(browser.page.forms.first { $0.action == "/not-me" }).fields
        let page = try await browser.submit("/not-me")
        let button = try #require(page.forms.first { $0.action == "/not-me/remove" }, "\(page.text)").fields
        #expect(try await gateway.methods(of: person.account).count == 3)

        let foreign = try await gateway.send(TestRequest("POST", "/not-me/remove").form(button))
        #expect(foreign.status == 403)
        let tickets = [
            try #require(notice.first { $0.0 == "ticket" }).1, try Self.followUp(person, expiresIn: -1, gateway),
            "nd_" + String(repeating: "A", count: 96),
        ]
        for ticket in tickets {
            for action in ["/not-me/remove", "/not-me/password"] {
                let refused = try await browser.post(
                    action, button.map { $0.0 == "ticket" ? ("ticket", ticket) : $0 })
                #expect(refused.status == 400, "\(refused.text)")
            }
        }
        #expect(try await gateway.methods(of: person.account).count == 3)
        let left = try await browser.post("/not-me/remove", button)
        #expect(left.status == 200 && left.forms.contains { $0.action == "/not-me/password" }, "\(left.text)")
        #expect(!left.forms.contains { $0.action == "/not-me/remove" })
        #expect(try await gateway.methods(of: person.account) == ["email \(email) main", "password"])
    }

    private static func followUp(
        _ person: SignedInAnswer, expiresIn seconds: Double, _ gateway: GatewayProcess
    ) throws -> String {
        let keys = try MasterKeys(try #require(gateway.deployment.environment["MASTER_KEYS"]))
        return DisownTickets(keys: keys, use: .followUp).text(
            DisownTicket(
                account: try #require(UUID(uuidString: person.account)),
                session: try #require(UUID(uuidString: person.session)), expires: Date().addingTimeInterval(seconds)))
    }

    @Test("3-B3: the last usable method stays, but no reset code goes to it")
    func last() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let intruder = try await gateway.strangeSession(email)
        let mailbox = Fresh.email()
        _ = try await gateway.newMailbox(mailbox, bearer: intruder.accessToken)
        let link = try await gateway.notMeLink(to: email)
        let gone = try await gateway.delete("/v1/account/addresses/\(email)", bearer: intruder.accessToken)
        try #require(gone.status == 204, "\(gone.text)")
        let browser = try await PageBrowser.open(gateway, link)
        let sent = gateway.mailedCodes(to: mailbox)
        try await browser.submit("/not-me")
        let again = try await browser.submit("/not-me/remove")
        #expect(again.status == 200 && again.forms.contains { $0.action == "/not-me/remove" }, "\(again.text)")
        #expect(try await gateway.methods(of: person.account) == ["email \(mailbox) main", "password"])
        let page = try await browser.submit("/not-me/password")
        #expect(page.forms.contains { $0.action == "/forgot" }, "\(page.text)")
        #expect(gateway.mailedCodes(to: mailbox) == sent)
    }

    @Test("3-N5: a mailbox that was just added gets no notice whose link ends the sessions of the account")
    func young() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let mailbox = Fresh.email()
        _ = try await gateway.newMailbox(mailbox, bearer: try await gateway.strangeSession(email).accessToken)
        let owner = TestRequest("POST", "/v1/sign-in").json(
            .object(GatewayProcess.passwordCredential(email))
        ).header("User-Agent", "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) Version/17.5 Safari/605.1.15")
        _ = try SignedInAnswer(try await gateway.send(owner))
        #expect(
            try await gateway.count(
                "select count(*) from outbox where kind = 'notice.new_device' and address = \(email)") == 2)
        #expect(
            try await gateway.count(
                "select count(*) from outbox where kind = 'notice.new_device' and address = \(mailbox)") == 0)
    }
}
