import Cryptography
import Foundation
import JSON
import Postgres
import Testing

@testable import Messages

/// From the notice about a new device to the end of its session, and a new password.
@Suite("This wasn't me", .gateway())
struct NotMeTests {
    private static let next = "a quiet otter below the mill 7"

    @Test("the mail names time, app, device and network, and no text of the caller")
    func mail() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        #expect(gateway.newDeviceMails(to: email).isEmpty)
        _ = try await gateway.signInAsStranger(email)
        let mail = try await gateway.newDeviceMail(to: email)
        for line in ["Device: \(StrangeDevice.words)\n", "Network address: 127.0.0.1\n"] {
            #expect(mail.contains(line), "\(mail)")
        }
        #expect(mail.contains(/\nWhen: \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC\n/) && mail.contains(/\nApp: .+\n/))
        #expect(mail.contains(">This wasn't me</a>") || mail.contains(">This wasn&#39;t me</a>"))
        #expect(!mail.contains("Gecko"))
        let row = try #require(try await gateway.audit(account: person.account).last { $0.action == "new_device" })
        #expect(row.outcome == "done" && row.session != nil && row.session != person.session)
        let events = try await gateway.get("/v1/account/events", bearer: person.accessToken).json["events"]?.array ?? []
        let event = try #require(events.first { $0["type"] == "new_device" })
        #expect(event["by"] == "person" && event["device_name"] == .string(StrangeDevice.words))
    }

    @Test("S-21: the link's page changes nothing; its form ends every session and leads to a new password")
    func disowned() async throws {
        let gateway = try GatewayProcess.current
        let (email, other) = (Fresh.email(), try await gateway.signUp(Fresh.email()))
        let person = try await gateway.signUp(email)
        let stranger = try await gateway.signInAsStranger(email)
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        #expect(browser.page.status == 200 && browser.page.header("Referrer-Policy") == "no-referrer")
        #expect(browser.page.text.contains(StrangeDevice.words) && browser.page.text.contains("127.0.0.1"))
        #expect(try await stranger.send(TestRequest("GET", "/v1/session")).status == 200)
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        #expect(try await gateway.state(of: person.account) == "usable")

        let sent = gateway.mailedCodes(to: email)
        let page = try await browser.submit("/not-me")
        #expect(page.status == 200, "\(page.text)")
        #expect(try await stranger.send(TestRequest("GET", "/v1/session")).status == 401)
        #expect(try await gateway.checkSession(person.accessToken).json["reason"] == "signed_out")
        #expect(try await gateway.checkSession(other.accessToken).status == 200)
        #expect(try await gateway.state(of: person.account) == "reset_required")
        let row = try #require(try await gateway.audit(page).first)
        #expect([row.action, row.outcome, row.reason] == ["session_ended", "done", "disowned"])
        #expect(row.detail == ["sessions": 2, "password": "reset_required"])
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).json["status"] == "next_step")

        let code = try await gateway.mailedCode(to: email, number: sent + 1)
        try await browser.resetPassword(code, to: Self.next)
        #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        #expect(try await gateway.state(of: person.account) == "usable")
        #expect(try await gateway.passwordSignIn(email, Self.next).status == 200)
    }

    @Test("S-22: a second use changes nothing and says that it is done")
    func twice() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        _ = try await gateway.signInAsStranger(email)
        let link = try await gateway.notMeLink(to: email)
        let sent = gateway.mailedCodes(to: email)
        let browser = try await PageBrowser.open(gateway, link)
        let again = try await PageBrowser.open(gateway, link)
        try await browser.submit("/not-me")
        let code = try await gateway.mailedCode(to: email, number: sent + 1)
        try await browser.resetPassword(code, to: Self.next)
        let page = try await again.submit("/not-me")
        #expect(page.status == 200 && page.text.contains("This is done already"), "\(page.text)")
        #expect(try await browser.send(TestRequest("GET", "/v1/session")).status == 200)
        #expect(try await gateway.state(of: person.account) == "usable")
        let rows = try await gateway.audit(account: person.account).filter { $0.reason == "disowned" }
        #expect(rows.count == 1)
    }

    @Test("two browsers that confirm at the same moment end the sessions once")
    func race() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        _ = try await gateway.signInAsStranger(email)
        let link = try await gateway.notMeLink(to: email)
        let (one, two) = (try await PageBrowser.open(gateway, link), try await PageBrowser.open(gateway, link))
        let fields = try [one, two].map { try #require($0.page.forms.first { $0.action == "/not-me" }).fields }
        let requests = zip([one, two], fields).map { browser, fields in
            TestRequest("POST", "/not-me").form(fields).header(
                "Cookie", "__Host-form=\(browser.cookies["__Host-form"] ?? "")")
        }
        async let first = gateway.send(requests[0])
        async let second = gateway.send(requests[1])
        let pages = try await [first, second]
        #expect(pages.map(\.status) == [200, 200])
        #expect(pages.count { $0.text.contains("This is done already") } == 1)
        let rows = try await gateway.audit(account: person.account).filter { $0.reason == "disowned" }
        #expect(rows.count == 1)
    }

    @Test("an account without a password is sent to its provider")
    func withoutPassword() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let minted: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(email)]
        let person = try await gateway.session("google", minted)
        let answer = try await gateway.send(
            TestRequest("POST", "/v1/sign-in").json(
                .object([
                    "provider": "google", "client_id": "app",
                    "credential": .object(try await gateway.simulator.mint("google", minted).credential()),
                ])
            ).header("User-Agent", StrangeDevice.agent))
        let stranger = try SignedInAnswer(answer)
        #expect(stranger.account == person.account)
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        let page = try await browser.submit("/not-me")
        #expect(page.status == 200 && page.text.contains("You are signed out everywhere"), "\(page.text)")
        #expect(page.links.contains("/account"))
        #expect(try await gateway.checkSession(stranger.accessToken).code == "session_ended")
    }

    @Test("a later session of the same device ends too, though it was not reported")
    func later() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let first = try await gateway.signInAsStranger(email)
        let second = try await gateway.signInAsStranger(email)
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        #expect(
            try await gateway.count(
                "select count(*) from outbox where kind = 'notice.new_device' and address = \(email)") == 1)
        try await browser.submit("/not-me")
        for stranger in [first, second] {
            #expect(try await stranger.send(TestRequest("GET", "/v1/session")).status == 401)
        }
    }

    @Test("S-21: after it was disowned, the device is new again")
    func newAgain() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        _ = try await gateway.signInAsStranger(email)
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        try await browser.submit("/not-me")
        try await gateway.change("update accounts set password_state = 'usable' where id = \(person.account)::uuid")
        _ = try await gateway.signInAsStranger(email)
        _ = try await gateway.notMeLink(to: email, number: 2)
    }

    /// Tickets that don't open.
    enum Bad: String, CaseIterable { case missing, forged, expired, unknown, ofAnotherAccount }

    @Test(
        "S-22: an expired, forged or unknown ticket gets a page with its code, and ends nothing",
        arguments: Bad.allCases)
    func refused(bad: Bad) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let ticket = try Self.ticket(bad, person, try await gateway.signUp(Fresh.email()), gateway)
        let browser = try await PageBrowser.open(gateway, "/not-me" + (ticket.isEmpty ? "" : "?ticket=\(ticket)"))
        try Self.expect(browser.page)
        let rows = try await gateway.audit(browser.page)
        #expect(rows.map(\.action) == ["disown_page"] && rows.map(\.reason) == ["disown_link_invalid"])
        try await browser.visit("/login")
        let token = try #require(browser.page.forms.first?.fields.first { $0.0 == "form_token" }).1
        try Self.expect(try await browser.post("/not-me", [("form_token", token), ("ticket", ticket)]))
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        #expect(try await gateway.state(of: person.account) == "usable")
    }

    private static func expect(_ page: TestAnswer) throws {
        #expect(page.status == 400 && page.text.contains("This link is not valid any more"), "\(page.text)")
        #expect(page.links.contains("/account"))
    }

    private static func ticket(
        _ bad: Bad, _ person: SignedInAnswer, _ other: SignedInAnswer, _ gateway: GatewayProcess
    ) throws -> String {
        let tickets = DisownTickets(keys: try MasterKeys(try #require(gateway.deployment.environment["MASTER_KEYS"])))
        func made(_ account: String, _ session: String, in seconds: Double = 60) throws -> String {
            tickets.text(
                DisownTicket(
                    account: try #require(UUID(uuidString: account)), session: try #require(UUID(uuidString: session)),
                    expires: Date().addingTimeInterval(seconds)))
        }
        return switch bad {
        case .missing: ""
        case .forged: "nd_" + String(repeating: "A", count: 96)
        case .expired: try made(person.account, person.session, in: -1)
        case .unknown: try made(person.account, UUID().uuidString)
        case .ofAnotherAccount: try made(other.account, person.session)
        }
    }

    @Test("S-22: a form without this browser's token ends nothing")
    func foreignForm() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        _ = try await gateway.signInAsStranger(email)
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        let fields = try #require(browser.page.forms.first { $0.action == "/not-me" }).fields
        let page = try await gateway.send(TestRequest("POST", "/not-me").form(fields))
        #expect(page.status == 403)
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
    }
}

@Suite("Notices of new devices, switched off", .gateway(["NEW_DEVICE_NOTICES": "false"]))
struct NewDeviceNoticeOffTests {
    @Test("no mail is written; the event is")
    func off() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        _ = try await gateway.signInAsStranger(email)
        #expect(try await gateway.audit(account: person.account).contains { $0.action == "new_device" })
        #expect(try await gateway.count("select count(*) from outbox where kind = 'notice.new_device'") == 0)
    }
}

extension GatewayProcess {
    fileprivate func state(of account: String) async throws -> String {
        try await sql { try $0.row("select password_state from accounts where id = \(account)::uuid").value(0) }
    }
}
