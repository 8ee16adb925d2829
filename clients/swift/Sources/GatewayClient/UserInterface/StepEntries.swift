/// The entries of a screen as the answer to its step.
struct StepEntries {
    let entries: [String: String]

    func answer(to step: Step) throws -> StepAnswer {
        switch step {
        case .password: .password(entry("password"))
        case .code, .confirmSignUp, .authenticatorCode, .setUpAuthenticator: .code(entry("code"))
        case .resetPassword: .reset(code: entry("code"), newPassword: entry("new_password"))
        case .challenge(let question):
            question.asksForRecoveryCode ? .recoveryCode(entry("recovery_code")) : .challenge(entry("answer"))
        case .setUpEmail: .email(entry("email"))
        case .setUpPhone: .phone(entry("phone"))
        case .attributes(let question): .attributes(attributes(question))
        case .newPassword(let question): .newPassword(entry("new_password"), attributes: attributes(question))
        case .waitForPasswordReset: .waited
        case .chooseFirstFactor, .chooseSecondFactor, .chooseFactorToSetUp, .passkey, .setUpPasskey, .linkAccount,
            .continueInBrowser, .unsupported:
            throw GatewayError.unanswerable("The step needs another button.")
        }
    }

    private func entry(_ field: String) -> String { entries[field] ?? "" }

    private func attributes(_ question: AttributeQuestion) -> [String: String] {
        Dictionary(uniqueKeysWithValues: Set(question.names).map { ($0, entry(SignInScreen.Field.prefix + $0)) })
    }
}

extension GatewayError {
    /// The field of the screen that the error is about.
    func fieldName(in screen: SignInScreen) -> String? {
        let names = screen.fields.map(\.id)
        let named = problem?.fields.compactMap { item in
            names.first { item.pointer == "/\($0)" || item.pointer.hasSuffix("/\($0)") }
        }
        return named?.first ?? code.flatMap(Self.field).flatMap { $0.first { names.contains($0) } }
    }

    private static func field(_ code: ErrorCode) -> [String]? {
        switch code {
        case .codeWrong, .codeExpired: ["code", "recovery_code", "answer"]
        case .invalidCredentials: ["password"]
        case .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordContainsAddress, .passwordUnchanged,
            .passwordRejected:
            ["new_password", "password"]
        case .userNameTaken: ["username"]
        case .deliveryRefused, .countryNotServed: ["email", "phone", "username"]
        default: nil
        }
    }
}
