import JSON
import Messages
import SignIn

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
