import Clients
import Foundation
import HTTPServer
import JSON
import Messages
import Sessions
import SignIn

/// Each step of the core as an interruption of the token endpoint.
///
/// The switch is exhaustive: a new step does not compile until it has a form here, or is one for a browser.
enum NativeAuthInterruption: String {
    case secondFactor = "mfa_required"
    case registration = "registration_required"
    /// The user must set another password first.
    case passwordExpired
    /// A sign-up waits for its code: no account has the name yet.
    case noAccount

    /// Nil for a step that only a browser can answer.
    init?(_ step: SignInStep) {
        switch step {
        case .secondFactorSelection, .secondFactorCode:
            guard NativeAuthMethods.secondFactors(step)?.isEmpty == false else { return nil }
            self = .secondFactor
        case .factorSetUpSelection, .emailSetUp:
            guard NativeAuthMethods.registrations(step)?.isEmpty == false else { return nil }
            self = .registration
        case .newPassword, .resetPassword: self = .passwordExpired
        case .confirmSignUp: self = .noAccount
        case .firstFactorSelection, .firstFactorCode, .password, .passwordProof, .passkey, .totpCode, .recoveryCode,
            .deviceProof, .customChallenge, .totpSetUp, .phoneSetUp, .codeSetUp, .passkeySetUp, .recoveryCodes,
            .resetUnderWay,
            .attributes, .linkAccount, .continueInBrowser:
            return nil
        }
    }
}

/// A mailbox or a telephone that gets a code.
struct NativeAuthMethod: Equatable {
    enum Channel: String { case email, sms }

    let id: String
    let channel: Channel
    /// The masked destination.
    let hint: String

    /// As version 1 lists it.
    var json: JSON {
        [
            "id": .string(id), "challenge_type": "oob", "challenge_channel": .string(channel.rawValue),
            "login_hint": .string(hint),
        ]
    }
}

/// The methods of a step that native authentication has: codes by mail and text message.
enum NativeAuthMethods {
    /// The id of the only method, to which a code was sent already.
    static let current = "default"

    /// The second factors of a step; nil for a step that asks for none.
    static func secondFactors(_ step: SignInStep) -> [NativeAuthMethod]? {
        switch step {
        case .secondFactorSelection(let choices): choices.compactMap(method)
        case .secondFactorCode(let sent, let options): [sent.method(current)] + options.choices.compactMap(method)
        default: nil
        }
    }

    /// The second factors that a step can set up; nil for a step that sets up none.
    static func registrations(_ step: SignInStep) -> [NativeAuthMethod]? {
        switch step {
        case .factorSetUpSelection(let choices):
            choices.contains { $0.kind == .email } ? [NativeAuthMethod(id: "email", channel: .email, hint: "")] : []
        case .emailSetUp(let hint): [NativeAuthMethod(id: "email", channel: .email, hint: hint ?? "")]
        default: nil
        }
    }

    private static func method(_ choice: StepChoice) -> NativeAuthMethod? {
        switch choice.kind {
        case .email: NativeAuthMethod(id: choice.id, channel: .email, hint: choice.hint ?? "")
        case .sms: NativeAuthMethod(id: choice.id, channel: .sms, hint: choice.hint ?? "")
        case .totp, .passkey, .password, .recoveryCode, .emailCode, .smsCode, .customChallenge: nil
        }
    }
}

extension SentCode {
    /// The method that got the code.
    func method(_ id: String) -> NativeAuthMethod {
        NativeAuthMethod(id: id, channel: medium == .sms ? .sms : .email, hint: destination)
    }
}

/// The answer of the token endpoint; MSAL needs each member.
enum NativeAuthTokens {
    static let defaultScope = "openid profile offline_access"

    /// - Parameter scope: the scope that an earlier call named, which the answer's stays within; nil for none.
    static func json(_ session: IssuedSession, _ call: NativeAuthCall, within scope: String? = nil) -> JSONObject {
        let info: JSON = ["uid": .string(session.account.text), "utid": .string(call.app.tenantID)]
        var answer: JSONObject = [
            "token_type": "Bearer", "scope": .string(granted(call.form["scope"] ?? scope ?? defaultScope, scope)),
            "expires_in": .integer(session.accessTokenLife), "ext_expires_in": .integer(session.accessTokenLife),
            "access_token": .string(session.accessToken), "refresh_token": .string(session.refreshToken),
            "client_info": .string(base64URL(info)),
        ]
        answer["id_token"] = session.idToken.map(JSON.string)
        return answer
    }

    private static func granted(_ asked: String, _ scope: String?) -> String {
        guard let scope else { return asked }
        let allowed = Set(scope.split(separator: " "))
        return asked.split(separator: " ").filter(allowed.contains).joined(separator: " ")
    }

    /// Without padding (RFC 4648 §5).
    private static func base64URL(_ json: JSON) -> String {
        Data(json.bytes()).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
