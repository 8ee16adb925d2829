import Foundation
import JSON
import Postgres
import TestSupport
import Testing
import WebAuthnTestAuthenticator

extension GuestTests {
    /// A guest's account gets its first credential.
    @Suite("A guest's upgrade")
    struct GuestUpgradeTests {
        @Test("a linked identity ends the guest mark, and the account and the old session stay")
        func linked() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let person: JSONObject = ["subject": .string(Fresh.subject("google"))]
            let answer = try await gateway.link(
                try await gateway.simulator.mint("google", person), bearer: guest.accessToken)
            #expect(answer.status == 201, "\(answer.text)")
            try await expectUpgraded(guest, by: "identity")
            let again = try await gateway.session("google", person)
            #expect(again.account == guest.account && !again.isNewAccount)
            #expect(again.answer.json["account"]?["guest"] == nil)
        }

        @Test("L-18: a guest may add a credential at any time, and a session without a proof adds no second one")
        func late() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let bearer = try await gateway.aged(guest, seconds: 86_400)
            let first = try await gateway.link(try await gateway.simulator.mint("google"), bearer: bearer)
            #expect(first.status == 201, "\(first.text)")
            let second = try await gateway.link(try await gateway.simulator.mint("cognito"), bearer: bearer)
            try await gateway.expectRefusal(second, 403, "reauth_required", action: "link_identity")
            let alongside = try await gateway.signIn(try await gateway.simulator.mint("cognito"), bearer: bearer)
            try await gateway.expectRefusal(alongside, 403, "reauth_required", provider: "cognito")
        }

        @Test("a sign-in with a guest's session joins an unknown identity to the guest, with a proved session")
        func accompanied() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let joined = try SignedInAnswer(
                try await gateway.signIn(try await gateway.simulator.mint("apple"), bearer: guest.accessToken))
            #expect(joined.account == guest.account && !joined.isNewAccount)
            #expect(joined.answer.json["account"]?["guest"] == nil)
            let claims = try #require(Tokens.object(joined.accessToken, part: 1))
            #expect(claims["amr"] == ["fed"] && claims["acr"] == "1")
            try await expectUpgraded(guest, by: "identity")
        }

        @Test("L-18: a credential of another account is refused, and both accounts stay as they are")
        func inUse() async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = ["subject": .string(Fresh.subject("google"))]
            let owner = try await gateway.session("google", person)
            let guest = try await gateway.guest()
            let answer = try await gateway.link(
                try await gateway.simulator.mint("google", person), bearer: guest.accessToken)
            try await gateway.expectRefusal(answer, 409, "identity_in_use", action: "link_identity")
            let own = try SignedInAnswer(
                try await gateway.signIn(
                    try await gateway.simulator.mint("google", person), bearer: guest.accessToken))
            #expect(own.account == owner.account)
            #expect(try await gateway.checkSession(guest.accessToken).json["account"]?["guest"] == true)
        }

        @Test("a password and a confirmed address open the guest's account")
        func password() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let set = try await gateway.post(
                "/v1/password/change", ["new_password": .string(GatewayProcess.password)], bearer: guest.accessToken)
            #expect(set.status == 204, "\(set.text)")
            // A password without a name opens nothing.
            #expect(try await gateway.checkSession(guest.accessToken).json["account"]?["guest"] == true)
            let email = Fresh.email()
            let asked = try PendingAnswer(
                try await gateway.post(
                    "/v1/account/addresses", ["address": .string(email)], bearer: guest.accessToken))
            let confirmed = try await gateway.post(
                "/v1/account/addresses/confirm",
                [
                    "flow": .string(asked.flow),
                    "response": ["code": .string(try await gateway.mailedCode(to: email))],
                ], bearer: guest.accessToken)
            #expect(confirmed.status < 300, "\(confirmed.text)")
            try await expectUpgraded(guest, by: "email")
            let signedIn = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
            #expect(signedIn.account == guest.account && signedIn.emailVerified == true)
        }

        @Test("a passkey ends the guest mark and opens the account")
        func passkey() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let asked = try PendingAnswer(
                try await gateway.post("/v1/account/factors", ["type": "passkey"], bearer: guest.accessToken),
                "continue_sign_in_with_passkey_setup")
            let options = try #require(asked.step["passkey"])
            var key = try TestAuthenticator.making(options, origin: StepServer.origin)
            let added = try await gateway.confirmFactor(
                asked.flow, ["credential": try key.register(options)], bearer: guest.accessToken)
            #expect(added.status == 201, "\(added.text)")
            try await expectUpgraded(guest, by: "passkey")
            let begun = try PendingAnswer(try await gateway.begin("passkey"), "confirm_sign_in_with_passkey")
            let assertion = try key.assert(try #require(begun.step["passkey"]))
            let signedIn = try SignedInAnswer(try await gateway.answer(begun.flow, ["credential": assertion]))
            #expect(signedIn.account == guest.account)
        }

        @Test("twenty sign-ins with one guest's session and different identities all join the guest")
        func race() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let tokens = try await inParallel(0..<20) { _ in try await gateway.simulator.mint("google") }
            let answers = try await inParallel(tokens) { minted in
                try await gateway.signIn(minted, bearer: guest.accessToken)
            }
            // The first one ends the guest, so a later one may need a proof.
            let joined = answers.filter { $0.status == 200 }
            #expect(!joined.isEmpty)
            #expect(joined.allSatisfy { $0.json["account"]?["id"]?.string == guest.account })
            #expect(answers.filter { $0.status != 200 }.allSatisfy { $0.code == "reauth_required" })
            try await expectUpgraded(guest, by: "identity")
        }

        /// Requires that the mark is gone, with one audit row.
        private func expectUpgraded(_ guest: SignedInAnswer, by reason: String) async throws {
            let gateway = try GatewayProcess.current
            let shown = try await poll {
                let answer = try await gateway.checkSession(guest.accessToken)
                return answer.json["account"]?["guest"] == true ? nil : answer
            }
            #expect(shown.status == 200 && shown.json["account"]?["id"]?.string == guest.account, "\(shown.text)")
            let rows = try await gateway.audit(account: guest.account).filter { $0.action == "guest_upgraded" }
            #expect(rows.map(\.reason) == [reason])
        }
    }
}
