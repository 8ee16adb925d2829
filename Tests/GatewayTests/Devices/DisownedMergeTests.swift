import JSON
import Postgres
import TestSupport
import Testing

/// What an intruder's session moved away comes back when the account holder disowns the sign-in.
@Suite("Merges and deletions of a disowned sign-in", .gateway())
struct DisownedMergeTests {
    private static let next = "a quiet otter below the mill 7"

    @Test("3-B3: a merge into the intruder's own account is undone, though that account changed, and its sessions end")
    func merge() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let stranger = try await gateway.strangeSession(email)
        let thief = try await gateway.signUp(Fresh.email())
        try await gateway.absorb(stranger, into: thief)
        let linked = try await gateway.link(
            try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))]),
            bearer: thief.accessToken)
        try #require(linked.status == 201, "\(linked.text)")
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        let page = try await browser.submit("/not-me")
        #expect(page.status == 200 && page.text.contains("Merge with another account"), "\(page.text)")
        #expect(try await gateway.methods(of: person.account) == ["email \(email) main", "password"])
        #expect(try await gateway.methods(of: thief.account).count == 3)
        _ = try await poll { try await gateway.checkSession(thief.accessToken).status == 401 ? true : nil }
        let rows = try await gateway.audit(page, atLeast: 4)
        #expect(
            rows.map { "\($0.action) \($0.account == person.account)" }.sorted() == [
                "change_undone false", "change_undone true", "own_merge_undone true", "session_ended true",
            ])

        let sent = gateway.mailedCodes(to: email)
        try await browser.submit("/not-me/password")
        let code = try await gateway.mailedCode(to: email, number: sent + 1)
        try await browser.resetPassword(code, to: Self.next)
        let back = try SignedInAnswer(try await gateway.passwordSignIn(email, Self.next))
        #expect(back.account == person.account)
    }

    @Test("3-B3: a chain of merges is undone, without what the intruder removed on the way")
    func chain() async throws {
        let gateway = try GatewayProcess.current
        let (email, second) = (Fresh.email(), Fresh.email())
        let person = try await gateway.signUp(email)
        _ = try await gateway.newMailbox(second, bearer: person.accessToken)
        let stranger = try await gateway.strangeSession(email)
        let link = try await gateway.notMeLink(to: email)
        let (thief, helper) = (try await gateway.signUp(Fresh.email()), try await gateway.signUp(Fresh.email()))
        try await gateway.absorb(stranger, into: thief)
        try await gateway.absorb(thief, into: helper)
        let gone = try await gateway.delete("/v1/account/addresses/\(second)", bearer: helper.accessToken)
        try #require(gone.status == 204, "\(gone.text)")
        let browser = try await PageBrowser.open(gateway, link)
        let page = try await browser.submit("/not-me")
        #expect(page.status == 200 && page.text.contains("Merge with another account"), "\(page.text)")
        #expect(try await gateway.methods(of: person.account) == ["email \(email) main", "password"])
        for account in [thief.account, helper.account] {
            #expect(try await gateway.methods(of: account).count == 2)
            #expect(
                try await gateway.count(
                    "select count(*) from accounts where id = \(account)::uuid and status = 'active'") == 1)
        }
    }

    @Test("3-B3: a merged account's mailboxes get a notice whose link undoes the merge; the intruder's get none")
    func notice() async throws {
        let gateway = try GatewayProcess.current
        let (email, foreign) = (Fresh.email(), Fresh.email())
        let person = try await gateway.signUp(email)
        let stranger = try await gateway.strangeSession(email)
        let thief = try await gateway.signUp(foreign)
        try await gateway.absorb(stranger, into: thief)
        let mail = try await gateway.mergedMail(to: email)
        let link = try #require(mail.firstMatch(of: /https?:\/\/[a-z0-9.:-]+(\/not-me\?ticket=nd_[A-Za-z0-9_-]+)\n/))
        let told = try await poll { gateway.mails(to: foreign).first { $0.subject.contains("were merged") } }
        #expect(!told.text.contains("not-me"))
        #expect(gateway.mails(to: foreign).allSatisfy { !$0.subject.contains("merged into another one") })
        let browser = try await PageBrowser.open(gateway, String(link.output.1))
        try await browser.submit("/not-me")
        #expect(try await gateway.methods(of: person.account) == ["email \(email) main", "password"])
    }

    @Test("3-B3: a merge that an operator made stays, and the page names support")
    func operatorMerge() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let stranger = try await gateway.strangeSession(email)
        let kept = try await gateway.signUp(Fresh.email())
        try await gateway.absorb(stranger, into: kept)
        try await gateway.change(
            "update account_changes set by_person = false where other_id = \(person.account)::uuid")
        let link = try await gateway.notMeLink(to: email)
        for _ in 1...2 {
            let page = try await PageBrowser.open(gateway, link).submit("/not-me")
            #expect(page.status == 200 && page.text.contains("Please contact support"), "\(page.text)")
            let row = try #require(try await gateway.audit(page).first)
            #expect([row.action, row.outcome, row.reason] == ["disown_session", "refused", "undo_blocked"])
        }
        #expect(try await gateway.methods(of: person.account) == ["password"])
        #expect(try await gateway.checkSession(kept.accessToken).status == 200)
    }

    @Test("3-B3: two accounts of one owner are separated by the link of either", arguments: [true, false])
    func both(isKept: Bool) async throws {
        let gateway = try GatewayProcess.current
        let (email, other) = (Fresh.email(), Fresh.email())
        let (kept, absorbed) = (try await gateway.signUp(email), try await gateway.signUp(other))
        let strangers = (try await gateway.strangeSession(email), try await gateway.strangeSession(other))
        let link = try await gateway.notMeLink(to: isKept ? email : other)
        try await gateway.absorb(strangers.1, into: strangers.0)
        let page = try await PageBrowser.open(gateway, link).submit("/not-me")
        #expect(page.status == 200 && page.text.contains("Merge with another account"), "\(page.text)")
        #expect(try await gateway.methods(of: kept.account) == ["email \(email) main", "password"])
        #expect(try await gateway.methods(of: absorbed.account) == ["email \(other) main", "password"])
    }

    @Test("3-B3: a merge that follows the disown is undone before the reset")
    func mergeAfterwards() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let identity: JSONObject = ["subject": .string(Fresh.subject("google"))]
        let linked = try await gateway.link(
            try await gateway.simulator.mint("google", identity), bearer: person.accessToken)
        try #require(linked.status == 201, "\(linked.text)")
        let stranger = try await gateway.strangeSession(email)
        _ = try await gateway.newMailbox(Fresh.email(), bearer: stranger.accessToken)
        let browser = try await PageBrowser.open(gateway, try await gateway.notMeLink(to: email))
        try await browser.submit("/not-me")
        let again = try await gateway.session("google", identity)
        try #require(again.account == person.account)
        try await gateway.absorb(again, into: try await gateway.signUp(Fresh.email()))
        let sent = gateway.mailedCodes(to: email)
        try await browser.submit("/not-me/password")
        #expect(
            try await gateway.methods(of: person.account) == ["email \(email) main", "identity", "password"])
        let code = try await gateway.mailedCode(to: email, number: sent + 1)
        try await browser.resetPassword(code, to: Self.next)
        #expect(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
    }

    @Test("3-B3: a deletion that the intruder asked for is cancelled, and the page names it")
    func deletion() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let stranger = try await gateway.strangeSession(email)
        let link = try await gateway.notMeLink(to: email)
        let asked = try await gateway.delete("/v1/account", bearer: stranger.accessToken)
        try #require(asked.status == 202, "\(asked.text)")
        let page = try await PageBrowser.open(gateway, link).submit("/not-me")
        #expect(page.status == 200 && page.text.contains("Planned deletion of your account"), "\(page.text)")
        #expect(
            try await gateway.count(
                "select count(*) from accounts where id = \(person.account)::uuid and deletion_due_at is null") == 1)
        let row = try #require(try await gateway.audit(page).first { $0.action == "deletion_cancelled" })
        #expect(row.outcome == "done" && row.session == stranger.session && row.detail == ["disowned": true])
    }
}

extension GatewayProcess {
    /// Merges the account of one session into that of another, as the user of both.
    fileprivate func absorb(_ other: SignedInAnswer, into kept: SignedInAnswer) async throws {
        let asked = try await post(
            "/v1/account/merges/ticket", ["access_token": .string(other.accessToken)], bearer: kept.accessToken)
        let ticket = try #require(asked.json["merge_ticket"]?.string, "\(asked.text)")
        let preview = try await post(
            "/v1/account/merges/preview", ["merge_ticket": .string(ticket)], bearer: kept.accessToken)
        let digest = try #require(preview.json["digest"]?.string, "\(preview.text)")
        let merged = try await post(
            "/v1/account/merges", ["merge_ticket": .string(ticket), "digest": .string(digest)],
            bearer: kept.accessToken)
        try #require(merged.status == 201, "\(merged.text)")
    }

    /// The text of the notice about a merge into another account, without its encoding.
    fileprivate func mergedMail(to email: String) async throws -> String {
        let mail = try await poll {
            self.mails(to: email).first { $0.subject.contains("merged into another one") }
        }
        return mail.decoded
    }
}
