import Foundation
import SignIn

/// Each step of the core as an interruption of the token endpoint.
///
/// The switch is exhaustive: a new step does not compile until it has a form here, or is one for a browser.
enum NativeAuthInterruption: String {
    case secondFactor = "mfa_required"
    case registration = "registration_required"
    /// The user must set another password first.
    case passwordExpired
    /// A sign-up waits for its code: no account has the name yet.
    case noAccount

    /// Nil for a step that only a browser can answer.
    init?(_ step: SignInStep) {
        switch step {
        case .secondFactorSelection, .secondFactorCode:
            guard NativeAuthMethods.secondFactors(step)?.isEmpty == false else { return nil }
            self = .secondFactor
        case .factorSetUpSelection, .emailSetUp:
            guard NativeAuthMethods.registrations(step)?.isEmpty == false else { return nil }
            self = .registration
        case .newPassword, .resetPassword: self = .passwordExpired
        case .confirmSignUp: self = .noAccount
        case .firstFactorSelection, .firstFactorCode, .password, .passwordProof, .passkey, .totpCode, .recoveryCode,
            .deviceProof, .customChallenge, .totpSetUp, .phoneSetUp, .codeSetUp, .passkeySetUp, .recoveryCodes,
            .resetUnderWay,
            .attributes, .linkAccount, .continueInBrowser:
            return nil
        }
    }
}
