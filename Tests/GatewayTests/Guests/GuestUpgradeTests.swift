import Foundation
import JSON
import Testing
import WebAuthnTestAuthenticator

extension GuestTests {
    /// A guest's account gets its first credential.
    @Suite("A guest's upgrade")
    struct GuestUpgradeTests {
        @Test("a linked identity ends the guest mark, and the account stays")
        func linked() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let person: JSONObject = ["subject": .string(Fresh.subject("google"))]
            let answer = try await gateway.link(
                try await gateway.simulator.mint("google", person), bearer: guest.accessToken)
            #expect(answer.status == 201, "\(answer.text)")
            try await expectUpgraded(guest, by: "identity", goingOnWith: try Renewed(answer).accessToken)
            let again = try await gateway.session("google", person)
            #expect(again.account == guest.account && !again.isNewAccount)
            #expect(again.answer.json["account"]?["guest"] == nil)
        }

        @Test("L-18: a guest may add a credential at any time, and its earlier session adds no second one")
        func late() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let bearer = try await gateway.aged(guest, seconds: 86_400)
            let first = try await gateway.link(try await gateway.simulator.mint("google"), bearer: bearer)
            #expect(first.status == 201, "\(first.text)")
            let second = try await gateway.link(try await gateway.simulator.mint("cognito"), bearer: bearer)
            #expect(second.status == 401 && second.code == "session_ended", "\(second.text)")
            let alongside = try await gateway.signIn(try await gateway.simulator.mint("cognito"), bearer: bearer)
            #expect(alongside.status == 401 && alongside.code == "session_ended", "\(alongside.text)")
            // The session that goes on has just proved a method.
            let proved = try await gateway.link(
                try await gateway.simulator.mint("cognito"), bearer: try Renewed(first).accessToken)
            #expect(proved.status == 201, "\(proved.text)")
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
            try await expectUpgraded(guest, by: "identity", goingOnWith: joined.accessToken)
            try await gateway.expectEnded(guest)
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

        @Test("a passkey ends the guest mark and opens the account")
        func passkey() async throws {
            let gateway = try GatewayProcess.current
            let guest = try await gateway.guest()
            let (made, added) = try await gateway.newPasskey(bearer: guest.accessToken)
            var key = made
            try await expectUpgraded(guest, by: "passkey", goingOnWith: try Renewed(added).accessToken)
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
            #expect(answers.filter { $0.status != 200 }.allSatisfy { $0.code == "session_ended" })
            try await expectUpgraded(guest, by: "identity", goingOnWith: try SignedInAnswer(joined[0]).accessToken)
        }

        /// Requires that the mark is gone, with one audit row.
        private func expectUpgraded(_ guest: SignedInAnswer, by reason: String, goingOnWith token: String) async throws
        {
            let gateway = try GatewayProcess.current
            let shown = try await gateway.checkSession(token)
            #expect(shown.status == 200 && shown.json["account"]?["id"]?.string == guest.account, "\(shown.text)")
            #expect(shown.json["account"]?["guest"] == nil)
            let rows = try await gateway.audit(account: guest.account).filter { $0.action == "guest_upgraded" }
            #expect(rows.map(\.reason) == [reason])
        }
    }
}

/// The session with which a guest goes on after its upgrade.
struct Renewed {
    let accessToken: String
    let refreshToken: String

    init(_ answer: TestAnswer) throws {
        accessToken = try #require(answer.json["session"]?["access_token"]?.string, "\(answer.text)")
        refreshToken = try #require(answer.json["session"]?["refresh_token"]?.string)
    }
}

extension GatewayProcess {
    /// Adds a passkey, and returns it with the answer.
    func newPasskey(bearer: String) async throws -> (key: TestAuthenticator, added: TestAnswer) {
        let asked = try PendingAnswer(
            try await post("/v1/account/factors", ["type": "passkey"], bearer: bearer),
            "continue_sign_in_with_passkey_setup")
        let options = try #require(asked.step["passkey"])
        let key = try TestAuthenticator.making(options, origin: StepServer.origin)
        let added = try await confirmFactor(
            asked.flow, ["credential": try key.register(options)], bearer: bearer)
        try #require(added.status == 201, "\(added.text)")
        return (key, added)
    }

    /// Adds a mailbox, and returns the answer.
    func newMailbox(_ email: String, bearer: String) async throws -> TestAnswer {
        let sent = mailedCodes(to: email)
        let asked = try PendingAnswer(
            try await post("/v1/account/addresses", ["address": .string(email)], bearer: bearer))
        let code = try await mailedCode(to: email, number: sent + 1)
        let added = try await post(
            "/v1/account/addresses/confirm", ["flow": .string(asked.flow), "response": ["code": .string(code)]],
            bearer: bearer)
        try #require(added.status == 201, "\(added.text)")
        return added
    }
}
