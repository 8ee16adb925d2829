import Cryptography
import Foundation
import JSON
import Logging

/// A code of the person's authenticator app.
struct TOTPStep: FlowStep {
    static let kind = "totp"
    /// What a TOTP secret is sealed for.
    static let purpose = "totp secret"

    init() {}
    init?(stored: JSONObject) {}
    var stored: JSONObject { [:] }

    func shown(_ context: StepContext) -> SignInStep {
        var step = SignInStep("confirm_sign_in_with_totp_code")
        step.choices = context.choices().filter { $0.kind != AccountFactors.Kind.totp.rawValue }
        step.offersRemembering = context.offersRemembering
        return step
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.asks(for: .totp) }

    func judge(_ response: JSONObject, _ context: StepContext) throws(Rejection) -> Verdict {
        let typed = try response.code()
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

    init() {}
    init?(stored: JSONObject) {}
    var stored: JSONObject { [:] }

    func shown(_ context: StepContext) -> SignInStep {
        var step = SignInStep("confirm_sign_in_with_custom_challenge")
        step.challenge = ["question": "recovery_code"]
        step.choices = context.choices(besides: .recoveryCode)
        return step
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { next.candidates.contains(.recoveryCode) }

    func judge(_ response: JSONObject, _ context: StepContext) throws(Rejection) -> Verdict {
        let typed = try response.text("recovery_code", or: "answer", most: 64)
        guard let account = context.account else { return .wrong }
        let digests = context.tools.recoveryCodes.digests(typed, account: account)
        return .right(Right(proof: Proof(.recoveryCode), effects: [.usedRecoveryCode(digests: digests)]))
    }
}

/// Which second factor, where there are several and none is preferred.
struct SecondFactorSelectionStep: FlowStep {
    static let kind = "second_factor_selection"

    init() {}
    init?(stored: JSONObject) {}
    var stored: JSONObject { [:] }

    func shown(_ context: StepContext) -> SignInStep {
        var step = SignInStep("continue_sign_in_with_mfa_selection")
        step.choices = context.choices()
        return step
    }

    func isDue(_ next: SignInCourse.Next) -> Bool { !next.candidates.isEmpty || next.isSetUp }

    /// The flow has looked for `factor` and found none of the choices.
    func judge(_ response: JSONObject, _ context: StepContext) throws(Rejection) -> Verdict {
        throw .invalidMember(
            pointer: "/response/factor", reason: response["factor"] == nil ? "required" : "not_offered")
    }
}
