extension SignInScreen {
    /// The screen of a step; ``Step/linkAccount(_:)`` is drawn as the beginning of a sign-in.
    init(_ step: Step, _ dialogues: Dialogues) {
        switch step {
        case .chooseFirstFactor: self = .choice(.chooseFactor)
        case .chooseSecondFactor: self = .choice(.chooseSecondFactor)
        case .chooseFactorToSetUp: self = .choice(.chooseSetUp)
        case .password: self = .field(.enterPassword, Field("password", .password, .password))
        case .code(let question): self = .code(.enterCode, question)
        case .confirmSignUp(let question): self = .code(.confirmAddress, question)
        case .resetPassword(let question):
            self = .code(.resetPassword, question)
            fields.append(Field("new_password", .newPassword, .newPassword))
        case .authenticatorCode: self = .field(.enterAppCode, Field("code", .code, .code))
        case .challenge(let question): self = .challenge(question)
        case .passkey: self = .passkey(.confirmWithPasskey, .usePasskey, dialogues)
        case .setUpPasskey: self = .passkey(.setUpPasskey, .createPasskey, dialogues)
        case .setUpAuthenticator(let setUp): self = .authenticator(setUp)
        case .setUpEmail(let setUp): self = .contact(.setUpEmail, Field("email", .email, .email), setUp)
        case .setUpPhone(let setUp): self = .contact(.setUpPhone, Field("phone", .phone, .phone), setUp)
        case .attributes(let question): self = .attributes(.moreAboutYou, question)
        case .newPassword(let question):
            self = .attributes(.temporaryPassword, question)
            fields.insert(Field("new_password", .newPassword, .newPassword), at: 0)
        case .waitForPasswordReset:
            self.init(.oneMoment)
            isWaiting = true
        case .continueInBrowser: self = .browser(.continueInBrowser, .browserHow, dialogues)
        case .unsupported: self = .browser(.continueInBrowser, .updateApp, dialogues)
        case .linkAccount(let question): self.init(.linkAccount, .linkHow, detail: question.email)
        }
        offersToRemember = step.isSecondFactor
        others += Self.alternatives(step.alternatives)
        if step.sentCode?.resendAfter != nil { others.append(Button(.resend, .resend)) }
        others.append(Button(.startAgain, .startAgain))
    }

    private static func choice(_ title: SignInWord) -> SignInScreen { SignInScreen(title) }

    private static func field(_ title: SignInWord, _ field: Field) -> SignInScreen {
        var screen = SignInScreen(title)
        screen.fields = [field]
        screen.main = Button(.submit, .continue)
        return screen
    }

    private static func code(_ title: SignInWord, _ question: CodeQuestion) -> SignInScreen {
        var screen = field(title, Field("code", .code, .code))
        if let delivery = question.delivery {
            (screen.explanation, screen.detail) = (.codeWasSent, delivery.destination)
        }
        return screen
    }

    private static func challenge(_ question: ChallengeQuestion) -> SignInScreen {
        if question.asksForRecoveryCode {
            return field(.enterRecoveryCode, Field("recovery_code", .recoveryCode, .code))
        }
        var screen = field(.answerQuestion, Field("answer", .answer, .text))
        screen.detail = question.question
        return screen
    }

    private static func passkey(_ title: SignInWord, _ button: SignInWord, _ dialogues: Dialogues) -> SignInScreen {
        var screen = SignInScreen(title)
        if dialogues.passkeys != nil {
            screen.main = Button(.passkey, button)
        } else {
            screen.explanation = .updateApp
            if dialogues.browser != nil { screen.main = Button(.browser, .openBrowser) }
        }
        return screen
    }

    private static func authenticator(_ setUp: AuthenticatorSetUp) -> SignInScreen {
        var screen = field(.setUpApp, Field("code", .code, .code))
        screen.explanation = .setUpAppHow
        screen.authenticator = Authenticator(secret: setUp.secret, uri: setUp.uri)
        return screen
    }

    private static func contact(_ title: SignInWord, _ field: Field, _ setUp: ContactSetUp) -> SignInScreen {
        var screen = self.field(title, field)
        screen.detail = setUp.hint
        return screen
    }

    private static func attributes(_ title: SignInWord, _ question: AttributeQuestion) -> SignInScreen {
        var screen = SignInScreen(title)
        screen.fields = question.names.map { Field(attribute: $0) }
        screen.main = Button(.submit, .continue)
        return screen
    }

    private static func browser(
        _ title: SignInWord, _ explanation: SignInWord, _ dialogues: Dialogues
    ) -> SignInScreen {
        var screen = SignInScreen(title, explanation)
        if dialogues.browser != nil { screen.main = Button(.browser, .openBrowser) }
        return screen
    }
}

extension Step {
    /// Whether the answer can be remembered on this device.
    ///
    /// A code can be a first factor too: the gateway then ignores the wish.
    fileprivate var isSecondFactor: Bool {
        switch self {
        case .code, .authenticatorCode: true
        case .challenge(let question): !question.asksForRecoveryCode
        default: false
        }
    }
}
