import JSON
import Messages
import SignIn
import WebAuthn

/// Each step as the API's JSON (`docs/openapi.yaml`, `NextStep`).
enum RESTNextStep {
    static func json(_ step: SignInStep) -> JSON {
        switch step {
        case .firstFactorSelection(let choices): selection("continue_sign_in_with_first_factor_selection", choices)
        case .firstFactorCode(let delivery, let options): code("confirm_sign_in_with_otp", delivery, options)
        case .password(let options): object("confirm_sign_in_with_password", options)
        // This door asks for the password itself.
        case .passwordProof: object("confirm_sign_in_with_password")
        case .passkey(let passkey, let options):
            object("confirm_sign_in_with_passkey", options, ["passkey": passkey.json])
        case .secondFactorSelection(let choices): selection("continue_sign_in_with_mfa_selection", choices)
        case .secondFactorCode(let delivery, let options): code(secondFactorType(delivery), delivery, options)
        case .totpCode(let options): object("confirm_sign_in_with_totp_code", options)
        case .recoveryCode(let options): challenge(["question": "recovery_code"], options)
        // This door asks for another factor.
        case .deviceProof(_, let choices): selection("continue_sign_in_with_mfa_selection", choices)
        case .customChallenge(let prompt, let options): challenge(prompt.members, options)
        case .factorSetUpSelection(let choices): selection("continue_sign_in_with_mfa_setup_selection", choices)
        case .totpSetUp(let totp):
            object(
                "continue_sign_in_with_totp_setup",
                more: ["totp": ["secret": .string(totp.secret), "uri": .string(totp.uri)]])
        case .emailSetUp(let hint): object("continue_sign_in_with_email_mfa_setup", more: masked(hint))
        case .phoneSetUp(let hint): object("continue_sign_in_with_sms_mfa_setup", more: masked(hint))
        case .codeSetUp(let delivery): code(secondFactorType(delivery), delivery)
        case .passkeySetUp(let passkey):
            object("continue_sign_in_with_passkey_setup", more: ["passkey": passkey.json])
        case .recoveryCodes: object("continue_sign_in_with_recovery_codes")
        case .newPassword(let attributes): object("confirm_sign_in_with_new_password", more: required(attributes))
        case .resetPassword(let delivery): code("reset_password", delivery)
        case .resetUnderWay(let seconds):
            object("continue_password_reset", more: ["retry_after": .integer(seconds)])
        case .confirmSignUp(let delivery): code("confirm_sign_up", delivery)
        case .attributes(let names): object("continue_sign_up_with_attributes", more: required(names))
        case .linkAccount(let email): object("link_account", more: masked(email))
        case .continueInBrowser(let url): object("continue_in_browser", more: ["url": .string(url)])
        }
    }

    private static func object(_ type: String, _ options: StepOptions = StepOptions(), more: JSONObject = [:]) -> JSON {
        object(type, options, more)
    }

    private static func object(_ type: String, _ options: StepOptions, _ more: JSONObject) -> JSON {
        var object: JSONObject = ["type": .string(type)]
        for member in more.members { object[member.name] = member.value }
        if !options.choices.isEmpty { object["factors"] = .array(options.choices.map(choice)) }
        return .object(object)
    }

    private static func selection(_ type: String, _ choices: [StepChoice]) -> JSON {
        object(type, StepOptions(choices: choices))
    }

    private static func challenge(_ members: JSONObject, _ options: StepOptions) -> JSON {
        object("confirm_sign_in_with_custom_challenge", options, ["challenge": .object(members)])
    }

    private static func code(
        _ type: String, _ delivery: SentCode?, _ options: StepOptions = StepOptions()
    ) -> JSON {
        guard let delivery else { return object(type, options) }
        return object(
            type, options,
            [
                "delivery": [
                    "medium": .string(delivery.medium.rawValue), "destination": .string(delivery.destination),
                    "code_length": .integer(delivery.codeLength),
                ], "resend_after": .integer(delivery.resendAfter),
            ])
    }

    private static func secondFactorType(_ delivery: SentCode) -> String {
        delivery.medium == .sms ? "confirm_sign_in_with_sms_mfa_code" : "confirm_sign_in_with_otp"
    }

    private static func masked(_ email: String?) -> JSONObject {
        var members = JSONObject()
        members["email"] = email.map(JSON.string)
        return members
    }

    private static func required(_ attributes: [String]) -> JSONObject {
        attributes.isEmpty ? [:] : ["required_attributes": .array(attributes.map(JSON.string))]
    }

    private static func choice(_ choice: StepChoice) -> JSON {
        var object: JSONObject = ["id": .string(choice.id), "type": .string(choice.kind.rawValue)]
        object["hint"] = choice.hint.map(JSON.string)
        return .object(object)
    }
}
