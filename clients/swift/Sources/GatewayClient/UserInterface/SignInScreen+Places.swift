/// A place of the sign-in: it decides the screen.
enum SignInPlace: Sendable {
    case start
    case signUp
    case forgotPassword
    case step(Step)
    /// The same question, answered by a recovery code.
    case recoveryCode(Step)
    /// The session exists; the codes are shown once.
    case recoveryCodes(Session, [String])
    case finished(Session)
}

extension SignInScreen {
    init(_ place: SignInPlace, _ options: SignInOptions, _ dialogues: Dialogues) {
        switch place {
        case .start: self = .start(options, dialogues)
        case .signUp: self = .signUp()
        case .forgotPassword: self = .forgotPassword()
        case .step(.linkAccount(let question)):
            self = .start(options, dialogues).linking(question)
        case .step(let step): self = SignInScreen(step, dialogues)
        case .recoveryCode(let step): self = .recoveryCode(step)
        case .recoveryCodes(_, let codes):
            self.init(.saveCodes, .saveCodesHow)
            recoveryCodes = codes
            main = Button(.submit, .continue)
        case .finished:
            self.init(.signIn)
            isWaiting = true
        }
    }

    private static func start(_ options: SignInOptions, _ dialogues: Dialogues) -> SignInScreen {
        var screen = SignInScreen(.signIn)
        if options.offersPassword {
            screen.fields = [Field("username", .username, .username), Field("password", .password, .password)]
            screen.main = Button(.submit, .continue)
        }
        if options.offersApple, dialogues.apple != nil { screen.others.append(Button(.apple, .continueWithApple)) }
        if options.offersPasskeys, dialogues.passkeys != nil { screen.others.append(Button(.passkey, .usePasskey)) }
        if dialogues.browser != nil {
            screen.others += options.providers.map {
                Button(.provider($0.id), .continueWithProvider, detail: $0.name)
            }
        }
        if options.offersPassword { screen.others.append(Button(.forgotPassword, .forgotPassword)) }
        if options.offersSignUp { screen.others.append(Button(.signUp, .createAccount)) }
        return screen
    }

    private static func signUp() -> SignInScreen {
        var screen = SignInScreen(.createAccount)
        screen.fields = [
            Field("display_name", .displayName, .name), Field("username", .email, .username),
            Field("password", .newPassword, .newPassword),
        ]
        screen.main = Button(.submit, .signUp)
        screen.others = [Button(.startAgain, .signIn)]
        return screen
    }

    private static func forgotPassword() -> SignInScreen {
        var screen = SignInScreen(.resetPassword)
        screen.fields = [Field("username", .username, .username)]
        screen.main = Button(.submit, .send)
        screen.others = [Button(.startAgain, .signIn)]
        return screen
    }

    private static func recoveryCode(_ step: Step) -> SignInScreen {
        var screen = SignInScreen(.enterRecoveryCode)
        screen.fields = [Field("recovery_code", .recoveryCode, .code)]
        screen.main = Button(.submit, .continue)
        screen.others = alternatives(step.alternatives.filter { $0.kind != .recoveryCode })
        screen.others.append(Button(.startAgain, .startAgain))
        return screen
    }

    /// The beginning again, with the question above it: any way to sign in to that account accepts the link.
    private func linking(_ question: LinkQuestion) -> SignInScreen {
        var screen = self
        (screen.title, screen.explanation, screen.detail) = (.linkAccount, .linkHow, question.email)
        screen.others.removeAll { $0.action == .signUp || $0.action == .forgotPassword }
        screen.others.removeAll { if case .provider = $0.action { true } else { false } }
        screen.others.append(Button(.separateAccount, .separateAccount))
        return screen
    }

    static func alternatives(_ options: [FactorOption]) -> [Button] {
        options.map { option in
            let isRecoveryCode = option.kind == .recoveryCode
            return Button(isRecoveryCode ? .recoveryCode : .factor(option), option.kind.word, detail: option.hint)
        }
    }
}

extension FactorOption.Kind {
    var word: SignInWord {
        switch self {
        case .password: .withPassword
        case .email, .emailCode: .withEmailCode
        case .textMessage, .textMessageCode: .withTextMessage
        case .authenticatorApp: .withApp
        case .passkey: .withPasskey
        case .recoveryCode: .withRecoveryCode
        default: .withOther
        }
    }
}
