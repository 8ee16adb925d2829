import JSON
import TestSupport
import Testing
import WebAuthnTestAuthenticator

/// A flow is in the database, so every server can continue it.
@Suite("Steps at two servers", .gatewayPair(StepServer.configuration))
struct TwoServerStepTests {
    @Test("a flow started at one server finishes at the other")
    func finishedElsewhere() async throws {
        let pair = try GatewayPair.current
        let person = try await pair.one.protectedPerson()
        let asked = try await pair.one.passwordProved(person.email)
        let signedIn = try SignedInAnswer(
            try await pair.two.answer(asked.flow, ["code": .string(try await pair.two.freshCode(person))]))
        #expect(try signedIn.facts.acr == "2")
        let reset = try await pair.two.forgot(person.email)
        let second = try PendingAnswer(try await pair.one.reset(reset, to: "another heron over the weir"))
        _ = try SignedInAnswer(
            try await pair.two.answer(second.flow, ["recovery_code": .string(person.recoveryCodes[0])]))
        _ = try await poll { try await pair.one.checkSession(signedIn.accessToken).status == 401 ? () : nil }
    }

    @Test("a passkey challenge of one server is answered once at the other")
    func passkey() async throws {
        let pair = try GatewayPair.current
        var holder = try await pair.one.passkeyHolder()
        let begun = try PendingAnswer(try await pair.one.begin("passkey"))
        let assertion = try holder.key.assert(try #require(begun.step["passkey"]))
        let answers = try await inParallel(20) { number in
            try await (number.isMultiple(of: 2) ? pair.one : pair.two).answer(begun.flow, ["credential": assertion])
        }
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.allSatisfy { $0.status == 200 || $0.code == "flow_expired" })
    }

    @Test("of fifty right answers at two servers, one gets a session, and guesses count together")
    func together() async throws {
        let pair = try GatewayPair.current
        let email = Fresh.email()
        _ = try await pair.one.signUp(email)
        let flow = try PendingAnswer(try await pair.one.begin("email_otp", email)).flow
        let code = try await pair.one.mailedCode(to: email, number: 2)
        let answers = try await inParallel(50) { number in
            try await (number.isMultiple(of: 2) ? pair.one : pair.two).answer(flow, ["code": .string(code)])
        }
        #expect(answers.count { $0.status == 200 } == 1)
        let other = try PendingAnswer(try await pair.two.begin("email_otp", email)).flow
        let second = try await pair.one.mailedCode(to: email, number: 3)
        let wrong = try await inParallel(20) { number in
            try await (number.isMultiple(of: 2) ? pair.one : pair.two).answer(
                other, ["code": .string(GatewayProcess.wrong(second, number + 1))])
        }
        #expect(wrong.count { $0.code == "code_wrong" } == 4)
    }
}
