import Cryptography
import Messages
import Providers
import Vocabulary
import WebAuthn

/// The step that a provider leads, as one of our steps.
extension ProviderStep {
    func shown(serviceName: String) -> SignInStep {
        switch self {
        case .newPassword(let attributes): .newPassword(requiredAttributes: attributes)
        case .attributes(let names): .attributes(names)
        case .customChallenge(let parameters): .customChallenge(ChallengePrompt(parameters), StepOptions())
        case .totpCode: .totpCode(StepOptions())
        case .smsCode(let delivery): .secondFactorCode(SentCode(delivery), StepOptions())
        case .otp(let delivery): .firstFactorCode(SentCode(delivery), StepOptions())
        case .password: .password(StepOptions())
        case .passkey(let options): .passkey(PasskeyOptions(options), StepOptions())
        case .firstFactorSelection(let methods): .firstFactorSelection(methods.map(StepChoice.init(firstFactor:)))
        case .mfaSelection(let methods): .secondFactorSelection(methods.map(StepChoice.init(secondFactor:)))
        case .mfaSetupSelection(let methods): .factorSetUpSelection(methods.map(StepChoice.init(secondFactor:)))
        case .totpSetup(let secret, let username):
            .totpSetUp(
                TOTPSecret(
                    secret: secret, uri: TOTP.uri(encodedSecret: secret, issuer: serviceName, account: username)))
        case .contactSetup(.email, let hint): .emailSetUp(hint: hint)
        case .contactSetup(.sms, let hint): .phoneSetUp(hint: hint)
        case .resetPassword(let delivery): .resetPassword(delivery.map(SentCode.init))
        case .confirmSignUp(let delivery): .confirmSignUp(delivery.map(SentCode.init))
        case .resetUnderWay(let seconds): .resetUnderWay(retryAfter: seconds)
        // Never kept: ``StepwiseSignInService`` answers it with the browser's address.
        case .webFallback: .continueInBrowser(url: "")
        }
    }

    /// The person's answer as the adapter takes it.
    func response(_ answer: StepAnswer) throws(Rejection) -> StepwiseResponse {
        switch self {
        case .newPassword:
            let (password, attributes) = try answer.typedNewPassword(most: Self.mostPassword)
            return .newPassword(Secret(password), attributes: try attributes.checked())
        case .attributes:
            guard case .attributes(let attributes) = answer else { return .attributes([:]) }
            return .attributes(try attributes.checked())
        case .customChallenge: return .answer(try answer.typedChallengeAnswer())
        case .totpCode, .smsCode, .otp, .totpSetup, .confirmSignUp: return .code(try answer.typedCode(.foreign))
        case .password where answer == .passwordForgotten: return .passwordForgotten
        case .password: return .password(Secret(try answer.typedPassword(most: Self.mostPassword)))
        case .passkey:
            guard let credential = try answer.passkeyAnswer().object else { throw .invalidField(.passkey, .required) }
            return .credential(credential)
        case .firstFactorSelection, .mfaSelection, .mfaSetupSelection: return .choice(try answer.chosen())
        case .contactSetup(.email, _):
            guard let address = EmailAddress(try answer.typedEmail()) else {
                throw .invalidField(.email, .notAnEmailAddress)
            }
            return .contact(address.text)
        case .contactSetup(.sms, _):
            guard let number = PhoneNumber(try answer.typedPhone()) else {
                throw .invalidField(.phone, .notAPhoneNumber)
            }
            return .contact(number.text)
        case .resetPassword:
            let (code, password) = try answer.typedReset(.foreign, most: Self.mostPassword)
            return .resetPassword(code: code, newPassword: Secret(password))
        case .resetUnderWay: return .waited
        case .webFallback: throw .flowExpired
        }
    }

    /// In bytes, whatever the provider allows.
    private static let mostPassword = 1_024
}

extension SentCode {
    fileprivate init(_ delivery: CodeDelivery) {
        self.init(
            medium: delivery.medium == .email ? .email : .sms, destination: delivery.destination,
            codeLength: delivery.codeLength ?? 6, resendAfter: delivery.resendWait)
    }
}

extension ProviderStep {
    /// The seconds until the provider may be asked for another code; nil for a step without a code.
    var resendWait: Int? {
        switch self {
        case .smsCode(let delivery), .otp(let delivery): delivery.resendWait
        case .resetPassword(let delivery), .confirmSignUp(let delivery): delivery?.resendWait ?? FlowService.resendWait
        default: nil
        }
    }
}

extension CodeDelivery {
    /// The seconds until another code may be sent.
    var resendWait: Int { resendAfter ?? FlowService.resendWait }
}

extension StepChoice {
    fileprivate init(firstFactor method: SignInMethod) {
        self.init(method, email: .emailCode, sms: .smsCode)
    }

    fileprivate init(secondFactor method: SignInMethod) {
        self.init(method, email: .email, sms: .sms)
    }

    /// - Parameters:
    ///   - email: the kind of a mailed code, which differs between first and second factors.
    ///   - sms: the same of a texted code.
    private init(_ method: SignInMethod, email: Kind, sms: Kind) {
        let kind =
            switch method.kind {
            case .password: Kind.password
            case .emailOTP: email
            case .smsOTP: sms
            case .totp: Kind.totp
            case .passkey: Kind.passkey
            }
        self.init(id: method.id, kind: kind, hint: method.hint)
    }
}

extension [String: String] {
    /// The same, where neither number nor length is too great.
    fileprivate func checked() throws(Rejection) -> [String: String] {
        guard count <= 50 else { throw .invalidField(.attributes, .mustBeObject) }
        let tooLong = filter { $0.value.utf8.count > 2_048 }.keys.sorted()
        guard tooLong.isEmpty else { throw .attributesInvalid(tooLong.map { AttributeFault($0, .tooLong) }) }
        return self
    }
}
