import Cryptography
import JSON
import Providers

/// What a provider asks for, in our own words for steps.
extension ProviderStep {
    func shown(serviceName: String) -> SignInStep {
        switch self {
        case .newPassword(let attributes):
            var step = SignInStep("confirm_sign_in_with_new_password")
            step.requiredAttributes = attributes
            return step
        case .attributes(let names):
            var step = SignInStep("continue_sign_up_with_attributes")
            step.requiredAttributes = names
            return step
        case .customChallenge(let parameters):
            var step = SignInStep("confirm_sign_in_with_custom_challenge")
            step.challenge = JSONObject(
                parameters.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
            return step
        case .totpCode: return SignInStep("confirm_sign_in_with_totp_code")
        case .smsCode(let delivery): return .sent("confirm_sign_in_with_sms_mfa_code", delivery)
        case .otp(let delivery): return .sent("confirm_sign_in_with_otp", delivery)
        case .password: return SignInStep("confirm_sign_in_with_password")
        case .passkey(let options):
            var step = SignInStep("confirm_sign_in_with_passkey")
            step.passkey = .object(options)
            return step
        case .firstFactorSelection(let methods):
            return .choice("continue_sign_in_with_first_factor_selection", methods)
        case .mfaSelection(let methods): return .choice("continue_sign_in_with_mfa_selection", methods)
        case .mfaSetupSelection(let methods): return .choice("continue_sign_in_with_mfa_setup_selection", methods)
        case .totpSetup(let secret, let username):
            var step = SignInStep("continue_sign_in_with_totp_setup")
            step.totp = TOTPSecret(
                secret: secret, uri: TOTP.uri(encodedSecret: secret, issuer: serviceName, account: username))
            return step
        case .contactSetup(let medium, let hint):
            var step = SignInStep("continue_sign_in_with_\(medium.rawValue)_mfa_setup")
            step.email = hint
            return step
        case .resetPassword(let delivery): return .sent("reset_password", delivery)
        case .confirmSignUp(let delivery): return .sent("confirm_sign_up", delivery)
        case .resetUnderWay(let seconds):
            var step = SignInStep("continue_password_reset")
            step.retryAfter = seconds
            return step
        case .webFallback: return SignInStep("continue_in_browser")
        }
    }

    /// The person's answer, in the provider's words.
    func response(_ response: JSONObject) throws(Rejection) -> StepwiseResponse {
        switch self {
        case .newPassword: return .newPassword(try response.newPassword(), attributes: try response.attributes())
        case .attributes: return .attributes(try response.attributes())
        case .customChallenge: return .answer(try response.text("answer", most: 2_048))
        case .totpCode, .smsCode, .otp, .totpSetup, .confirmSignUp: return .code(try response.code())
        case .password where response["forgot_password"] == .bool(true): return .passwordForgotten
        case .password: return .password(Secret(try response.text("password", most: 1_024)))
        case .passkey:
            guard let credential = response["credential"]?.object else {
                throw .invalidMember(pointer: "/response/credential", reason: "required")
            }
            return .credential(credential)
        case .firstFactorSelection, .mfaSelection, .mfaSetupSelection:
            return .choice(try response.text("factor", most: 256))
        case .contactSetup(let medium, _):
            return .contact(try response.text(medium == .email ? "email" : "phone", most: 254))
        case .resetPassword:
            return .resetPassword(code: try response.code(), newPassword: try response.newPassword())
        case .resetUnderWay: return .waited
        case .webFallback: throw .flowExpired
        }
    }
}

extension SignInStep {
    fileprivate static func sent(_ type: String, _ delivery: Providers.CodeDelivery?) -> SignInStep {
        var step = SignInStep(type)
        step.delivery = delivery.map {
            CodeDelivery(
                medium: $0.medium == .email ? .email : .sms, destination: $0.destination,
                codeLength: $0.codeLength ?? 6, resendAfter: $0.resendAfter ?? FlowService.resendWait)
        }
        return step
    }

    fileprivate static func choice(_ type: String, _ methods: [SignInMethod]) -> SignInStep {
        var step = SignInStep(type)
        step.choices = methods.map { StepChoice(id: $0.id, kind: $0.kind.rawValue, hint: $0.hint) }
        return step
    }
}

extension JSONObject {
    fileprivate func newPassword() throws(Rejection) -> Secret {
        Secret(try text("new_password", most: 1_024))
    }

    /// Texts by name; what a provider demands beside a new password.
    fileprivate func attributes() throws(Rejection) -> [String: String] {
        guard let sent = self["attributes"], !sent.isNull else { return [:] }
        guard let object = sent.object, object.members.count <= 50 else {
            throw .invalidMember(pointer: "/response/attributes", reason: "must_be_object")
        }
        var attributes: [String: String] = [:]
        for member in object.members {
            guard let text = member.value.string, text.utf8.count <= 2_048 else {
                throw .invalidMember(pointer: "/response/attributes/\(member.name)", reason: "must_be_text")
            }
            attributes[member.name] = text
        }
        return attributes
    }
}
