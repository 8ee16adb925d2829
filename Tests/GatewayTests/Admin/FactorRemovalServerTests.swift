import Foundation
import JSON
import OperatorAccess
import TestSupport
import Testing

@Suite("Lost second factors", .gateway(StepServer.configuration))
struct FactorRemovalServerTests {
    private static let why: JSON = ["reason": "lost the phone, came by with a passport"]

    @Test("U2: an operator removes lost factors by the API; the user is notified and can cancel")
    func api() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let person = try await gateway.protectedPerson()
        let bearer = person.session.accessToken
        let path = "accounts/\(person.account)"
        let asked = try await gateway.admin("DELETE", "\(path)/factors", Self.why, by: admin)
        #expect(asked.status == 200, "\(asked.text)")
        #expect(asked.json["account"]?["factor_removal_due_at"]?.string != nil)
        #expect(try await gateway.audit(asked).contains { $0.action == "factor_removal_asked" })
        _ = try await poll { gateway.mails(to: person.email).first { $0.subject.contains("will be turned off") } }
        let own = try await gateway.get("/v1/account/factors", bearer: bearer)
        #expect(own.json["removal_due_at"]?.string != nil && own.json["second_factor"] == true, "\(own.text)")
        #expect(try await gateway.delete("/v1/account/factor-removal", bearer: bearer).status == 204)
        let again = try await gateway.delete("/v1/account/factor-removal", bearer: bearer)
        try await gateway.expectRefusal(again, 404, "not_found", action: "keep_factors")
        let none = try await gateway.admin("DELETE", "\(path)/factor-removal", Self.why, by: admin)
        try await gateway.expectRefusal(none, 409, "nothing_to_change", action: "remove_factors")
        // A sign-in with a factor proves that it is not lost.
        #expect(try await gateway.admin("DELETE", "\(path)/factors", Self.why, by: admin).status == 200)
        _ = try await gateway.signIn(person)
        #expect(try await gateway.dossier(person.account, by: admin)["factor_removal_due_at"] == .null)
        // A second server, or the next minute, removes it when it is due.
        #expect(try await gateway.admin("DELETE", "\(path)/factors", Self.why, by: admin).status == 200)
        let kept = try await gateway.admin("DELETE", "\(path)/factor-removal", Self.why, by: admin)
        #expect(kept.json["account"]?["factor_removal_due_at"] == .null, "\(kept.text)")
        let stale = try await gateway.operatorSession("admin")
        try await gateway.age(stale.session)
        let late = try await gateway.admin("DELETE", "\(path)/factors", Self.why, by: stale)
        try await gateway.expectRefusal(late, 403, "reauth_required", action: "remove_factors")
    }

    @Test("3-B9: a removal of second factors is mailed and texted, and the account says so until it is cancelled")
    func announced() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let person = try await gateway.protectedPerson()
        let (bearer, phone) = (person.session.accessToken, GatewayProcess.freshPhone())
        try await gateway.prove(phone, of: person.account)
        let path = "accounts/\(person.account)"
        #expect(try await gateway.admin("DELETE", "\(path)/factors", Self.why, by: admin).status == 200)
        _ = try await poll { gateway.mails(to: person.email).first { $0.subject.contains("will be turned off") } }
        _ = try await poll { gateway.texts(to: phone).first { $0.contains("will be turned off") } }
        let profile = try await gateway.get("/v1/account", bearer: bearer)
        let factors = try await gateway.get("/v1/account/factors", bearer: bearer)
        #expect(profile.json["factor_removal"]?["due_at"]?.string != nil, "\(profile.text)")
        #expect(profile.json["factor_removal"]?["due_at"] == factors.json["removal_due_at"])
        #expect(try await gateway.delete("/v1/account/factor-removal", bearer: bearer).status == 204)
        #expect(try await gateway.get("/v1/account", bearer: bearer).json["factor_removal"] == nil)
        // The removal itself is announced in the same way.
        let done = try await gateway.deployment.run(
            "accounts", "remove-factors", person.email, "--now", "--yes", "--reason", "lost the phone")
        #expect(done.exitCode == 0, "\(done.errors)")
        _ = try await poll { gateway.texts(to: phone).first { $0.contains("was removed from your account") } }
    }

    @Test("U2: the command line can remove them immediately")
    func commandLine() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        let deployment = gateway.deployment
        let waits = try await deployment.run(
            "accounts", "remove-factors", person.email, "--yes", "--reason", "lost the phone")
        #expect(waits.exitCode == 0 && waits.output.contains("has no second factor from "), "\(waits.errors)")
        let kept = try await deployment.run(
            "accounts", "keep-factors", person.email, "--reason", "found the phone")
        #expect(kept.exitCode == 0, "\(kept.errors)")
        let done = try await deployment.run(
            "accounts", "remove-factors", person.email, "--now", "--yes", "--reason", "lost the phone")
        #expect(done.exitCode == 0 && done.output.hasSuffix("has no second factor\n"), "\(done.errors)")
        let answer = try await gateway.passwordSignIn(person.email, GatewayProcess.password)
        #expect(answer.json["status"] == "signed_in", "\(answer.text)")
        #expect(try await gateway.checkSession(person.session.accessToken).code == "session_ended")
    }

    /// The user's own events about the removal, newest first, as `type by`.
    private static func events(_ gateway: GatewayProcess, bearer: String) async throws -> [String] {
        let answer = try await gateway.get("/v1/account/events", bearer: bearer)
        #expect(answer.status == 200, "\(answer.text)")
        return (answer.json["events"]?.array ?? []).filter { $0["type"]?.string?.contains("factor") == true }
            .filter { $0["type"] != "factor_added" }
            .map { "\($0["type"]?.string ?? "") \($0["by"]?.string ?? "") \($0["address"]?.string ?? "-")" }
    }

    @Test("U2: the user's activity shows the request, the cancellation and the removal, with the actor")
    func activity() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let person = try await gateway.protectedPerson()
        let (bearer, path) = (person.session.accessToken, "accounts/\(person.account)")
        let asked = "factor_removal_requested support -"
        #expect(try await gateway.admin("DELETE", "\(path)/factors", Self.why, by: admin).status == 200)
        #expect(try await Self.events(gateway, bearer: bearer) == [asked])
        #expect(try await gateway.delete("/v1/account/factor-removal", bearer: bearer).status == 204)
        var expected = ["factor_removal_cancelled person 127.0.0.1", asked]
        #expect(try await Self.events(gateway, bearer: bearer) == expected)
        for part in ["factors", "factor-removal"] {
            #expect(try await gateway.admin("DELETE", "\(path)/\(part)", Self.why, by: admin).status == 200)
        }
        expected = ["factor_removal_cancelled support -", asked] + expected
        #expect(try await Self.events(gateway, bearer: bearer) == expected)
        let done = try await gateway.deployment.run(
            "accounts", "remove-factors", person.email, "--now", "--yes", "--reason", "lost the phone")
        #expect(done.exitCode == 0, "\(done.errors)")
        let again = try await gateway.passwordSignIn(person.email, GatewayProcess.password)
        let session = try SignedInAnswer(again)
        #expect(
            try await Self.events(gateway, bearer: session.accessToken)
                == ["all_factors_removed support -", asked] + expected)
    }

    @Test("U2: withdrawing an operator's role cancels the removals of this operator")
    func withdrawn() async throws {
        let gateway = try GatewayProcess.current
        let (owner, admin) = (
            try await gateway.operatorSession("owner"), try await gateway.operatorSession("admin")
        )
        let person = try await gateway.protectedPerson()
        let (bearer, path) = (person.session.accessToken, "accounts/\(person.account)")
        #expect(try await gateway.admin("DELETE", "\(path)/factors", Self.why, by: admin).status == 200)
        let withdrawn = try await gateway.admin(
            "DELETE", "operators/\(admin.account)", Self.why, by: owner)
        #expect(withdrawn.status < 300, "\(withdrawn.text)")
        #expect(try await gateway.dossier(person.account, by: owner)["factor_removal_due_at"] == .null)
        let rows = try await gateway.audit(withdrawn).filter { $0.action == "factor_removal_cancelled" }
        #expect(rows.map(\.reason) == ["operator_withdrawn"] && rows.map(\.account) == [person.account])
        _ = try await poll { gateway.mails(to: person.email).first { $0.subject.contains("stays on") } }
        #expect(
            try await Self.events(gateway, bearer: bearer) == [
                "factor_removal_cancelled support -", "factor_removal_requested support -",
            ])
    }

    @Test("U2: the console requests and cancels it, and the user cancels it on the account page")
    func pages() async throws {
        let gateway = try GatewayProcess.current
        let console = try await ConsoleOperator.browser(gateway, .admin)
        let person = try await ConsoleOperator(gateway, nil)
        let browser = try await PageBrowser.open(gateway, "/login")
        try await browser.passwordSignIn(person.email, GatewayProcess.password)
        try await browser.submit("/login/step", ["code": ConsoleOperator.code(person.secret, ahead: 1)])
        let colleague = try await ConsoleOperator(gateway, .viewer)
        let owner = try await ConsoleOperator.browser(gateway, .owner)
        try await owner.visit("/admin/accounts/\(colleague.account)")
        #expect(owner.offered.contains("disable") && !owner.offered.contains("remove_factors"))
        let path = "/admin/accounts/\(person.account)"
        try await console.visit(path)
        #expect(console.offered.contains("remove_factors") && !console.offered.contains("keep_factors"))
        try await console.visit("\(path)/change?do=remove_factors")
        #expect(console.page.text.contains("<bdi>24</bdi>"), "\(console.page.text)")
        try await console.confirm("lost the phone")
        #expect(console.page.text.contains("The second factors will be removed. The user was notified."))
        #expect(console.offered.contains("keep_factors") && !console.offered.contains("remove_factors"))
        for section in ["/account", "/account/activity"] {
            #expect(try await browser.visit(section).forms.contains { $0.action == "/account/factor-removal/cancel" })
        }
        #expect(browser.page.text.contains("Removal of two-step verification requested"))
        try await browser.submit("/account/factor-removal/cancel")
        #expect(browser.page.text.contains("Two-step verification stays on."))
        #expect(try await browser.visit("/account/activity").text.contains("Two-step verification kept"))
        try await console.visit(path)
        #expect(console.offered.contains("remove_factors"))
    }
}
