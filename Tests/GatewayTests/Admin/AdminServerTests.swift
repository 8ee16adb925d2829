import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("The operators' API", .gateway(StepServer.configuration))
struct AdminServerTests {
    private static let why: JSON = ["reason": "asked by the person"]

    @Test("two accounts are found, suggested, merged as previewed, and separated again")
    func merge() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        // Amazon proves no address, so the same user has a second account.
        let other = try await gateway.session("amazon", ["email": .string(Fresh.email())])

        let found = try await gateway.admin("GET", "accounts?q=\(email.prefix(12))", by: admin)
        #expect(found.json["accounts"]?.array?.contains { $0["id"]?.string == person.account } == true, "\(found.text)")
        let bySession = try await gateway.admin("GET", "accounts?q=\(other.session)", by: admin)
        #expect(bySession.json["accounts"]?.array?.compactMap { $0["id"]?.string } == [other.account])

        let absorb: JSON = ["absorb": .string(other.account)]
        let preview = try await gateway.admin("POST", "accounts/\(person.account)/merge/preview", absorb, by: admin)
        #expect(preview.json["report"]?["moves"]?["identities"] == [.string(other.identity)], "\(preview.text)")
        #expect(try await gateway.checkSession(other.accessToken).status == 200)

        let merge: JSON = [
            "absorb": .string(other.account), "digest": preview.json["digest"] ?? .null, "reason": "one person",
        ]
        let merged = try await gateway.admin("POST", "accounts/\(person.account)/merge", merge, by: admin)
        #expect(merged.status == 200, "\(merged.text)")
        #expect(merged.json["report"] == preview.json["report"])
        #expect(try await gateway.checkSession(other.accessToken).code == "session_ended")
        let row = try #require(try await gateway.audit(merged).first { $0.action == "accounts_merged" })
        #expect((row.account, row.actor, row.words) == (person.account, admin.account, "one person"))
        _ = try await poll { gateway.mails(to: email).first { $0.subject.contains("were merged") } }

        let change = try #require(merged.json["change"]?.string)
        let undone = try await gateway.admin("POST", "changes/\(change)/undo", Self.why, by: admin)
        #expect(undone.status == 200, "\(undone.text)")
        #expect(try await gateway.dossier(other.account, by: admin)["status"] == "active")
        let again = try await gateway.admin("POST", "changes/\(change)/undo", Self.why, by: admin)
        try await gateway.expectRefusal(again, 409, "undo_over", action: "undo_change")
    }

    @Test("F9: a client that accepts audiences of a provider that is not configured is refused, and the place is named")
    func unknownProvider() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let id = "shop-\(Fresh.text())"
        let audiences: JSON = ["apple": ["com.example.app"], "aple": ["com.example.app"]]
        let sent: JSON = ["id": .string(id), "accepted_audiences": audiences, "reason": "a new shop"]
        let refused = try await gateway.admin("POST", "clients", sent, by: owner)
        try await gateway.expectRefusal(refused, 400, "invalid_request", action: "trust_client")
        #expect(refused.json["errors"]?.array?.first?["pointer"] == "/accepted_audiences/aple")
        #expect(refused.json["errors"]?.array?.first?["code"] == "unknown_provider")
        #expect(try await gateway.admin("GET", "clients/\(id)", by: owner).status == 404)
        let made = try await gateway.admin(
            "POST", "clients", ["id": .string(id), "providers": [], "reason": "a new shop"], by: owner)
        #expect(made.status == 201, "\(made.text)")
        let change: JSON = ["accepted_audiences": audiences, "reason": "its own tokens"]
        let kept = try await gateway.admin("PATCH", "clients/\(id)", change, by: owner)
        #expect(kept.status == 400)
        #expect(kept.json["errors"]?.array?.first?["pointer"] == "/accepted_audiences/aple")
        let client = try await gateway.admin("GET", "clients/\(id)", by: owner).json["client"]
        #expect(client?["accepted_audiences"] == [:])
    }

    @Test("a sign-in with a merged method leads to the kept account")
    func signInAfterMerge() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let subject = JSON.string(Fresh.subject("apple"))
        let kept = try await gateway.session("google")
        let absorbed = try await gateway.session("apple", ["subject": subject])
        let preview = try await gateway.admin(
            "POST", "accounts/\(kept.account)/merge/preview", ["absorb": .string(absorbed.account)], by: admin)
        let merged = try await gateway.admin(
            "POST", "accounts/\(kept.account)/merge",
            ["absorb": .string(absorbed.account), "digest": preview.json["digest"] ?? .null, "reason": "one person"],
            by: admin)
        #expect(merged.status == 200, "\(merged.text)")
        #expect(try await gateway.session("apple", ["subject": subject]).account == kept.account)
    }

    @Test("disable, enable, end sessions, require a reset and a proof: each returns the account's new state")
    func care() async throws {
        let gateway = try GatewayProcess.current
        let support = try await gateway.operatorSession("support")
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let path = "accounts/\(person.account)"

        let disabled = try await gateway.admin("POST", "\(path)/disable", Self.why, by: support)
        #expect(disabled.json["account"]?["status"] == "disabled", "\(disabled.text)")
        #expect(try await gateway.checkSession(person.accessToken).code == "session_ended")
        let enabled = try await gateway.admin("POST", "\(path)/enable", Self.why, by: support)
        #expect(enabled.json["account"]?["status"] == "active", "\(enabled.text)")

        let former = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
        let back = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
        let one = try await gateway.admin("DELETE", "\(path)/sessions/\(former.session)", Self.why, by: support)
        #expect(one.json["account"]?["sessions"]?.array?.compactMap { $0["id"]?.string } == [back.session])
        let ended = try await gateway.admin("DELETE", "\(path)/sessions", Self.why, by: support)
        #expect(ended.json["account"]?["sessions"] == [], "\(ended.text)")
        #expect(try await gateway.checkSession(back.accessToken).code == "session_ended")

        let reset = try await gateway.admin("POST", "\(path)/require-reset", Self.why, by: support)
        #expect(reset.json["account"]?["password_state"] == "reset_required", "\(reset.text)")
        let proof: JSON = ["address": .string(email), "reason": "the mailbox was taken"]
        let unproved = try await gateway.admin("POST", "\(path)/require-proof", proof, by: support)
        // It is the only sign-in method, so nothing is removed.
        try await gateway.expectRefusal(unproved, 409, "last_credential", action: "require_proof")
    }

    @Test("access needs a second factor and a sufficient role")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let stranger = try await gateway.signIn(
            try await gateway.protectedPerson(), app: GatewayProcess.consoleClient)
        let refused = try await gateway.admin("GET", "accounts", by: stranger)
        try await gateway.expectRefusal(refused, 403, "not_an_operator", action: "search_accounts")
        let low = try await gateway.admin("POST", "accounts/\(stranger.account)/disable", Self.why, by: viewer)
        try await gateway.expectRefusal(low, 403, "role_too_low", action: "disable_account")
        #expect(try await gateway.send(TestRequest("GET", "/admin/api/v1/accounts")).code == "access_token_missing")

        let weak = try await gateway.operatorSession("owner")
        try await gateway.change("update sessions set acr = '1' where id = \(weak.session)::uuid")
        let unproved = try await gateway.admin("GET", "accounts", by: weak)
        try await gateway.expectRefusal(unproved, 403, "step_up_required", action: "search_accounts")
    }

    @Test("no operator can change their own or another operator's account, and a change needs a recent proof")
    func detours() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let colleague = try await gateway.operatorSession("viewer")
        let own = try await gateway.admin("POST", "accounts/\(admin.account)/disable", Self.why, by: admin)
        try await gateway.expectRefusal(own, 403, "own_account", action: "disable_account")
        let other = try await gateway.admin("POST", "accounts/\(colleague.account)/disable", Self.why, by: admin)
        try await gateway.expectRefusal(other, 409, "operator_account", action: "disable_account")
        let role = try await gateway.admin(
            "PUT", "operators/\(admin.account)", ["role": "owner", "reason": "why not"], by: admin)
        try await gateway.expectRefusal(role, 403, "role_too_low", action: "change_role")

        let person = try await gateway.session("apple")
        try await gateway.change(
            "update sessions set auth_time = now() - interval '11 minutes' where id = \(admin.session)::uuid")
        let late = try await gateway.admin("POST", "accounts/\(person.account)/disable", Self.why, by: admin)
        try await gateway.expectRefusal(late, 403, "reauth_required", action: "disable_account")
        #expect(try await gateway.admin("GET", "accounts/\(person.account)", by: admin).status == 200)
    }

    @Test("F2: a grant is refused for an account without a factor, shows its sign-in methods, and ends its sessions")
    func grants() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let grant: JSON = ["role": "admin", "reason": "joins the team"]
        let refused = try await gateway.admin("PUT", "operators/\(person.account)", grant, by: owner)
        try await gateway.expectRefusal(refused, 409, "role_needs_factor", action: "change_role")
        let command = try await gateway.deployment.run("admin", "grant", email, "--role", "owner", "--yes")
        #expect(
            command.exitCode == 1 && command.errors.contains("no independent second factor"),
            "\(command.errors)")
        #expect(command.output.contains("email\t\(email)\t2"), "\(command.output)")
        _ = try await gateway.addingTOTP(
            ProtectedPerson(email: email, account: person.account, session: person), bearer: person.accessToken)
        let shown = try await gateway.admin("GET", "operators/\(person.account)/methods", by: owner)
        let kinds = shown.json["methods"]?.array?.compactMap { $0["kind"]?.string } ?? []
        #expect(kinds.first == "totp" && Set(kinds) == ["totp", "password", "email"], "\(shown.text)")
        #expect(shown.json["methods"]?.array?.allSatisfy { $0["since"]?.string?.hasSuffix("Z") == true } == true)
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
        #expect(try await gateway.admin("PUT", "operators/\(person.account)", grant, by: owner).status == 204)
        #expect(try await gateway.checkSession(person.accessToken).code == "session_ended")
        _ = try await poll { gateway.mails(to: email).first { $0.subject.contains("has a new role") } }
    }

    @Test("F2: an owner's grant waits while an admin's link can be undone")
    func planted() async throws {
        let gateway = try GatewayProcess.current
        let (owner, admin) = (
            try await gateway.operatorSession("owner"), try await gateway.operatorSession("admin")
        )
        let person = try await gateway.protectedPerson()
        let subject: JSON = [
            "provider": "google", "realm": "https://accounts.google.com", "subject": .string(Fresh.text()),
            "reason": "asked by phone",
        ]
        let linked = try await gateway.admin("POST", "accounts/\(person.account)/identities", subject, by: admin)
        #expect(linked.status == 201 || linked.status == 200, "\(linked.text)")
        let grant: JSON = ["role": "admin", "reason": "joins the team"]
        let refused = try await gateway.admin("PUT", "operators/\(person.account)", grant, by: owner)
        try await gateway.expectRefusal(refused, 409, "change_not_settled", action: "change_role")
        let change = try #require(linked.json["change"]?.string)
        #expect(try await gateway.admin("POST", "changes/\(change)/undo", Self.why, by: admin).status == 200)
        #expect(try await gateway.admin("PUT", "operators/\(person.account)", grant, by: owner).status == 204)
    }

    @Test("an owner grants and withdraws; the last one stays")
    func roles() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let person = try await gateway.protectedPerson()
        let grant = try await gateway.admin(
            "PUT", "operators/\(person.account)", ["role": "support", "reason": "joins the team"], by: owner)
        #expect(grant.status == 204, "\(grant.text)")
        let list = try await gateway.admin("GET", "operators", by: owner)
        let entry = list.json["operators"]?.array?.first { $0["account"]?.string == person.account }
        #expect(entry?["role"] == "support")
        #expect(entry?["granted_by"]?.string == owner.account)
        let withdrawn = try await gateway.admin("DELETE", "operators/\(person.account)", Self.why, by: owner)
        #expect(withdrawn.status == 204, "\(withdrawn.text)")
        let gone = try await gateway.admin("DELETE", "operators/\(person.account)", Self.why, by: owner)
        try await gateway.expectRefusal(gone, 404, "not_found", action: "change_role")
    }

    /// Invalid requests, and the pointer to the error.
    static let malformed: [(path: String, body: JSON, pointer: String)] = [
        ("disable", [:], "/reason"), ("disable", ["reason": 4], "/reason"), ("disable", ["reason": "no"], "/reason"),
        ("require-proof", ["reason": "asked"], "/address"), ("merge/preview", [:], "/absorb"),
        ("merge/preview", ["absorb": "x"], "/absorb"),
        ("identities", ["provider": "apple", "reason": "asked"], "/realm"),
        ("identities", ["provider": "nobody", "realm": "r", "subject": "s", "reason": "asked"], "/provider"),
        ("split", ["reason": "asked"], "/identities"),
        ("split", ["identities": ["x"], "reason": "asked"], "/identities/0"),
        ("split", ["emails": "a@example.com", "reason": "asked"], "/emails"),
    ]

    @Test("next_cursor of a page leads to older events of an account, until null")
    func historyPages() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let email = Fresh.email()
        let path = "accounts/\(try await gateway.signUp(email).account)/history"
        let credential: JSONObject = ["username": .string(email), "password": .string(GatewayProcess.password)]
        _ = try await gateway.audit(try await gateway.signIn("password", credential: credential))
        let whole = try await gateway.admin("GET", path, by: admin)
        #expect(whole.json["next_cursor"]?.isNull == true, "\(whole.text)")
        let events = whole.json["events"]?.array ?? []
        #expect(events.count > 1)
        var (walked, query): ([JSON], String?) = ([], "limit=1")
        while let asked = query, walked.count <= events.count {
            let page = try await gateway.admin("GET", "\(path)?\(asked)", by: admin)
            walked += page.json["events"]?.array ?? []
            query = page.json["next_cursor"]?.string.map { "limit=1&cursor=\($0)" }
        }
        #expect(walked.map { $0["id"] } == events.map { $0["id"] })
    }

    @Test("an invalid request is refused by its position, and changes nothing")
    func malformed() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let person = try await gateway.session("apple")
        let before = try await gateway.dossier(person.account, by: admin)
        for row in Self.malformed {
            let answer = try await gateway.admin("POST", "accounts/\(person.account)/\(row.path)", row.body, by: admin)
            #expect(answer.code == "invalid_request", "\(row)")
            #expect(answer.json["errors"]?.array?.first?["pointer"]?.string == row.pointer, "\(row): \(answer.text)")
        }
        for query in [
            "accounts?cursor=x", "accounts?limit=0", "accounts?limit=x", "accounts/\(person.account)/history?cursor=-1",
        ] {
            #expect(try await gateway.admin("GET", query, by: admin).code == "invalid_request", "\(query)")
        }
        #expect(try await gateway.admin("GET", "accounts/\(UUID())", by: admin).status == 404)
        #expect(try await gateway.dossier(person.account, by: admin) == before)
    }

    @Test("the command line does the same, in the same words")
    func commandLine() async throws {
        let gateway = try GatewayProcess.current
        let deployment = gateway.deployment
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let other = try await gateway.session("apple")
        let found = try await deployment.run("accounts", "search", email)
        #expect(found.output.contains(person.account), "\(found.errors)")
        #expect(try await deployment.run("accounts", "show", email).output.contains("password\t-\tusable\tset "))
        let dry = try await deployment.run("accounts", "merge", email, other.account, "--dry-run")
        #expect(dry.exitCode == 0, "\(dry.errors)")
        let moved = dry.output.split(separator: "\n").filter { $0.hasPrefix("moves\tidentity\tapple") }
        #expect(moved.map { $0.hasSuffix("\t\(other.identity)") } == [true], "\(dry.output)")
        #expect(dry.output.contains("\nSessions that end: "))
        let merged = try await deployment.run(
            "accounts", "merge", email, other.account, "--yes", "--reason", "one person")
        #expect(merged.exitCode == 0, "\(merged.errors)")
        let change = try #require(merged.output.split(separator: " ").last).trimmingCharacters(
            in: .whitespacesAndNewlines)
        #expect(try await deployment.run("accounts", "show", email).output.contains("change\t\(change)\tmerge"))
        #expect(try await deployment.run("accounts", "undo", change).exitCode == 0)
        let again = try await deployment.run("accounts", "undo", change)
        #expect(again.exitCode == 1)
        #expect(again.errors.contains("It can't be undone any more:"))
        let history = try await deployment.run("accounts", "history", email)
        #expect(
            history.output.contains("accounts_merged") && history.output.contains("\tone person"), "\(history.errors)"
        )
        let nobody = try await deployment.run("accounts", "show", "nobody@example.org")
        #expect(nobody.exitCode == 1 && nobody.errors.contains("There is no such account"))
        let nothing = try await deployment.run("clients", "show", "nothing")
        #expect(nothing.exitCode == 1 && nothing.errors.contains("There is no app nothing."))
    }
}
