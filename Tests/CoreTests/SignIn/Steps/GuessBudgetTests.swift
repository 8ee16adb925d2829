import Cryptography
import Foundation
import Testing

@testable import Accounts
@testable import Messages
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The refusals that precede a hash or a call.
@Suite("Guesses beyond the budget")
struct GuessBudgetTests {
    private func mailbox() throws -> Destination { .email(try #require(EmailAddress("ann@example.com"))) }

    private func context(
        _ bench: StepBench, failures: Int = 0, wait: Int = 0, code: String? = nil, proofs: Proofs = Proofs(),
        factors: AccountFactors = AccountFactors()
    ) -> FlowContext {
        let id = UUID()
        let flow = SignInFlow(
            provider: "password", proofs: proofs, name: "ann@example.com", language: "",
            progress: FlowProgress(firstFactors: [.password, .emailCode]))
        var context = FlowContext(
            id, .signIn, flow, account: UUID(), factors: factors,
            course: SignInCourse(factors: factors, isDemandedByClient: false, isRemembered: false), .test, bench.tools)
        (context.failures, context.guessWait, context.passwordHash) = (failures, wait, bench.passwordHash)
        context.codeDigest = code.map { OneTimeCode.digest($0, flow: id, key: bench.tools.codeKey) }
        return context
    }

    /// An account with an authenticator app as second factor.
    private func authenticator() -> AccountFactors {
        var factors = AccountFactors()
        factors.isProtected = true
        factors.factors = [
            AccountFactors.Factor(
                id: UUID(), kind: .totp, name: nil, address: nil, addressKey: nil, sealed: [], counter: nil,
                isPreferred: true, addedAt: Date(), usedAt: nil)
        ]
        return factors
    }

    @Test("after five wrong ones, and while the budget is empty, no answer is judged")
    func refused() async throws {
        let bench = try await StepBench()
        let steps: [(any FlowStep, StepAnswer)] = [
            (PasswordStep(), .password(bench.password)), (CodeStep(try mailbox()), .code("000000")),
            (ResetPasswordStep(try mailbox()), .resetPassword(code: "000000", newPassword: bench.password)),
        ]
        for (step, answer) in steps {
            let right = StepResponse(answer)
            await #expect(throws: Rejection.tooManyTries) {
                try await context(bench, failures: 5).judge(right, at: step)
            }
            await #expect(throws: Rejection.throttled(retryAfter: 7)) {
                try await context(bench, wait: 7).judge(right, at: step)
            }
        }
        let proofs = Proofs([Proof(.password)])
        let right = StepResponse(.code("000000"))
        await #expect(throws: Rejection.tooManyTries) {
            try await context(bench, failures: 5, proofs: proofs, factors: authenticator()).judge(right, at: TOTPStep())
        }
        await #expect(throws: Rejection.throttled(retryAfter: 7)) {
            try await context(bench, wait: 7, proofs: proofs, factors: authenticator()).judge(right, at: TOTPStep())
        }
    }

    @Test("choosing another factor is not charged as a guess")
    func choosing() async throws {
        let bench = try await StepBench()
        for context in [context(bench, failures: 5), context(bench, wait: 7)] {
            let verdict = try await context.judge(StepResponse(.choice("email_otp")), at: PasswordStep())
            guard case .goOn(let step) = verdict else {
                Issue.record("\(verdict)")
                continue
            }
            #expect(step is CodeStep)
            let selection = FirstFactorSelectionStep([.password, .emailCode])
            guard case .goOn = try await context.judge(StepResponse(.choice("password")), at: selection) else {
                Issue.record("A selection takes no guesses.")
                continue
            }
        }
    }

    @Test("a wrong code hashes no password, and a right one does")
    func reset() async throws {
        let bench = try await StepBench()
        let step = ResetPasswordStep(try mailbox())
        func answer(_ code: String) -> StepResponse {
            StepResponse(.resetPassword(code: code, newPassword: "a heron over the weir"))
        }
        guard case .wrong = try await context(bench, code: "123456").judge(answer("654321"), at: step) else {
            Issue.record("The code was wrong.")
            return
        }
        guard case .wrong = try await context(bench).judge(answer("123456"), at: step) else {
            Issue.record("No code was sent.")
            return
        }
        guard case .right(let right) = try await context(bench, code: "123456").judge(answer("123456"), at: step) else {
            Issue.record("The code was right.")
            return
        }
        #expect(right.newPassword != nil && right.code == "123456")
    }

    @Test("P-11: a bad password is refused before the code is checked", arguments: ["123456", "654321"])
    func complaint(code: String) async throws {
        let bench = try await StepBench()
        let step = ResetPasswordStep(try mailbox())
        await #expect(throws: Rejection.passwordTooShort(minimum: bench.tools.policy.minimumLength)) {
            let answer = StepResponse(.resetPassword(code: code, newPassword: "short"))
            return try await context(bench, code: "123456").judge(answer, at: step)
        }
    }
}
