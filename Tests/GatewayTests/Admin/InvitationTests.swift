import Foundation
import JSON
import OperatorAccess
import Postgres
import TestSupport
import Testing

@Suite("Creating and inviting users", .gateway())
struct InvitationTests {
    private static let chosen = "a quiet otter below the mill 7"

    private static func create(
        _ gateway: GatewayProcess, _ members: JSONObject, by admin: SignedInAnswer
    ) async throws -> TestAnswer {
        var body = members
        body["reason"] = "a new colleague"
        return try await gateway.admin("POST", "accounts", .object(body), by: admin)
    }

    /// An invited user of the usual app.
    private static func invited(_ gateway: GatewayProcess) async throws -> (email: String, account: String) {
        let admin = try await gateway.operatorSession("admin")
        let email = Fresh.email()
        let made = try await create(
            gateway, ["email": .string(email), "invite": true, "client_id": "app"], by: admin)
        try #require(made.status == 201, "\(made.text)")
        return (email, try #require(made.json["account"]?["id"]?.string))
    }

    @Test("N-01: the link's page changes nothing; its form works once, proves the mailbox and sets a password")
    func accepted() async throws {
        let gateway = try GatewayProcess.current
        let (email, account) = try await Self.invited(gateway)
        let link = try await gateway.invitationLink(to: email)
        let (browser, again) = (
            try await PageBrowser.open(gateway, link), try await PageBrowser.open(gateway, link)
        )
        #expect(browser.page.status == 200 && browser.page.header("Referrer-Policy") == "no-referrer")
        #expect(browser.page.text.contains(email))
        #expect(try await gateway.proved(email) == 0)
        let step = try await browser.submit("/invitation")
        #expect(step.status == 200, "\(step.text)")
        #expect(try await gateway.proved(email) == 1)
        let row = try #require(try await gateway.audit(step).first { $0.action == "invitation_accepted" })
        #expect(row.account == account && row.actor == nil)
        try await browser.submit("/login/step", ["new_password": Self.chosen])
        #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        let session = try SignedInAnswer(try await gateway.passwordSignIn(email, Self.chosen))
        #expect(session.account == account)
        let used = try await again.submit("/invitation")
        try await gateway.expectPage(used, 400, "invitation_invalid", action: "accept_invitation")
    }

    @Test("N-01: an expired, replaced or made-up link opens nothing")
    func dead() async throws {
        let gateway = try GatewayProcess.current
        let (email, account) = try await Self.invited(gateway)
        let admin = try await gateway.operatorSession("admin")
        let first = try await gateway.invitationLink(to: email)
        let again = try await gateway.admin("POST", "accounts/\(account)/invite", ["reason": "a test"], by: admin)
        #expect(again.status == 200, "\(again.text)")
        let second = try await gateway.invitationLink(to: email, number: 2)
        #expect(first != second)
        #expect(try await gateway.get(second).status == 200)
        try await gateway.change(
            "update invitations set expires_at = now() where account_id = \(account)::uuid")
        let made = "/invitation?token=iv_\(String(repeating: "A", count: 43))"
        for path in [first, second, made, "/invitation?token=iv_A", "/invitation"] {
            let page = try await gateway.get(path)
            try await gateway.expectPage(page, 400, "invitation_invalid", action: "invitation_page")
        }
    }

    @Test("N-02: an unverified address signs in nobody before its user opens the link")
    func unverified() async throws {
        let gateway = try GatewayProcess.current
        let (email, account) = try await Self.invited(gateway)
        // The user's own sign-up with the address gets another account, and the operator's one loses the claim.
        let own = try await gateway.signUp(email)
        #expect(own.account != account)
        let link = try await gateway.invitationLink(to: email)
        #expect(try await gateway.get(link).status == 400)
    }

    @Test("N-02: an operator sets no password, a back end does")
    func passwords() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let email = Fresh.email()
        let members: JSONObject = [
            "email": .string(email), "email_verified": true, "password": .string(Self.chosen),
        ]
        let refused = try await Self.create(gateway, members, by: admin)
        try await gateway.expectRefusal(refused, 400, "invalid_request", action: "create_account")
        #expect(refused.json["errors"]?.array?.first?["pointer"] == "/password")

        let holder = try await AccessKeyHolder.issue("admin")
        var body = members
        body["reason"] = "moved from the shop"
        let made = try await holder.call("POST", "accounts", .object(body))
        #expect(made.status == 201, "\(made.text)")
        let account = try #require(made.json["account"]?["id"]?.string)
        let signedIn = try SignedInAnswer(try await gateway.passwordSignIn(email, Self.chosen, app: holder.app))
        #expect(signedIn.account == account)
        let marked = try await gateway.count(
            """
            select count(*) from passwords w join account_emails e using (account_id)
             where w.account_id = \(account)::uuid and w.joined_by = 'back_end' and e.source = 'back_end'
            """)
        #expect(marked == 1)
        body["email"] = .string(Fresh.email())
        body["password"] = "short"
        let short = try await holder.call("POST", "accounts", .object(body))
        try await gateway.expectRefusal(short, 400, "password_too_short", action: "create_account")
        // It belongs to the key's app, and to no app out of its reach.
        (body["password"], body["client_id"]) = (nil, "app")
        let foreign = try await holder.call("POST", "accounts", .object(body))
        try await gateway.expectRefusal(foreign, 403, "out_of_reach", action: "create_account")
        let support = try await AccessKeyHolder.issue("support")
        body["client_id"] = nil
        let low = try await support.call("POST", "accounts", .object(body))
        try await gateway.expectRefusal(low, 403, "role_too_low", action: "create_account")
    }

    @Test("N-03: an account with a password is not invited, and a mailbox that another account proved ends the link")
    func notInvited() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let person = try await gateway.signUp(Fresh.email())
        let refused = try await gateway.admin(
            "POST", "accounts/\(person.account)/invite", ["reason": "a test"], by: admin)
        try await gateway.expectRefusal(refused, 409, "nothing_to_change", action: "invite_account")
        let taken = try await Self.create(
            gateway, ["email": .string(person.email ?? ""), "email_verified": true], by: admin)
        try await gateway.expectRefusal(taken, 409, "identity_in_use", action: "create_account")
        for (members, pointer) in [
            ([:], "/email"), (["email": "nobody"], "/email"), (["phone": "12"], "/phone"),
            (["user_name": "a"], "/user_name"), (["phone": "+491701234567", "invite": true], "/invite"),
            (["email": .string(Fresh.email()), "invite": true, "password": .string(Self.chosen)], "/invite"),
            (["email": .string(Fresh.email()), "client_id": "no-such-app"], "/client_id"),
        ] as [(JSONObject, String)] {
            let wrong = try await Self.create(gateway, members, by: admin)
            try await gateway.expectRefusal(wrong, 400, "invalid_request", action: "create_account")
            #expect(wrong.json["errors"]?.array?.first?["pointer"]?.string == pointer)
        }
    }

    @Test("N-03: a link resets nothing once the account has a sign-in method")
    func methodSince() async throws {
        let gateway = try GatewayProcess.current
        let (email, account) = try await Self.invited(gateway)
        let link = try await gateway.invitationLink(to: email)
        let browser = try await PageBrowser.open(gateway, link)
        #expect(browser.page.status == 200)
        try await gateway.change("insert into passwords (account_id, hash) values (\(account)::uuid, 'x')")
        try await gateway.expectPage(
            try await browser.submit("/invitation"), 400, "invitation_invalid", action: "accept_invitation")
        #expect(try await gateway.proved(email) == 0)
        try await gateway.expectPage(
            try await gateway.get(link), 400, "invitation_invalid", action: "invitation_page")
    }

    @Test("the console adds a user and invites once; the account's page offers another link")
    func console() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        try await browser.visit("/admin/accounts")
        #expect(browser.page.text.contains("href=\"/admin/new-account"))
        try await browser.visit("/admin/new-account")
        let form = try HTMLDocument(Array(browser.page.text.utf8))
        let once = try #require(form.elements.first { $0.attributes["name"] == "once" }?.attributes["value"])
        let email = Fresh.email()
        let fields = [
            ("form_token", try await browser.token()), ("once", once), ("email", email), ("name", "Ann"),
            ("client_id", "app"), ("invite", "1"), ("reason", "a new colleague"),
        ]
        let page = try await browser.post("/admin/new-account", fields)
        #expect(page.status == 200 && page.text.contains("The user receives a mail with a link"), "\(page.text)")
        #expect(browser.offered.contains("invite"))
        _ = try await gateway.invitationLink(to: email)
        // The form counts once: a reload makes no other account.
        #expect(try await browser.post("/admin/new-account", fields).status != 200)
        #expect(try await gateway.count("select count(*) from account_emails where address_key = \(email)") == 1)
        let wrong = try await browser.post(
            "/admin/new-account", fields.map { $0.0 == "email" ? ("email", "nobody") : $0 })
        #expect(wrong.status == 400 && wrong.text.contains("Enter an e-mail address."), "\(wrong.text)")
        let viewer = try await ConsoleOperator.browser(gateway, .viewer)
        try await viewer.visit("/admin/accounts")
        #expect(!viewer.page.text.contains("/admin/new-account"))
    }

    @Test("the command line creates an account by invitation, and invites again")
    func commands() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let made = try await gateway.deployment.run(
            "accounts", "create", "--email", email, "--name", "Ann", "--client", "app", "--invite", "--json")
        #expect(made.exitCode == 0, "\(made.errors)")
        let shown = try JSON(parsing: made.output)
        let account = try #require(shown["id"]?.string)
        #expect(shown["invited"] == true)
        // The running server sends what the command stored.
        let link = try await gateway.invitationLink(to: email)
        #expect(try await gateway.get(link).status == 200)
        let again = try await gateway.deployment.run("accounts", "invite", account)
        #expect(again.exitCode == 0 && again.output.contains("\(account) is invited"), "\(again.errors)")
        let other = Fresh.email()
        let plain = try await gateway.deployment.run("accounts", "create", "--email", other, "--invite")
        #expect(plain.output.hasSuffix(". \(other) gets a mail with a link that works once, for 7 days.\n"), "\(plain)")
        let unknown = try await gateway.deployment.run(
            "accounts", "create", "--email", Fresh.email(), "--client", "no-such-app", "--invite")
        #expect(unknown.exitCode == 64)
        #expect(unknown.errors.contains("--client names nothing that exists"), "\(unknown.errors)")
    }
}

extension GatewayProcess {
    /// The path of the link in an invitation.
    fileprivate func invitationLink(to email: String, number: Int = 1) async throws -> String {
        let mail = try await poll {
            let sent = self.mails(to: email).filter { $0.subject.hasPrefix("You are invited to") }
            return sent.count >= number ? sent[number - 1] : nil
        }
        let link = try #require(
            mail.decoded.firstMatch(of: /https?:\/\/[a-z0-9.:-]+(\/invitation\?token=iv_[A-Za-z0-9_-]{43})\n/))
        return String(link.output.1)
    }

    /// How many accounts have proved the address.
    fileprivate func proved(_ email: String) async throws -> Int {
        try await count("select count(*) from account_emails where address_key = \(email) and proved_at is not null")
    }

    /// Expects a page with a refusal, and its audit row.
    fileprivate func expectPage(
        _ page: TestAnswer, _ status: Int, _ code: String, action: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(page.status == status, "\(page.text)", sourceLocation: sourceLocation)
        let rows = try await audit(page)
        #expect(rows.map(\.action) == [action] && rows.map(\.reason) == [code], sourceLocation: sourceLocation)
    }
}
