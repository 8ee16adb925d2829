import Foundation
import JSON
import Postgres
import TestSupport
import Testing

extension LinkingTests {
    @Suite("Attacks on accounts")
    struct AccountAttackTests {
        @Test("L-01: an unfinished sign-up with the victim's address gains nothing when the victim signs up")
        func unfinishedSignUp() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let flow = try await gateway.beginSignUp(email)
            let code = try await gateway.mailedCode(to: email)
            let victim = try await gateway.session("apple", ["email": .string(email)])
            #expect(victim.isNewAccount && victim.emailVerified == true)
            // The sign-up has ended, even with the right code.
            let late = try await gateway.post(
                "/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(code)]])
            try await gateway.expectRefusal(late, 400, "flow_expired", action: "confirm_sign_up")
            let password = try await gateway.passwordSignIn(email, GatewayProcess.password)
            try await gateway.expectRefusal(password, 401, "invalid_credentials", provider: "password")
            #expect(try await gateway.claims(on: email) == 1)
            #expect(try await gateway.identities(victim) == ["apple"])
        }

        @Test("L-01: a sign-up with the victim's address creates nothing, and looks like any other")
        func lateSignUp() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.session("apple", ["email": .string(email)])
            _ = try await gateway.beginSignUp(email)
            let mail = try await poll { gateway.mails(to: email).last }
            #expect(mail.code == nil, "the mail says that there is an account, and holds no code")
        }

        @Test("L-01: the password of an unproved address is deleted when its owner proves it")
        func unprovedPassword() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let squatter = try await gateway.session("amazon", ["email": .string(email)])
            // No interface gives an account an unproved password; a faulty import might.
            let account = try #require(UUID(uuidString: squatter.account))
            try await gateway.sql {
                _ = try $0.execute("insert into passwords (account_id, hash) values (\(account), 'x')")
            }
            let victim = try await gateway.session("apple", ["email": .string(email)])
            #expect(victim.account != squatter.account)
            #expect(try await gateway.count("select count(*) from passwords where account_id = \(account)") == 0)
        }

        @Test("L-03: an attacker's earlier methods don't open the victim's account")
        func addedIdentifiers() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let (first, second): (JSONObject, JSONObject) = (
                ["subject": .string(Fresh.subject("amazon")), "email": .string(email)],
                ["subject": .string(Fresh.subject("google"))]
            )
            let squatter = try await gateway.session("amazon", first)
            let added = try await gateway.link(
                try await gateway.simulator.mint("google", second), bearer: squatter.accessToken)
            #expect(added.status == 201)
            let victim = try await gateway.session("apple", ["email": .string(email)])
            #expect(victim.account != squatter.account && victim.emailVerified == true)
            #expect(try await gateway.identities(victim) == ["apple"])
            try await gateway.expectEnded(squatter)
            for (provider, person) in [("amazon", first), ("google", second)] {
                let back = try await gateway.session(provider, person)
                #expect(back.account == squatter.account && back.email != email)
            }
        }

        @Test("L-02: a session that the attacker kept open ends when the victim proves the address")
        func keptSession() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person: JSONObject = ["subject": .string(Fresh.subject("amazon")), "email": .string(email)]
            let one = try await gateway.session("amazon", person)
            let two = try await gateway.session("amazon", person)
            let other = try await gateway.session("microsoft", ["email": .string(email)])
            let bystander = try await gateway.session("amazon")
            let victim = try await gateway.signUp(email)
            #expect(victim.account != one.account)
            for session in [one, two, other] { try await gateway.expectEnded(session) }
            #expect(try await gateway.get("/v1/session", bearer: bystander.accessToken).status == 200)
            // The attacker keeps the identity, without the address.
            let after = try await gateway.session("amazon", person)
            #expect(after.account == one.account && after.email == nil)
        }

        @Test(
            "L-05: a provider that proves no address can't claim the victim's",
            arguments: ["amazon", "microsoft", "acme"])
        func unprovedClaim(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let victim = try await gateway.signUp(email)
            for spelling in [email, email.uppercased()] {
                let person: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(spelling)]
                let flow = try gateway.linkFlow(try await gateway.signIn(provider, person))
                let attacker = try SignedInAnswer(
                    try await gateway.post(
                        "/v1/sign-in/continue", ["flow": .string(flow), "response": ["create_account": true]]))
                #expect(attacker.account != victim.account && attacker.email == nil && attacker.emailVerified == false)
            }
            #expect(try await gateway.identities(victim) == [])
        }

        @Test("L-06: one subject at six providers is six people")
        func sameSubject() async throws {
            let gateway = try GatewayProcess.current
            let subject = UUID().uuidString.lowercased()
            var accounts: Set<String> = []
            for provider in ["apple", "amazon", "microsoft", "cognito", "google", "acme"] {
                accounts.insert(try await gateway.session(provider, ["subject": .string(subject)]).account)
            }
            #expect(accounts.count == 6)
        }

        @Test(
            "L-06: subjects that differ by a letter's case, or a blank, are two people", arguments: ["apple", "acme"])
        func subjectBytes(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let subject = "Subject-\(Fresh.text())"
            var accounts: Set<String> = []
            for spelling in [subject, subject.lowercased(), subject + " "] {
                accounts.insert(try await gateway.session(provider, ["subject": .string(spelling)]).account)
            }
            #expect(accounts.count == 3)
        }

        @Test("L-12: an old proof links nothing, a fresh one links")
        func reauthentication() async throws {
            let gateway = try GatewayProcess.current
            let token = try await gateway.aged(try await gateway.session("apple"), seconds: 601)
            let subject = Fresh.subject("google")
            let minted = try await gateway.simulator.mint("google", ["subject": .string(subject)])
            let answer = try await gateway.link(minted, bearer: token)
            try await gateway.expectRefusal(answer, 403, "reauth_required", action: "link_identity", provider: "google")
            try await gateway.expectNobody("google", subject)
            // The refusal did not spend the credential.
            let fresh = try await gateway.session("amazon")
            let linked = try await gateway.link(minted, bearer: fresh.accessToken)
            #expect(linked.status == 201, "\(linked.text)")
            let row = try #require(try await gateway.audit(linked).first)
            #expect(
                row.action == "identity_linked" && row.reason == "linked_in_session" && row.account == fresh.account)
            let again = try await gateway.link(
                try await gateway.simulator.mint("google", ["subject": .string(subject)]), bearer: fresh.accessToken)
            #expect(again.status == 200)
        }

        @Test(
            "L-13: no form of another origin links anything",
            arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
        func foreignForm(type: String) async throws {
            let gateway = try GatewayProcess.current
            let session = try await gateway.session("apple")
            let subject = Fresh.subject("google")
            let minted = try await gateway.simulator.mint("google", ["subject": .string(subject)])
            let body: JSON = ["provider": "google", "credential": .object(minted.credential())]
            let form = TestRequest("POST", "/v1/account/identities").header("Origin", "https://evil.example").bytes(
                body.bytes())
            // A browser sends a cookie on its own, but not a bearer token.
            let asSent = try await gateway.send(
                form.header("Content-Type", type).header("Cookie", "__Host-session=\(session.refreshToken)"))
            try await gateway.expectRefusal(
                asSent, 401, "access_token_missing", action: "link_identity", leavesRow: false)
            #expect(asSent.header("Access-Control-Allow-Origin") == nil)
            let withToken = try await gateway.send(form.header("Content-Type", type).bearer(session.accessToken))
            try await gateway.expectRefusal(withToken, 415, "unsupported_media_type", action: "link_identity")
            try await gateway.expectNobody("google", subject)
        }

        @Test("L-13: a script of an unregistered origin gets no CORS permission")
        func preflight() async throws {
            let gateway = try GatewayProcess.current
            let ask = TestRequest("OPTIONS", "/v1/account/identities").header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "authorization,content-type")
            for origin in [
                "https://evil.example", "null", Deployment.origin + ".evil.example", Deployment.origin + ":8443",
                "http://app.example.org",
            ] {
                let answer = try await gateway.send(ask.header("Origin", origin))
                #expect(answer.status == 403 && answer.code == "origin_not_allowed", "\(origin): \(answer.text)")
                #expect(answer.header("Access-Control-Allow-Origin") == nil)
            }
            let ours = try await gateway.send(ask.header("Origin", Deployment.origin))
            #expect(ours.status == 204 && ours.header("Access-Control-Allow-Origin") == Deployment.origin)
            #expect(ours.header("Access-Control-Allow-Credentials") == nil)
        }

        // MARK: L-15, L-20

        @Test("L-15: a relay address is contact, and never links", arguments: ["google", "cognito", "amazon"])
        func relay(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let relay = Fresh.email("privaterelay.appleid.com")
            let hidden = try await gateway.session("apple", ["email": .string(relay)])
            #expect(hidden.email == relay)
            let members: JSONObject =
                provider == "google"
                ? ["email": .string(relay), "claims": ["hd": "privaterelay.appleid.com"]] : ["email": .string(relay)]
            let other = try await gateway.session(provider, members)
            #expect(other.account != hidden.account)
            #expect(try await gateway.identities(hidden) == ["apple"])
        }

        @Test("L-15: the real address, shared later, is not copied from the token")
        func realAddressLater() async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject("apple")
            let relay = Fresh.email("privaterelay.appleid.com")
            let hidden = try await gateway.session("apple", ["subject": .string(subject), "email": .string(relay)])
            let real = Fresh.email()
            let owner = try await gateway.session("google", ["email": .string(real)])
            let later = try await gateway.session("apple", ["subject": .string(subject), "email": .string(real)])
            #expect(later.account == hidden.account && later.account != owner.account)
            #expect(later.email == relay)
        }

        @Test("L-15: a user who unlinked Apple can sign in again with the same relay address")
        func relayComesBack() async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = [
                "subject": .string(Fresh.subject("apple")), "email": .string(Fresh.email("privaterelay.appleid.com")),
            ]
            let first = try await gateway.session("apple", person)
            _ = try await gateway.link(try await gateway.simulator.mint("google"), bearer: first.accessToken)
            #expect(
                try await gateway.delete("/v1/account/identities/\(first.identity)", bearer: first.accessToken).status
                    == 204)
            let back = try await gateway.session("apple", person)
            #expect(back.isNewAccount && back.account != first.account)
        }

        @Test(
            "L-20: an address that changes upstream to the victim's changes nothing here",
            arguments: ["microsoft", "acme", "google", "apple"])
        func addressChangesUpstream(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject(provider)
            let victim = try await gateway.signUp(Fresh.email())
            let attacker = try await gateway.session(
                provider, ["subject": .string(subject), "email": .string(Fresh.email())])
            var claims: JSONObject = ["email_verified": true]
            if provider == "microsoft" {
                claims = [
                    "preferred_username": .string(try #require(victim.email)),
                    "upn": .string(try #require(victim.email)),
                ]
            }
            let later = try await gateway.session(
                provider,
                ["subject": .string(subject), "email": .string(try #require(victim.email)), "claims": .object(claims)])
            #expect(later.account == attacker.account && later.email == attacker.email)
            #expect(try await gateway.claims(on: try #require(victim.email)) == 1)
            #expect(try await gateway.identities(victim) == [])
            #expect(try await gateway.audit(later.answer).map(\.reason) == ["known_identity"])
        }
    }
}
