import Pages
import Vocabulary

extension PageProblem {
    /// A problem that another answer can solve; nil for other refusals.
    init?(step rejection: Rejection, _ kind: StepPage.Kind?) {
        let refusal = WebRefusal(rejection)
        switch rejection {
        case .codeWrong: self.init(Self.wrong(kind), refusal.arguments)
        case .invalidCredentials: self.init("password_wrong")
        case .passkeyRefused, .invalidField(.passkey, _): self.init("passkey_refused")
        // A challenge of the sign-in page can expire while the page is open.
        case .flowExpired where kind == .passkey: self.init(refusal.code)
        case .factorExists, .factorNotIndependent, .nothingToResend: self.init(refusal.code)
        case .passwordRejected, .codeExpired, .attributesRejected: self.init(refusal.code)
        case .invalidField(_, .notACode): self.init(typed: rejection)
        case .invalidField(.email, _): self.init("email_invalid")
        case .invalidField(.phone, _): self.init("phone_invalid")
        case .invalidField(.password, _), .invalidField(.newPassword, _): self.init("password_required")
        case .invalidField, .attributesInvalid: self.init("code_required")
        default: self.init(typed: rejection)
        }
    }

    private static func wrong(_ kind: StepPage.Kind?) -> String {
        switch kind {
        case .authenticatorCode, .authenticatorSetUp: "authenticator_code_wrong"
        case .recoveryCode: "recovery_code_wrong"
        case .challenge: "answer_wrong"
        case .passkey, .passkeySetUp: "passkey_refused"
        default: "code_wrong"
        }
    }
}
