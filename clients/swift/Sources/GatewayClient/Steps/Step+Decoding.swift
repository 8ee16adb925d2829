import Foundation

/// The members of every step; each type has some of them.
struct StepMembers: Decodable, Sendable {
    let type: String
    let delivery: Delivery?
    let resendAfter: Int?
    let factors: [FactorOption]?
    let email: String?
    let totp: TOTP?
    let passkey: JSONValue?
    let challenge: [String: JSONValue]?
    let requiredAttributes: [String]?
    let retryAfter: Int?
    let url: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case type, delivery, factors, email, totp, passkey, challenge, url
        case resendAfter = "resend_after"
        case requiredAttributes = "required_attributes"
        case retryAfter = "retry_after"
    }

    struct TOTP: Decodable, Sendable {
        let secret: String
        let uri: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case secret, uri
        }
    }
}

/// The names of the steps in the API.
enum StepType: String, CaseIterable {
    case chooseFirstFactor = "continue_sign_in_with_first_factor_selection"
    case password = "confirm_sign_in_with_password"
    case code = "confirm_sign_in_with_otp"
    case textMessageCode = "confirm_sign_in_with_sms_mfa_code"
    case authenticatorCode = "confirm_sign_in_with_totp_code"
    case passkey = "confirm_sign_in_with_passkey"
    case challenge = "confirm_sign_in_with_custom_challenge"
    case chooseSecondFactor = "continue_sign_in_with_mfa_selection"
    case chooseFactorToSetUp = "continue_sign_in_with_mfa_setup_selection"
    case setUpAuthenticator = "continue_sign_in_with_totp_setup"
    case setUpEmail = "continue_sign_in_with_email_mfa_setup"
    case setUpPhone = "continue_sign_in_with_sms_mfa_setup"
    case setUpPasskey = "continue_sign_in_with_passkey_setup"
    case attributes = "continue_sign_up_with_attributes"
    case newPassword = "confirm_sign_in_with_new_password"
    case resetPassword = "reset_password"
    case waitForPasswordReset = "continue_password_reset"
    case continueInBrowser = "continue_in_browser"
    case confirmSignUp = "confirm_sign_up"
    case linkAccount = "link_account"
}

extension Step {
    init(_ answer: NextStepAnswer, client: GatewayClient, after former: Flow?, now: Date) {
        let flow = Flow(
            token: answer.flow, client: client, expiresAt: now + TimeInterval(answer.expiresIn),
            recoveryCodes: answer.recoveryCodes ?? former?.recoveryCodes ?? [])
        self = Self.known(answer.step, flow) ?? .unsupported(UnsupportedStep(flow: flow, type: answer.step.type))
    }

    /// Nil for an unknown type, and for a known one without a member that it needs.
    private static func known(_ members: StepMembers, _ flow: Flow) -> Step? {
        guard let type = StepType(rawValue: members.type) else { return nil }
        let others = members.factors ?? []
        switch type {
        case .chooseFirstFactor: return .chooseFirstFactor(FactorChoice(flow: flow, options: others))
        case .chooseSecondFactor: return .chooseSecondFactor(FactorChoice(flow: flow, options: others))
        case .chooseFactorToSetUp: return .chooseFactorToSetUp(FactorChoice(flow: flow, options: others))
        case .password: return .password(PasswordQuestion(flow: flow, alternatives: others))
        case .authenticatorCode: return .authenticatorCode(AuthenticatorQuestion(flow: flow, alternatives: others))
        case .code, .textMessageCode: return .code(members.code(flow))
        case .resetPassword: return .resetPassword(members.code(flow))
        case .confirmSignUp: return .confirmSignUp(members.code(flow))
        case .attributes: return .attributes(members.attributes(flow))
        case .newPassword: return .newPassword(members.attributes(flow))
        case .setUpEmail: return .setUpEmail(ContactSetUp(flow: flow, hint: members.email))
        case .setUpPhone: return .setUpPhone(ContactSetUp(flow: flow, hint: members.email))
        case .waitForPasswordReset:
            return .waitForPasswordReset(Waiting(flow: flow, retryAfter: max(1, members.retryAfter ?? 1)))
        case .passkey, .setUpPasskey, .challenge, .setUpAuthenticator, .continueInBrowser, .linkAccount:
            return demanding(type, members, flow)
        }
    }

    /// The types with a member that must be there.
    private static func demanding(_ type: StepType, _ members: StepMembers, _ flow: Flow) -> Step? {
        let others = members.factors ?? []
        switch type {
        case .passkey:
            return members.passkey.map {
                .passkey(PasskeyQuestion(flow: flow, options: $0, alternatives: others))
            }
        case .setUpPasskey: return members.passkey.map { .setUpPasskey(PasskeySetUp(flow: flow, options: $0)) }
        case .challenge:
            return members.challenge.map {
                .challenge(ChallengeQuestion(flow: flow, members: $0, alternatives: others))
            }
        case .setUpAuthenticator:
            return members.totp.map {
                .setUpAuthenticator(AuthenticatorSetUp(flow: flow, secret: $0.secret, uri: $0.uri))
            }
        case .continueInBrowser:
            return members.url.flatMap { URL(string: $0) }.map { .continueInBrowser(BrowserVisit(url: $0)) }
        case .linkAccount: return members.email.map { .linkAccount(LinkQuestion(flow: flow, email: $0)) }
        default: return nil
        }
    }
}

extension StepMembers {
    fileprivate func code(_ flow: Flow) -> CodeQuestion {
        CodeQuestion(flow: flow, delivery: delivery, resendAfter: resendAfter, alternatives: factors ?? [])
    }

    fileprivate func attributes(_ flow: Flow) -> AttributeQuestion {
        AttributeQuestion(flow: flow, names: requiredAttributes ?? [])
    }
}
