import Foundation
import JSON
import Postgres
import Synchronization
import TestSupport
import Testing

/// `DELETE /v1/account`, its waiting time and its end.
@Suite("Deleting an account", .gatewayPair())
struct DeletionTests {
    private var pair: GatewayPair { get throws { try GatewayPair.current } }

    @Test("it ends every session on both servers, waits, is shown at the next sign-in, and is cancelled")
    func waitAndCancel() async throws {
        let (one, two) = (try pair.one, try pair.two)
        let email = Fresh.email()
        let first = try await one.signUp(email)
        let second = try SignedInAnswer(try await two.passwordSignIn(email, GatewayProcess.password))
        #expect(try await two.checkSession(second.accessToken).status == 200)

        let asked = try await one.delete("/v1/account", bearer: first.accessToken)
        #expect(asked.status == 202, "\(asked.text)")
        let due = try Self.time(asked.json["deletion"]?["due_at"])
        let requested = try Self.time(asked.json["deletion"]?["requested_at"])
        #expect(due.timeIntervalSince(requested) == 14 * 86_400)
        for gateway in [one, two] {
            for session in [first, second] {
                _ = try await poll { try await gateway.checkSession(session.accessToken).status == 401 ? true : nil }
                #expect(try await gateway.refresh(session.refreshToken).status == 401)
            }
        }
        let told = try await poll { one.mails(to: email).first { $0.subject.contains("will be deleted") } }
        #expect(told.decoded.contains(Self.day(due)))

        let back = try SignedInAnswer(try await two.passwordSignIn(email, GatewayProcess.password))
        for path in ["/v1/account", "/v1/session"] {
            let answer = try await one.get(path, bearer: back.accessToken)
            let shown = answer.json["deletion"] ?? answer.json["account"]?["deletion"]
            #expect(shown == asked.json["deletion"], "\(answer.text)")
        }
        // A second request changes and ends nothing.
        let again = try await two.delete("/v1/account", bearer: back.accessToken)
        #expect(again.status == 202 && again.json["deletion"] == asked.json["deletion"])
        #expect(try await one.delete("/v1/account/deletion", bearer: back.accessToken).status == 204)
        _ = try await poll {
            try await two.get("/v1/account", bearer: back.accessToken).json["deletion"] == nil ? true : nil
        }
        #expect(try await one.delete("/v1/account/deletion", bearer: back.accessToken).code == "not_found")
        #expect(
            try await one.actions(of: first.account)
                == ["account_created", "signed_in", "deletion_requested", "signed_in", "deletion_cancelled"])
        _ = try await poll { one.mails(to: email).first { $0.subject.contains("is kept") } }
    }

    @Test("on its date it is deleted once, the user is notified, and can sign up again")
    func erased() async throws {
        let (one, two) = (try pair.one, try pair.two)
        let (email, subject) = (Fresh.email(), Fresh.subject("apple"))
        let members: JSONObject = ["subject": .string(subject), "email": .string(email)]
        let first = try await one.session("apple", members)
        #expect(try await one.delete("/v1/account", bearer: first.accessToken).status == 202)
        let back = try await two.session("apple", members)
        #expect(back.account == first.account)
        #expect(try await one.checkSession(back.accessToken).status == 200)
        #expect(try await two.checkSession(back.accessToken).status == 200)

        try await one.change("update accounts set deletion_due_at = now() where id = \(first.account)::uuid")
        let erased = try await inParallel(4) { _ in
            try await one.count("select sweep_deletions(20, 'test', 3600)")
        }
        #expect(erased.reduce(0, +) == 1)
        for gateway in [one, two] {
            _ = try await poll { try await gateway.checkSession(back.accessToken).status == 401 ? true : nil }
            #expect(try await gateway.refresh(back.refreshToken).status == 401)
        }
        #expect(try await one.actions(of: first.account).last == "account_deleted")
        #expect(try await one.rows(about: first.account) == 0)
        let told = try await poll { one.mails(to: email).first { $0.subject.contains("is deleted") } }
        #expect(!told.decoded.contains("sign in"))

        let anew = try await two.session("apple", members)
        #expect(anew.account != first.account)
        #expect(anew.answer.json["new_account"] == true)
        #expect(anew.answer.json["account"]?["email"] == .string(email))
    }

    @Test("killed in the middle, an account is complete or deleted, and another server continues")
    func killed() async throws {
        try await withDeployment { deployment in
            let accounts = Mutex<[String]>([])
            try await deployment.serving { gateway in
                for _ in 0..<30 {
                    let account = try await gateway.anyone().account
                    accounts.withLock { $0.append(account) }
                }
                await gateway.kill9()
            }
            try await deployment.slowingDeletions {
                try await deployment.change(
                    "update accounts set deletion_requested_at = now() - interval '1 day', deletion_due_at = now()")
                let gateway = try await deployment.start()
                _ = try await poll(within: .seconds(60)) { try await deployment.erasing() ? true : nil }
                await gateway.kill9()
            }
            try await Invariants.check(deployment.database)
            for account in accounts.withLock({ $0 }) { try await deployment.expectWholeOrGone(account) }
            try await withTwo(deployment) { one, two in
                _ = try await poll(within: .seconds(60)) {
                    try await one.count("select count(*) from accounts") == 0 ? true : nil
                }
                for account in accounts.withLock({ $0 }) {
                    #expect(try await two.actions(of: account).filter { $0 == "account_deleted" }.count == 1)
                }
            }
        }
    }

    /// Two servers that start simultaneously, so that their housekeeping begins together.
    private func withTwo(
        _ deployment: Deployment, _ body: (GatewayProcess, GatewayProcess) async throws -> Void
    ) async throws {
        let pair = try await inParallel(0..<2) { _ in try await deployment.start() }
        do {
            try await body(pair[0], pair[1])
        } catch {
            for gateway in pair { await gateway.kill9() }
            throw error
        }
        for gateway in pair { await gateway.expectGoodEnd() }
    }

    @Test("an account with a failing deletion blocks no other, and is retried later")
    func held() async throws {
        try await withTestDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    create table holders (account_id uuid references accounts);
                    insert into accounts (id, deletion_requested_at, deletion_due_at)
                    select gen_random_uuid(), now() - interval '1 day', now() - n * interval '1 minute' from generate_series(1, 3) n;
                    insert into holders select id from accounts order by deletion_due_at limit 1;
                    """)
                #expect(
                    try connection.queryOne("select sweep_deletions(20, 'test', 3600)")?.value(0, as: Int32.self) == 2)
                #expect(
                    try connection.queryOne("select sweep_deletions(20, 'test', 3600)")?.value(0, as: Int32.self) == 0)
                let rows = try connection.query(
                    "select reason from audit_events where action = 'account_deleted' and outcome = 'refused'")
                #expect(try rows.map { try $0.value(0, as: String.self) } == ["sqlstate_23503"])
                try connection.executeScript("delete from holders; update accounts set deletion_due_at = now()")
                #expect(
                    try connection.queryOne("select sweep_deletions(20, 'test', 3600)")?.value(0, as: Int32.self) == 1)
            }
        }
    }

    @Test("without a sign-in method the account is closed, and erased two weeks later")
    func withoutSignInMethod() async throws {
        let gateway = try pair.one
        let person = try await gateway.anyone()
        for _ in 0..<2 {
            try await gateway.change(
                "select close_account(\(person.account)::uuid, 'apple_account_deleted', 'test')")
        }
        _ = try await poll { try await gateway.checkSession(person.accessToken).status == 401 ? true : nil }
        #expect(
            try await gateway.count(
                """
                select count(*) from accounts where id = \(person.account)::uuid and status = 'closed'
                   and deletion_due_at between now() + interval '13 days' and now() + interval '14 days'
                """) == 1)
        #expect(try await gateway.actions(of: person.account) == ["account_created", "account_closed"])
    }

    @Test("an old proof, a missing second factor and an operator's account are refused, and nothing changes")
    func refused() async throws {
        let gateway = try pair.one
        let old = try await gateway.signUp(Fresh.email())
        try await gateway.change(
            "update sessions set auth_time = now() - interval '11 minutes' where id = \(old.session)::uuid")
        try await expectRefused(old, 403, "reauth_required")

        let person = try await gateway.protectedPerson()
        // Signed in before the factor was added, with the password alone.
        try await expectRefused(person.session, 403, "step_up_required")

        let chief = try await gateway.signUp(Fresh.email())
        try await gateway.change("insert into operators (account_id, role) values (\(chief.account)::uuid, 'owner')")
        try await expectRefused(chief, 409, "operator_account")
        let command = try await gateway.deployment.run(
            "accounts", "delete", chief.account, "--reason", "a test", "--now", "--yes")
        #expect(command.exitCode == 1 && command.errors.contains("operator"), "\(command.errors)")
        try await gateway.change("update accounts set deletion_due_at = now() where id = \(chief.account)::uuid")
        #expect(try await gateway.count("select sweep_deletions(20, 'test', 3600)") == 0)
        #expect(try await gateway.checkSession(chief.accessToken).status == 200)
        #expect(try await gateway.delete("/v1/account").code == "access_token_missing")
    }

    private func expectRefused(
        _ person: SignedInAnswer, _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let gateway = try pair.one
        for request in [("DELETE", "/v1/account"), ("GET", "/v1/account/export")]
        where status == 403 || request.0 == "DELETE" {
            let answer = try await gateway.send(TestRequest(request.0, request.1).bearer(person.accessToken))
            #expect(answer.status == status && answer.code == code, "\(answer.text)", sourceLocation: sourceLocation)
        }
        #expect(
            try await gateway.count(
                "select count(*) from accounts where id = \(person.account)::uuid and deletion_due_at is null") == 1,
            sourceLocation: sourceLocation)
    }

    @Test("the command line schedules, cancels and deletes immediately, also a disabled account")
    func commands() async throws {
        let gateway = try pair.one
        let deployment = gateway.deployment
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let asked = try await deployment.run("accounts", "delete", email, "--reason", "asked by letter", "--yes")
        #expect(asked.exitCode == 0 && asked.output.contains(person.account), "\(asked.errors)")
        _ = try await poll { try await gateway.checkSession(person.accessToken).status == 401 ? true : nil }
        let kept = try await deployment.run("accounts", "cancel-deletion", person.account, "--reason", "a mistake")
        #expect(kept.exitCode == 0, "\(kept.errors)")
        let nothing = try await deployment.run("accounts", "cancel-deletion", person.account, "--reason", "a mistake")
        #expect(nothing.exitCode == 1)
        #expect(try await deployment.accounts("disable", person.account).exitCode == 0)
        let gone = try await deployment.run(
            "accounts", "delete", person.account, "--reason", "asked by letter", "--now", "--yes")
        #expect(gone.exitCode == 0 && gone.output.contains("is deleted"), "\(gone.errors)")
        #expect(try await gateway.rows(about: person.account) == 0)
        let again = try await deployment.run(
            "accounts", "delete", person.account, "--reason", "again", "--now", "--yes")
        #expect(again.exitCode == 1)
    }

    static func time(_ json: JSON?) throws -> Date { try Date(try #require(json?.string), strategy: .iso8601) }

    private static func day(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(10)) }
}

/// A deletion without a waiting time.
@Suite("Deleting an account at once", .gateway(["ACCOUNT_DELETION_DAYS": "0"]))
struct ImmediateDeletionTests {
    @Test("the answer arrives after the deletion")
    func atOnce() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let answer = try await gateway.delete("/v1/account", bearer: person.accessToken)
        #expect(answer.status == 204, "\(answer.text)")
        #expect(try await gateway.checkSession(person.accessToken).status == 401)
        #expect(try await gateway.rows(about: person.account) == 0)
        #expect(
            try await gateway.actions(of: person.account)
                == ["account_created", "deletion_requested", "account_deleted"])
        #expect(try await gateway.signUp(email).account != person.account)
    }

    @Test("the page states that it can't be undone, and then that it is done")
    func onThePage() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let browser = try await PageBrowser.signedIn(gateway, email)
        try await browser.visit("/account/delete")
        #expect(
            browser.page.text.contains("can't be undone") || browser.page.text.contains("can&#39;t be undone"))
        try await browser.submit("/account/delete", ["confirm": "true"])
        #expect(browser.page.text.contains("Your account is deleted"))
        #expect(try await gateway.rows(about: person.account) == 0)
    }
}
