import JSON
import Sessions

/// The machine's steps as pages.
extension StepPage {
    /// The type of the step in which the recovery codes are shown, which is a page of another kind.
    static let recoveryCodes = "continue_sign_in_with_recovery_codes"

    init(
        _ step: SignInStep, clientName: String, door: Door, hidden: [HiddenField], minimumLength: Int,
        onwardAddress: String? = nil, backAddress: String, typed: FormBody? = nil, wasResent: Bool = false,
        problem: PageProblem? = nil
    ) throws(Rejection) {
        guard let kind = Kind(step) else { throw .internalError }
        // Only what is still good is worth keeping.
        let isCodeWrong = problem.flatMap { ProblemCode(rawValue: $0.code) }?.field == .code
        self.init(
            clientName: clientName, kind: kind, door: door, hidden: hidden,
            destination: step.delivery.flatMap { $0.destination.isEmpty ? nil : $0.destination },
            codeLength: step.delivery?.codeLength ?? 6,
            minimumLength: minimumLength,
            choices: step.choices.map { Choice(id: $0.id, kind: $0.kind, hint: $0.hint) },
            authenticator: try step.totp.map { (secret) throws(Rejection) in try Authenticator(secret) },
            passkeyOptions: step.passkey?.text ?? "", question: Self.question(step.challenge),
            username: typed?["username"] ?? "",
            attributes: step.requiredAttributes.map { name in
                Attribute(name: name, value: typed?[Attribute.prefix + name] ?? "")
            },
            onwardAddress: onwardAddress, refreshAfter: step.retryAfter,
            code: kind.asksForNewPassword && !isCodeWrong ? typed?["code"] ?? "" : "", email: typed?["email"] ?? "",
            phone: typed?["phone"] ?? "",
            wasResent: wasResent, offersRemembering: step.offersRemembering,
            isRemembering: typed?["remember_device"] == "true", backAddress: backAddress, problem: problem)
    }
}

extension StepPage {
    /// What a custom challenge asks; one that calls nothing its question shows all that it says.
    private static func question(_ challenge: JSONObject?) -> String {
        guard let challenge else { return "" }
        return challenge["question"]?.string
            ?? challenge.members.compactMap { $0.value.string }.joined(separator: " · ")
    }
}

extension StepPage.Kind {
    /// Nil for a step that is no form of ours.
    init?(_ step: SignInStep) {
        switch step.type {
        case "continue_sign_in_with_first_factor_selection": self = .chooseFirstFactor
        case "continue_sign_in_with_mfa_selection": self = .chooseSecondFactor
        case "continue_sign_in_with_mfa_setup_selection": self = .chooseSetUp
        // A sign-up of ours has a page of its own: here it is a provider's.
        case "confirm_sign_in_with_otp", "confirm_sign_in_with_sms_mfa_code", "confirm_sign_up":
            self = step.delivery?.medium == .sms ? .textedCode : .mailedCode
        case "confirm_sign_in_with_totp_code": self = .authenticatorCode
        case "confirm_sign_in_with_password": self = .password
        case "confirm_sign_in_with_new_password": self = .newPassword
        case "reset_password": self = .resetPassword
        case "continue_sign_in_with_totp_setup": self = .authenticatorSetUp
        case "continue_sign_in_with_email_mfa_setup": self = .mailSetUp
        case "confirm_sign_in_with_passkey": self = .passkey
        case "continue_sign_in_with_sms_mfa_setup": self = .textSetUp
        case "continue_sign_up_with_attributes": self = .attributes
        case "continue_in_browser": self = .elsewhere
        case "continue_password_reset": self = .waiting
        case "continue_sign_in_with_passkey_setup": self = .passkeySetUp
        case "confirm_sign_in_with_custom_challenge":
            self = step.challenge?["question"]?.string == "recovery_code" ? .recoveryCode : .challenge
        default: return nil
        }
    }
}

extension StepPage.Authenticator {
    fileprivate init(_ totp: TOTPSecret) throws(Rejection) {
        guard let code = try? QRCode(totp.uri) else { throw .internalError }
        let letters = Array(totp.secret)
        let groups = stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
        self.init(secret: groups.joined(separator: " "), address: totp.uri, side: code.side, path: code.path)
    }
}
