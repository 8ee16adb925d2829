import Accounts
import Cryptography
import Foundation
import Logging
import Sessions
import Vocabulary

/// A code of the person's authenticator app.
struct TOTPStep: FlowStep {
    static let kind = "totp"
    /// What a TOTP secret is sealed for.
    static let purpose = "totp secret"

    func shown(_ context: FlowContext) -> SignInStep {
        .totpCode(
            StepOptions(
                choices: context.choices().filter { $0.kind != .totp }, offersRemembering: context.offersRemembering))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.asks(for: .totp) }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        let typed = try response.answer.typedCode()
        let seconds = Int(context.tools.now().timeIntervalSince1970)
        for factor in context.factors.factors where factor.kind == .totp {
            guard let secret = try? context.tools.box.open(factor.sealed, purpose: Self.purpose) else {
                context.tools.logger.error("a TOTP secret can't be opened: is its master key still configured?")
                continue
            }
            if let step = TOTP.step(of: typed, secret: secret, at: seconds, after: factor.counter) {
                return .right(Right(proof: Proof(.totp), effects: [.usedTOTP(factor: factor.id, step: step)]))
            }
        }
        return .wrong
    }
}

/// One of the codes that the person wrote down.
struct RecoveryCodeStep: FlowStep {
    static let kind = "recovery_code"

    func shown(_ context: FlowContext) -> SignInStep {
        .recoveryCode(StepOptions(choices: context.choices(besides: .recoveryCode)))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.candidates.contains(.recoveryCode) }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        let typed = try response.answer.typedRecoveryCode()
        guard let account = context.account else { return .wrong }
        let digests = context.tools.recoveryCodes.digests(typed, account: account)
        return .right(Right(proof: Proof(.recoveryCode), effects: [.usedRecoveryCode(digests: digests)]))
    }
}

/// Which second factor, where there are several and none is preferred.
struct SecondFactorSelectionStep: FlowStep {
    static let kind = "second_factor_selection"

    func shown(_ context: FlowContext) -> SignInStep {
        .secondFactorSelection(context.choices())
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { !next.candidates.isEmpty || next.isSetUp }

    /// The flow has looked for `factor` and found none of the choices.
    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        _ = try response.answer.chosen()
        throw .invalidField(.factor, .notOffered.accepting(context.choices().map(\.id)))
    }
}
