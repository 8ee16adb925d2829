import Foundation
import JSON
import Postgres
import TestSupport
import Testing

extension LinkingTests {
    @Suite("The table of the rules, row by row")
    struct LinkingTableTests {
        @Test(
            "a known identity signs in to its account, with any present address",
            arguments: ["apple", "google", "acme"])
        func known(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject(provider)
            let first = try await gateway.session(
                provider, ["subject": .string(subject), "email": .string(Fresh.email())])
            let holder = try await gateway.session("apple")
            let again = try await gateway.session(
                provider, ["subject": .string(subject), "email": .string(try #require(holder.email))])
            #expect(again.account == first.account)
            #expect(again.email == first.email)
            #expect(try await gateway.claims(on: try #require(holder.email)) == 1)
        }

        @Test(
            "authority and proved: both_verified links, notifies the address and records its reason",
            arguments: ["google", "microsoft", "cognito", "acme"])
        func bothProvedLinks(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email(provider == "acme" ? "acme.example" : "example.com")
            let holder = try await gateway.session("apple", ["email": .string(email)])
            let members: JSONObject =
                provider == "microsoft"
                ? ["email": .string(email), "claims": ["xms_edov": true]] : ["email": .string(email)]
            let joined = try await gateway.session(provider, members)
            #expect(joined.account == holder.account)
            #expect(!joined.isNewAccount)
            #expect(try await gateway.identities(joined) == ["apple", provider])
            let row = try #require(try await gateway.audit(joined.answer).first)
            #expect(row.action == "identity_linked" && row.reason == "both_proved" && row.account == holder.account)
            #expect(row.detail?["facts"]?["provider_is_authority"] == true)
            #expect(row.detail?["facts"]?["proved_holders"] == 1)
            #expect(row.detail?["policy"] == "both_verified")
            try await expectNotice(gateway, to: email)
        }

        @Test("authority and proved by our code: the password account gains the identity")
        func bothProvedLinksPassword() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holder = try await gateway.signUp(email)
            let joined = try await gateway.session("apple", ["email": .string(email.uppercased())])
            #expect(joined.account == holder.account)
            let again = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
            #expect(again.account == holder.account)
        }

        @Test("authority and proved, with the policy ask: the user is asked first")
        func bothProvedAsks() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.askingClient()
            let email = Fresh.email()
            let holder = try await gateway.session("apple", ["email": .string(email)])
            let subject = Fresh.subject("google")
            let asked = try await gateway.signIn(
                "google", ["subject": .string(subject), "email": .string(email)], app: app)
            _ = try gateway.linkFlow(asked)
            #expect(asked.json["next_step"]?["email"]?.string != email, "the address is masked")
            let row = try #require(try await gateway.audit(asked).first)
            #expect(row.action == "link_asked" && row.reason == "ask_first" && row.account == holder.account)
            #expect(row.detail?["policy"] == "ask")
            try await gateway.expectNobody("google", subject)
        }

        @Test(
            "authority and not proved: a clean account gets the address, the unproved one loses it",
            arguments: ["apple", "google", "cognito"])
        func provedTakesUnproved(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let squatter = try await gateway.session("amazon", ["email": .string(email)])
            #expect(squatter.email == email && squatter.emailVerified == false)
            let owner = try await gateway.session(provider, ["email": .string(email)])
            #expect(owner.isNewAccount && owner.account != squatter.account)
            #expect(owner.email == email && owner.emailVerified == true)
            #expect(try await gateway.claims(on: email) == 1)
            let rows = try await gateway.audit(owner.answer, atLeast: 2)
            #expect(rows.map(\.action) == ["address_claim_cleared", "account_created"])
            #expect(rows.map(\.account) == [squatter.account, owner.account])
            #expect(rows[1].reason == "proved_takes_unproved")
            try await gateway.expectEnded(squatter)
        }

        @Test("authority and not proved, with the policy ask: the same, because the account has no proved owner")
        func provedTakesUnprovedWhenAsking() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.askingClient()
            let email = Fresh.email()
            let squatter = try await gateway.session("amazon", ["email": .string(email)])
            let owner = try await gateway.session("google", ["email": .string(email)], app: app)
            #expect(owner.isNewAccount && owner.account != squatter.account && owner.emailVerified == true)
        }

        @Test(
            "no authority and proved: the user is asked, and nothing is linked",
            arguments: ["amazon", "microsoft", "acme"])
        func unprovedAsksProved(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holder = try await gateway.session("apple", ["email": .string(email)])
            let asked = try await gateway.signIn(provider, ["email": .string(email)])
            _ = try gateway.linkFlow(asked)
            let row = try #require(try await gateway.audit(asked).first)
            #expect(row.action == "link_asked" && row.reason == "unproved_may_join" && row.account == holder.account)
            #expect(try await gateway.identities(holder) == ["apple"])
        }

        @Test(
            "N1: no authority and not proved: the same answer as without an account, and no question"
        )
        func unprovedTriggersNothing() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holder = try await gateway.session("amazon", ["email": .string(email)])
            let other = try await gateway.session("microsoft", ["email": .string(email)])
            #expect(other.isNewAccount && other.account != holder.account)
            #expect(other.email == email && other.emailVerified == false)
            #expect(try await gateway.audit(other.answer).map(\.reason) == ["neither_proved"])
            let again = try await gateway.get("/v1/session", bearer: holder.accessToken)
            #expect(again.status == 200, "the earlier claim loses nothing")
        }

        @Test("N1: an account without a provable sign-in method is not offered")
        func unprovableHolder() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holder = try await gateway.session("apple", ["email": .string(email)])
            try await gateway.sql {
                _ = try $0.execute(
                    "update identities set provider = 'retired' where account_id = \(holder.account)::uuid")
            }
            let other = try await gateway.session("amazon", ["email": .string(email)])
            #expect(other.isNewAccount && other.account != holder.account && other.email == nil)
            #expect(try await gateway.audit(other.answer).map(\.reason) == ["holder_unusable"])
        }

        @Test("no match: a new account, with the address proved or not")
        func nothingMatches() async throws {
            let gateway = try GatewayProcess.current
            #expect(try await gateway.session("google").emailVerified == true)
            #expect(try await gateway.session("amazon").emailVerified == false)
            let bare = try await gateway.session("google", ["claims": ["email": nil, "email_verified": nil]])
            #expect(bare.isNewAccount && bare.email == nil && bare.emailVerified == false)
        }

        @Test("addresses that only look alike are two addresses", arguments: ["user.name", "user+tag"])
        func lookAlikes(form: String) async throws {
            let gateway = try GatewayProcess.current
            let tail = Fresh.text()
            let holder = try await gateway.session("apple", ["email": .string("username\(tail)@example.com")])
            let other = try await gateway.session("google", ["email": .string("\(form)\(tail)@example.com")])
            #expect(other.account != holder.account)
        }

        @Test("an account that is shut is not opened by a proof of its mailbox")
        func disabledHolder() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holder = try await gateway.session("apple", ["email": .string(email)])
            try await disable(gateway, holder.account)
            let other = try await gateway.session("google", ["email": .string(email)])
            #expect(other.isNewAccount && other.account != holder.account && other.email == nil)
            let row = try #require(try await gateway.audit(other.answer).first)
            #expect(row.reason == "holder_unusable")
        }

        // MARK: Declining

        @Test("declining creates an account without the address, once", arguments: ["app", "asking"])
        func declined(app: String) async throws {
            let gateway = try GatewayProcess.current
            _ = try await gateway.askingClient()
            let email = Fresh.email()
            let holder = try await gateway.session("apple", ["email": .string(email)])
            let provider = app == "asking" ? "google" : "amazon"
            let person: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(email)]
            let flow = try gateway.linkFlow(try await gateway.signIn(provider, person, app: app))
            let declined = try SignedInAnswer(try await decline(gateway, flow))
            #expect(declined.isNewAccount && declined.account != holder.account && declined.email == nil)
            #expect(try await gateway.audit(declined.answer).map(\.reason) == ["link_declined"])
            let again = try await decline(gateway, flow)
            try await gateway.expectRefusal(again, 400, "flow_expired", action: "continue_sign_in")
            #expect(try await gateway.session(provider, person, app: app).account == declined.account)
            #expect(try await gateway.identities(holder) == ["apple"])
        }

        @Test("twenty concurrent declines create one account")
        func declinedInParallel() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.session("apple", ["email": .string(email)])
            let flow = try gateway.linkFlow(try await gateway.signIn("amazon", ["email": .string(email)]))
            let answers = try await inParallel(0..<20) { _ in try await decline(gateway, flow) }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.count { $0.code == "flow_expired" } == 19)
        }

        @Test("declining requires true, and a flow of this step", arguments: [JSON.null, false, 1, "true"])
        func declineNeedsTrue(value: JSON) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.session("apple", ["email": .string(email)])
            let flow = try gateway.linkFlow(try await gateway.signIn("amazon", ["email": .string(email)]))
            let answer = try await gateway.post(
                "/v1/sign-in/continue", ["flow": .string(flow), "response": ["create_account": value]])
            try await gateway.expectRefusal(answer, 400, "invalid_request", action: "continue_sign_in")
            let bent = try await decline(gateway, String(flow.dropLast()) + "_")
            try await gateway.expectRefusal(bent, 400, "flow_expired", action: "continue_sign_in")
        }

        private func decline(_ gateway: GatewayProcess, _ flow: String) async throws -> TestAnswer {
            try await gateway.post(
                "/v1/sign-in/continue", ["flow": .string(flow), "response": ["create_account": true]])
        }

        private func disable(_ gateway: GatewayProcess, _ account: String) async throws {
            let id = try #require(UUID(uuidString: account))
            let done = try await gateway.sql {
                try $0.queryOne("select set_account_status(\(id), 'disabled', 'test', 'test')")?.value(0, as: Bool.self)
            }
            #expect(done == true)
        }

        private func expectNotice(_ gateway: GatewayProcess, to email: String) async throws {
            let mail = try await poll { gateway.mails(to: email).last }
            #expect(mail.code == nil)
        }
    }
}
