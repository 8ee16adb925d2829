import Foundation
import JSON
import Postgres
import TestSupport
import Testing

extension LinkingTests {
    /// A user merges their own two accounts.
    @Suite("Merging one's own accounts")
    struct OwnMergeTests {
        @Test("L-08: the refusal to link has a ticket, which previews, merges once, and can be undone")
        func byIdentity() async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(Fresh.email())]
            let other = try await gateway.session("google", person)
            let email = Fresh.email()
            let kept = try await gateway.signUp(email)
            let refused = try await gateway.link(
                try await gateway.simulator.mint("google", person), bearer: kept.accessToken)
            try await gateway.expectRefusal(
                refused, 409, "identity_in_use", action: "link_identity", provider: "google")
            let ticket = try #require(refused.json["merge_ticket"]?.string, "\(refused.text)")

            let preview = try await gateway.preview(ticket, kept)
            #expect(preview.status == 200, "\(preview.text)")
            #expect(preview.json["moves"]?["identities"]?.array?.compactMap { $0["provider"]?.string } == ["google"])
            #expect(preview.json["ends_sessions"] == 1 && preview.json["loses_password"] == false)
            // The preview changes and spends nothing.
            #expect(try await gateway.checkSession(other.accessToken).status == 200)
            let digest = try #require(preview.json["digest"]?.string)
            let answers = try await inParallel(4) { _ in try await gateway.merge(ticket, digest, kept) }
            #expect(answers.filter { $0.status == 201 }.count == 1, "\(answers.map(\.text))")
            let done = try #require(answers.first { $0.status == 201 }?.json["merge"])
            #expect(done["absorbed_account_id"] == .string(other.account))
            try await gateway.expectRefusal(
                try await gateway.merge(ticket, digest, kept), 400, "flow_expired", action: "merge_own_accounts")

            #expect(try await gateway.session("google", person).account == kept.account)
            _ = try await poll { try await gateway.checkSession(other.accessToken).status == 401 ? true : nil }
            #expect(try await gateway.checkSession(kept.accessToken).status == 200)
            _ = try await poll { gateway.mails(to: email).first { $0.subject.contains("were merged") } }
            let actions = try await gateway.actions(of: kept.account)
            #expect(actions.contains("accounts_merged") && actions.contains("own_accounts_merged"))

            let list = try await gateway.get("/v1/account/merges", bearer: kept.accessToken)
            #expect(list.json["merges"]?.array?.compactMap { $0["id"] } == [try #require(done["id"])])
            let undo = try await gateway.undo(done, kept)
            #expect(undo.status == 204, "\(undo.text)")
            #expect(try await gateway.session("google", person).account == other.account)
            let again = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
            #expect(again.account == kept.account)
            #expect(try await gateway.get("/v1/account/merges", bearer: again.accessToken).json["merges"]?.array == [])
        }

        @Test("two accounts with passwords are proved by a session of each")
        func bySession() async throws {
            let gateway = try GatewayProcess.current
            let (email, otherEmail) = (Fresh.email(), Fresh.email())
            let kept = try await gateway.signUp(email)
            let other = try await gateway.signUp(otherEmail)
            let asked = try await gateway.ticket(other.accessToken, kept)
            #expect(asked.status == 201, "\(asked.text)")
            #expect((1...600).contains(asked.json["expires_in"]?.integer ?? 0))
            let ticket = try #require(asked.json["merge_ticket"]?.string)
            let preview = try await gateway.preview(ticket, kept)
            #expect(preview.json["moves"]?["emails"] == .array([.string(otherEmail)]), "\(preview.text)")
            #expect(preview.json["moves"]?["password"] == false && preview.json["loses_password"] == true)
            let merged = try await gateway.merge(ticket, preview.json["digest"]?.string ?? "", kept)
            #expect(merged.status == 201, "\(merged.text)")
            // The address was moved, and its password is that of the kept account.
            let both = try SignedInAnswer(try await gateway.passwordSignIn(otherEmail, GatewayProcess.password))
            #expect(both.account == kept.account)
        }

        @Test(
            "only a fresh session of another account of the same app proves it",
            arguments: ["garbage", "same_account", "old", "ended", "other_app"])
        func badTokens(_ kind: String) async throws {
            let gateway = try GatewayProcess.current
            let kept = try await gateway.anyone()
            let other = try await gateway.signUp(Fresh.email())
            let (token, reason): (String, String)
            switch kind {
            case "garbage": (token, reason) = ("made-up", "no_live_session")
            case "same_account": (token, reason) = (kept.accessToken, "same_account")
            case "old": (token, reason) = (try await gateway.aged(other, seconds: 601), "reauth_required")
            case "ended":
                _ = try await gateway.signOut(other.accessToken)
                (token, reason) = (other.accessToken, "no_live_session")
            default:
                let app = try await gateway.askingClient()
                let subject = Fresh.subject("google")
                let elsewhere = try await gateway.session("google", ["subject": .string(subject)], app: app)
                (token, reason) = (elsewhere.accessToken, "of_another_app")
            }
            let answer = try await gateway.ticket(token, kept)
            try await gateway.expectRefusal(answer, 400, "invalid_request", action: "merge_ticket")
            let error = answer.json["errors"]?.array?.first
            #expect(error?["pointer"] == "/access_token" && error?["code"] == .string(reason), "\(answer.text)")
        }

        @Test("S-17: an account with a second factor is proved by both, never by an identity or a weak session alone")
        func secondFactor() async throws {
            let gateway = try GatewayProcess.current
            let subject: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(Fresh.email())]
            let other = try await gateway.session("google", subject)
            let kept = try await gateway.anyone()
            try await gateway.change("update accounts set mfa = true where id = \(other.account)::uuid")
            let refused = try await gateway.link(
                try await gateway.simulator.mint("google", subject), bearer: kept.accessToken)
            #expect(refused.status == 409 && refused.json["merge_ticket"] == nil, "\(refused.text)")
            let weak = try await gateway.ticket(other.accessToken, kept)
            #expect(weak.json["errors"]?.array?.first?["code"] == "step_up_required", "\(weak.text)")
            // And the kept account's own, if it has it.
            try await gateway.expectRefusal(
                try await gateway.ticket(kept.accessToken, other), 403, "step_up_required", action: "merge_ticket")
        }

        @Test("a ticket is valid for its account, while the proof of the other is valid", arguments: 0..<4)
        func stale(_ kind: Int) async throws {
            let gateway = try GatewayProcess.current
            let kept = try await gateway.anyone()
            let other = try await gateway.signUp(Fresh.email())
            let ticket = try #require(
                try await gateway.ticket(other.accessToken, kept).json["merge_ticket"]?.string)
            let digest = try #require(try await gateway.preview(ticket, kept).json["digest"]?.string)
            var (asking, code, status) = (kept.accessToken, "flow_expired", 400)
            switch kind {
            case 0: asking = try await gateway.anyone().accessToken
            case 1: _ = try await gateway.signOut(other.accessToken)
            case 2: (asking, code, status) = (try await gateway.aged(kept, seconds: 601), "reauth_required", 403)
            default:
                let linked = try await gateway.link(
                    try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))]),
                    bearer: kept.accessToken)
                #expect(linked.status == 201)
                (code, status) = ("accounts_changed", 409)
            }
            let answer = try await gateway.post(
                "/v1/account/merges", ["merge_ticket": .string(ticket), "digest": .string(digest)], bearer: asking)
            try await gateway.expectRefusal(answer, status, code, action: "merge_own_accounts")
            #expect(
                try await gateway.count(
                    "select count(*)::int from accounts where merged_into is not null and id = \(other.account)::uuid")
                    == 0)
        }

        @Test("a user can't undo an operator's or another user's change, nor one with a later change")
        func undoRefusals() async throws {
            let gateway = try GatewayProcess.current
            let (kept, other) = (try await gateway.anyone(), try await gateway.signUp(Fresh.email()))
            let ticket = try #require(
                try await gateway.ticket(other.accessToken, kept).json["merge_ticket"]?.string)
            let digest = try #require(try await gateway.preview(ticket, kept).json["digest"]?.string)
            let done = try #require(try await gateway.merge(ticket, digest, kept).json["merge"])
            try await gateway.expectRefusal(
                try await gateway.undo(done, try await gateway.anyone()), 404, "not_found", action: "undo_own_merge")
            let linked = try await gateway.link(
                try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))]),
                bearer: kept.accessToken)
            #expect(linked.status == 201)
            let blocked = try await gateway.undo(done, kept)
            try await gateway.expectRefusal(blocked, 409, "undo_blocked", action: "undo_own_merge")
            #expect(blocked.json["errors"]?.array?.compactMap { $0["code"]?.string } == ["identities"])
            try await gateway.change(
                "update account_changes set by_person = false where id = \(done["id"]?.string ?? "")::uuid")
            #expect(try await gateway.undo(done, kept).code == "not_found")
        }

        @Test("the account of an operator is never absorbed")
        func operatorAccount() async throws {
            let gateway = try GatewayProcess.current
            let (kept, other) = (try await gateway.anyone(), try await gateway.signUp(Fresh.email()))
            try await gateway.change(
                "insert into operators (account_id, role) values (\(other.account)::uuid, 'viewer')")
            let answer = try await gateway.ticket(other.accessToken, kept)
            #expect(answer.status == 409 && answer.code == "operator_account", "\(answer.text)")
        }
    }
}

extension GatewayProcess {
    fileprivate func ticket(_ token: String, _ session: SignedInAnswer) async throws -> TestAnswer {
        try await post("/v1/account/merges/ticket", ["access_token": .string(token)], bearer: session.accessToken)
    }

    fileprivate func preview(_ ticket: String, _ session: SignedInAnswer) async throws -> TestAnswer {
        try await post("/v1/account/merges/preview", ["merge_ticket": .string(ticket)], bearer: session.accessToken)
    }

    fileprivate func merge(_ ticket: String, _ digest: String, _ session: SignedInAnswer) async throws -> TestAnswer {
        try await post(
            "/v1/account/merges", ["merge_ticket": .string(ticket), "digest": .string(digest)],
            bearer: session.accessToken)
    }

    fileprivate func undo(_ merge: JSON, _ session: SignedInAnswer) async throws -> TestAnswer {
        try await post("/v1/account/merges/\(merge["id"]?.string ?? "")/undo", [:], bearer: session.accessToken)
    }
}
