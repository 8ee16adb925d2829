import Testing

@testable import SignIn
@testable import Vocabulary

@Suite("Factors of an account, without a front door")
struct FactorServiceTests {
    @Test("3-D15: another mailbox in place of the code is refused without a try, and the code still works")
    func otherMailbox() async throws {
        try await TestCore.with { core in
            let mailbox = "ann@example.org"
            let session = try await core.session(try await core.signUp("ann@example.com"))
            let pending = try await core.factors.begin(.email(mailbox), session: session, caller: TestCore.caller)
            for _ in 1...10 {
                await #expect(throws: Rejection.invalidField(.code, .required)) {
                    try await core.factors.confirm(
                        flow: pending.flow, response: StepResponse(.email("ann@example.net")), session: session,
                        caller: TestCore.caller)
                }
            }
            #expect(core.mail.code(to: "ann@example.net") == nil)
            let code = try #require(core.mail.code(to: mailbox))
            let added = try await core.factors.confirm(
                flow: pending.flow, response: StepResponse(.code(code)), session: session, caller: TestCore.caller)
            #expect(added.recoveryCodes?.count == 10)
        }
    }
}
