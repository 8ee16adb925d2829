import JSON
import Providers

/// What a provider asked for, as it is stored with its flow.
extension ProviderStep {
    var json: JSON {
        switch self {
        case .newPassword(let attributes): ["kind": "new_password", "names": .array(attributes.map(JSON.string))]
        case .attributes(let names): ["kind": "attributes", "names": .array(names.map(JSON.string))]
        case .customChallenge(let parameters):
            ["kind": "custom_challenge", "parameters": .object(JSONObject(strings: parameters))]
        case .totpCode(let name): ["kind": "totp_code", "name": name.map(JSON.string) ?? .null]
        case .smsCode(let delivery): ["kind": "sms_code", "delivery": delivery.json]
        case .otp(let delivery): ["kind": "otp", "delivery": delivery.json]
        case .password: ["kind": "password"]
        case .passkey(let options): ["kind": "passkey", "options": .object(options)]
        case .firstFactorSelection(let methods): ["kind": "first_factor_selection", "methods": methods.json]
        case .mfaSelection(let methods): ["kind": "mfa_selection", "methods": methods.json]
        case .mfaSetupSelection(let methods): ["kind": "mfa_setup_selection", "methods": methods.json]
        case .totpSetup(let secret, let username):
            ["kind": "totp_setup", "secret": .string(secret), "username": .string(username)]
        case .contactSetup(let medium, let hint):
            ["kind": "contact_setup", "medium": .string(medium.rawValue), "hint": hint.map(JSON.string) ?? .null]
        case .resetPassword(let delivery): ["kind": "reset_password", "delivery": delivery?.json ?? .null]
        case .confirmSignUp(let delivery): ["kind": "confirm_sign_up", "delivery": delivery?.json ?? .null]
        case .resetUnderWay(let seconds): ["kind": "reset_under_way", "retry_after": .integer(seconds)]
        case .webFallback: ["kind": "web_fallback"]
        }
    }

    init?(_ json: JSON) {
        let delivery = json["delivery"].flatMap(Providers.CodeDelivery.init)
        let methods = (json["methods"]?.array ?? []).compactMap(SignInMethod.init)
        switch json["kind"]?.string {
        case "new_password":
            self = .newPassword(requiredAttributes: (json["names"]?.array ?? []).compactMap(\.string))
        case "attributes": self = .attributes(required: (json["names"]?.array ?? []).compactMap(\.string))
        case "custom_challenge": self = .customChallenge(parameters: json["parameters"]?.object?.strings ?? [:])
        case "totp_code": self = .totpCode(name: json["name"]?.string)
        case "sms_code":
            guard let delivery else { return nil }
            self = .smsCode(delivery)
        case "otp":
            guard let delivery else { return nil }
            self = .otp(delivery)
        case "password": self = .password
        case "passkey":
            guard let options = json["options"]?.object else { return nil }
            self = .passkey(options: options)
        case "first_factor_selection": self = .firstFactorSelection(methods)
        case "mfa_selection": self = .mfaSelection(methods)
        case "mfa_setup_selection": self = .mfaSetupSelection(methods)
        case "totp_setup":
            guard let secret = json["secret"]?.string, let name = json["username"]?.string else { return nil }
            self = .totpSetup(secret: secret, username: name)
        case "contact_setup":
            guard let medium = json["medium"]?.string.flatMap(Providers.CodeDelivery.Medium.init) else { return nil }
            self = .contactSetup(medium, hint: json["hint"]?.string)
        case "reset_password": self = .resetPassword(delivery)
        case "confirm_sign_up": self = .confirmSignUp(delivery)
        case "reset_under_way": self = .resetUnderWay(retryAfter: json["retry_after"]?.integer ?? 2)
        case "web_fallback": self = .webFallback
        default: return nil
        }
    }
}

extension Providers.CodeDelivery {
    fileprivate var json: JSON {
        [
            "medium": .string(medium.rawValue), "destination": .string(destination),
            "length": codeLength.map(JSON.integer) ?? .null, "resend_after": resendAfter.map(JSON.integer) ?? .null,
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let medium = json["medium"]?.string.flatMap(Medium.init(rawValue:)),
            let destination = json["destination"]?.string
        else { return nil }
        self.init(
            medium: medium, destination: destination, codeLength: json["length"]?.integer,
            resendAfter: json["resend_after"]?.integer)
    }
}

extension SignInMethod {
    fileprivate init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)), let id = json["id"]?.string else {
            return nil
        }
        self.init(kind, id: id, hint: json["hint"]?.string)
    }
}

extension [SignInMethod] {
    fileprivate var json: JSON {
        .array(
            map {
                ["kind": .string($0.kind.rawValue), "id": .string($0.id), "hint": $0.hint.map(JSON.string) ?? .null]
            })
    }
}

extension JSONObject {
    fileprivate init(strings: [String: String]) {
        self.init(strings.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: .string($0.value)) })
    }

    fileprivate var strings: [String: String] {
        Dictionary(members.compactMap { member in member.value.string.map { (member.name, $0) } }) { first, _ in first }
    }
}
