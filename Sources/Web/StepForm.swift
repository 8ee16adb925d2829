import JSON
import Messages
import SignIn
import WebAuthn

/// The form of a step: its kind of page and its content.
struct StepForm {
    private(set) var kind: StepPage.Kind
    var options = StepOptions()
    var delivery: SentCode?
    var totp: TOTPSecret?
    var passkey: PasskeyOptions?
    var question = ""
    var attributes: [String] = []
    /// Whether it asks for a second factor, which a user may have lost.
    var isSecondFactor = false
    /// In seconds, for a page that reloads itself.
    var refreshAfter: Int?

    /// Nil for a step with a page of its own: ``LinkPage``, ``RecoveryCodesPage``.
    init?(_ step: SignInStep) {
        self.init(shownBy: step)
        isSecondFactor =
            switch step {
            case .secondFactorCode, .totpCode, .recoveryCode, .secondFactorSelection, .deviceProof: true
            // Only after another factor may a device be remembered.
            case .passkey(_, let options): options.offersRemembering
            default: false
            }
    }

    /// The form of a pending step of the gateway, or of a provider.
    ///
    /// A browser gets no password back, so a wrong code must not cost one: the gateway's own reset asks for the code
    /// first. A provider takes both together.
    init?(_ step: SignInStep, isLedByProvider: Bool) {
        self.init(step)
        if kind == .resetPassword, !isLedByProvider { kind = .resetCode }
    }

    private init?(shownBy step: SignInStep) {
        switch step {
        case .firstFactorSelection(let choices): self.init(.chooseFirstFactor, choosing: choices)
        case .secondFactorSelection(let choices), .deviceProof(_, let choices):
            self.init(.chooseSecondFactor, choosing: choices)
        case .factorSetUpSelection(let choices): self.init(.chooseSetUp, choosing: choices)
        case .firstFactorCode(let delivery, let options), .secondFactorCode(let delivery, let options):
            self.init(code: delivery, options)
        case .codeSetUp(let delivery): self.init(code: delivery)
        case .confirmSignUp(let delivery): self.init(code: delivery)
        case .totpCode(let options): self.init(.authenticatorCode, options)
        case .password(let options): self.init(.password, options)
        case .passwordProof: self.init(.password, StepOptions())
        case .passkey(let passkey, let options): self.init(.passkey, options, passkey: passkey)
        case .recoveryCode(let options): self.init(.recoveryCode, options, question: "recovery_code")
        case .customChallenge(let prompt, let options):
            self.init(.challenge, options, question: Self.question(prompt))
        case .totpSetUp(let totp): self.init(.authenticatorSetUp, totp: totp)
        case .emailSetUp: self.init(.mailSetUp)
        case .phoneSetUp: self.init(.textSetUp)
        case .passkeySetUp(let passkey): self.init(.passkeySetUp, passkey: passkey)
        case .newPassword(let attributes): self.init(.newPassword, attributes: attributes)
        case .resetPassword(let delivery): self.init(.resetPassword, delivery: delivery)
        case .resetUnderWay(let seconds): self.init(.waiting, refreshAfter: seconds)
        case .attributes(let names): self.init(.attributes, attributes: names)
        case .continueInBrowser: self.init(.elsewhere)
        case .linkAccount, .recoveryCodes: return nil
        }
    }

    private init(
        _ kind: StepPage.Kind, _ options: StepOptions = StepOptions(), delivery: SentCode? = nil,
        totp: TOTPSecret? = nil, passkey: PasskeyOptions? = nil, question: String = "", attributes: [String] = [],
        refreshAfter: Int? = nil
    ) {
        (self.kind, self.options, self.delivery, self.totp) = (kind, options, delivery, totp)
        (self.passkey, self.question, self.attributes) = (passkey, question, attributes)
        self.refreshAfter = refreshAfter
    }

    private init(_ kind: StepPage.Kind, choosing choices: [StepChoice]) {
        self.init(kind, StepOptions(choices: choices))
    }

    private init(code delivery: SentCode?, _ options: StepOptions = StepOptions()) {
        self.init(delivery?.medium == .sms ? .textedCode : .mailedCode, options, delivery: delivery)
    }

    /// The question of a challenge; without a member `question`, all its texts.
    private static func question(_ prompt: ChallengePrompt) -> String {
        prompt.members["question"]?.string
            ?? prompt.members.members.compactMap { $0.value.string }.joined(separator: " · ")
    }
}
