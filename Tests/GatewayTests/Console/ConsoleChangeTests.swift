import Foundation
import JSON
import OperatorAccess
import Postgres
import Testing

/// Changes on the console: a preview, a reason, and an undo.
@Suite(.gateway())
struct ConsoleChangeTests {
    /// An account with a password, a name and an identity.
    private func somebody(_ name: String = "Ann Lee") async throws -> (account: String, email: String, subject: String)
    {
        let gateway = try GatewayProcess.current
        let (email, subject) = (Fresh.email(), Fresh.text())
        let account = try await gateway.signUp(email).account
        try await gateway.furnish(account, name: name, identity: subject)
        return (account, email, subject)
    }

    @Test("An account is disabled and enabled again, with a reason that its history shows")
    func disabling() async throws {
        let gateway = try GatewayProcess.current
        let ann = try await somebody()
        let browser = try await ConsoleOperator.browser(gateway, .support)
        let path = "/admin/accounts/\(ann.account)"
        try await browser.visit("\(path)/change?do=disable")
        #expect(browser.page.text.contains("Sessions that end: <bdi>1</bdi>"))
        try await browser.confirm("lost <b>laptop</b>")
        #expect(browser.page.status == 200)
        #expect(browser.page.text.contains("The account is disabled."))
        #expect(browser.page.text.contains("lost &lt;b&gt;laptop&lt;/b&gt;"))
        #expect(try await gateway.status(of: ann.account) == "disabled")
        #expect(browser.offered.contains("enable") && !browser.offered.contains("disable"))
        try await browser.visit("\(path)/change?do=enable")
        try await browser.confirm()
        #expect(try await gateway.status(of: ann.account) == "active")
        try await browser.visit("\(path)/change?do=enable")
        let twice = try await browser.confirm()
        #expect(twice.status == 409)
        #expect(browser.problem == "Nothing to change.")
        // The page shows the account again, which is a view.
        let rows = try await gateway.audit(twice, atLeast: 2).filter { $0.outcome == "refused" }
        #expect(rows.map(\.action) == ["enable_account"])
    }

    @Test(
        "Without a reason nothing happens, and the page shows the error with the other entries",
        arguments: [("", "Enter a reason."), ("  ", "Enter a reason."), ("x", "Enter a longer reason.")])
    func reasons(_ reason: String, _ words: String) async throws {
        let gateway = try GatewayProcess.current
        let ann = try await somebody()
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let subject = Fresh.text()
        let path = "/admin/accounts/\(ann.account)/change"
        try await browser.visit("\(path)?do=link&provider=google%20r&subject=\(subject)")
        let answer = try await browser.confirm(reason)
        #expect(answer.status == 400)
        #expect(browser.problem == words)
        #expect(answer.text.contains(subject))
        let rows = try await gateway.audit(answer, atLeast: 2).filter { $0.outcome == "refused" }
        #expect(rows.map(\.reason) == ["invalid_request"])
    }

    @Test("A provider is unlinked, moved and linked, and each is undone by the link of its message")
    func moves() async throws {
        let gateway = try GatewayProcess.current
        let (ann, bob) = (try await somebody(), try await somebody("Bob Ray"))
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let path = "/admin/accounts/\(ann.account)"
        let identity = try await gateway.identity(ann.subject)
        let address = bob.email.replacingOccurrences(of: "@", with: "%40")
        for (query, done) in [
            ("do=unlink&identity=\(identity)", "The provider is unlinked."),
            ("do=move&identity=\(identity)&to=\(address)", "The provider is moved."),
            ("do=link&provider=google%20r&subject=\(Fresh.text())", "The provider is linked."),
        ] {
            try await browser.visit("\(path)/change?\(query)")
            try await browser.confirm()
            #expect(browser.page.text.contains(done), "\(query): \(browser.problem ?? "")")
            let undo = try #require(browser.page.links.first { $0.hasPrefix("\(path)/undo?change=") })
            try await browser.visit(undo)
            try await browser.confirm("a mistake")
            #expect(browser.page.text.contains("The change is undone."), "\(query): \(browser.problem ?? "")")
        }
        #expect(try await gateway.identity(ann.subject) == identity)
    }

    @Test("a second factor is demanded, and then not any more, on the console and by the API")
    func demand() async throws {
        let gateway = try GatewayProcess.current
        let account = try await gateway.signUp(Fresh.email()).account
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        for (action, demanded) in [("demand_second_factor", 1), ("waive_second_factor", 0)] {
            try await browser.visit("/admin/accounts/\(account)")
            #expect(browser.page.links.contains("/admin/accounts/\(account)/change?do=\(action)"))
            try await browser.visit("/admin/accounts/\(account)/change?do=\(action)")
            try await browser.confirm()
            let stored = try await gateway.count(
                "select count(*) from accounts where id = \(account)::uuid and mfa_demanded")
            #expect(stored == demanded, "\(action): \(browser.problem ?? "")")
        }
        let admin = try await gateway.operatorSession("admin")
        let path = "accounts/\(account)/demand-second-factor"
        for demanded in [true, false] {
            let answer = try await gateway.admin(
                "POST", path, ["demanded": .bool(demanded), "reason": "asked by phone"], by: admin)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["account"]?["mfa_demanded"] == .bool(demanded))
        }
        let support = try await gateway.operatorSession("support")
        let refused = try await gateway.admin("POST", path, ["reason": "asked by phone"], by: support)
        try await gateway.expectRefusal(refused, 403, "role_too_low", action: "demand_second_factor")
    }

    @Test("A move first asks for its target account, and an unknown one is reported")
    func target() async throws {
        let gateway = try GatewayProcess.current
        let ann = try await somebody()
        let identity = try await gateway.identity(ann.subject)
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let path = "/admin/accounts/\(ann.account)/change?do=move&identity=\(identity)"
        try await browser.visit(path)
        #expect(browser.page.forms.contains { $0.fields.contains { $0 == ("to", "") } })
        try await browser.visit("\(path)&to=nobody%40example.com")
        #expect(browser.problem?.contains("This account or item doesn't exist") == true)
        #expect(browser.page.forms.contains { $0.fields.contains { $0 == ("to", "nobody@example.com") } })
    }

    @Test("Sessions, the password and proofs are looked after by support")
    func care() async throws {
        let gateway = try GatewayProcess.current
        let ann = try await somebody()
        let browser = try await ConsoleOperator.browser(gateway, .support)
        let path = "/admin/accounts/\(ann.account)"
        try await browser.visit(path)
        let end = try #require(browser.page.links.first { $0.contains("do=end_session&session=") })
        try await browser.visit(end)
        try await browser.confirm()
        #expect(browser.page.text.contains("The session has ended."))
        for (query, done) in [
            ("do=require_reset", "A new password is required."), ("do=end_sessions", "All sessions have ended."),
        ] {
            try await browser.visit("\(path)/change?\(query)")
            try await browser.confirm()
            #expect(browser.page.text.contains(done), "\(query)")
        }
        let address = ann.email.replacingOccurrences(of: "@", with: "%40")
        try await browser.visit("\(path)/change?do=require_proof&address=\(address)")
        try await browser.confirm()
        #expect(browser.page.text.contains("The user must confirm it again."), "\(browser.problem ?? "")")
    }

    @Test("Two accounts are compared, merged with the preview's digest, and parted again")
    func merging() async throws {
        let gateway = try GatewayProcess.current
        let (ann, other) = (try await somebody(), try await somebody())
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let path = "/admin/accounts/\(ann.account)"
        try await browser.visit("\(path)/merge?with=\(other.email.replacingOccurrences(of: "@", with: "%40"))")
        let document = try HTMLDocument(Array(browser.page.text.utf8))
        #expect(document.within("preview").contains { $0.text.contains(other.email) })
        #expect(browser.page.links.contains("/admin/accounts/\(other.account)/merge?with=\(ann.account)"))
        try await browser.confirm()
        #expect(browser.page.text.contains("The accounts are merged."), "\(browser.problem ?? "")")
        #expect(try await gateway.status(of: other.account) == "closed")
        try await browser.visit("/admin/accounts/\(other.account)")
        #expect(browser.page.links.contains(path))
        #expect(browser.offered.isDisjoint(with: ["merge", "split", "disable", "link"]))
        try await browser.visit(path)
        let undo = try #require(browser.page.links.first { $0.hasPrefix("\(path)/undo?change=") })
        try await browser.visit(undo)
        try await browser.confirm("two people after all")
        #expect(browser.page.text.contains("The change is undone."))
        #expect(try await gateway.status(of: other.account) == "active")
        try await browser.visit(undo)
        let twice = try await browser.confirm("once more")
        #expect(twice.status == 409)
        #expect(browser.problem?.contains("already undone") == true)
    }

    @Test("A change between preview and merge stops it, and is shown")
    func changed() async throws {
        let gateway = try GatewayProcess.current
        let (ann, other) = (try await somebody(), try await somebody())
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        try await browser.visit("/admin/accounts/\(ann.account)/merge?with=\(other.account)")
        try await gateway.furnish(other.account, name: "Ann Lee", identity: Fresh.text())
        let stopped = try await browser.confirm("the same person")
        #expect(stopped.status == 409)
        #expect(browser.problem?.contains("Check again") == true)
        #expect(try await gateway.status(of: other.account) == "active")
        #expect(browser.page.forms.contains { $0.fields.contains { $0 == ("reason", "the same person") } })
        try await browser.confirm("the same person")
        #expect(try await gateway.status(of: other.account) == "closed")
    }

    @Test("An account isn't merged with itself, or with an operator's", arguments: [true, false])
    func refusedMerges(withItself: Bool) async throws {
        let gateway = try GatewayProcess.current
        let ann = try await somebody()
        let colleague = try await ConsoleOperator(gateway, .viewer)
        let browser = try await ConsoleOperator.browser(gateway, .owner)
        try await browser.visit(
            "/admin/accounts/\(ann.account)/merge?with=\(withItself ? ann.account : colleague.account)")
        #expect(browser.problem != nil)
        #expect(!browser.page.forms.contains { $0.fields.contains { $0.0 == "reason" } })
    }

    @Test("The selected items move to a new account after a preview; without a sign-in method nothing is split")
    func splitting() async throws {
        let gateway = try GatewayProcess.current
        let ann = try await somebody()
        let identity = try await gateway.identity(ann.subject)
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let path = "/admin/accounts/\(ann.account)/split"
        try await browser.visit("\(path)?show=1")
        #expect(browser.problem?.contains("Choose at least one") == true)
        let address = ann.email.replacingOccurrences(of: "@", with: "%40")
        let all = "give_1=emails%20\(address)&give_2=password&give_0=identities%20\(identity)"
        try await browser.visit("\(path)?show=1&\(all)")
        #expect(browser.problem?.contains("the account's only sign-in method") == true)
        try await browser.visit("\(path)?show=1&give_0=identities%20\(identity)")
        try await browser.confirm()
        #expect(browser.page.text.contains("The account is split."), "\(browser.problem ?? "")")
        let owner: UUID? = try await gateway.sql { connection in
            try connection.queryOne("select account_id from identities where id = \(UUID(uuidString: identity))")?
                .value(0)
        }
        #expect(owner != UUID(uuidString: ann.account))
    }
}

extension GatewayProcess {
    /// The id of an identity by its subject.
    fileprivate func identity(_ subject: String) async throws -> String {
        let id: UUID? = try await sql { connection in
            try connection.queryOne("select id from identities where subject = \(subject)")?.value(0)
        }
        return try #require(id).uuidString.lowercased()
    }
}
