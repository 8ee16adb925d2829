public import Foundation

/// The sign-in that a step belongs to.
public struct Flow: Sendable {
    let token: Secret
    let client: GatewayClient
    /// When the gateway forgets the step.
    public let expiresAt: Date
    /// The recovery codes of this sign-in so far: let the user save them.
    ///
    /// The gateway shows them once. The next steps and the session carry them on.
    public let recoveryCodes: [String]
}

/// A factor to choose.
public struct FactorOption: Sendable, Hashable, Identifiable, Decodable {
    /// The value that selects it.
    public let id: String
    /// The kind of factor.
    public let kind: Kind
    /// A masked destination, or the user's name for the factor.
    public let hint: String?

    /// A kind of factor; a newer server may have more.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The name as in `docs/openapi.yaml`.
        public let rawValue: String

        /// Any name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An authenticator app.
        public static let authenticatorApp = Kind(rawValue: "totp")
        /// A code by text message, as a second factor.
        public static let textMessage = Kind(rawValue: "sms")
        /// A code by mail, as a second factor.
        public static let email = Kind(rawValue: "email")
        /// A passkey.
        public static let passkey = Kind(rawValue: "passkey")
        /// A recovery code.
        public static let recoveryCode = Kind(rawValue: "recovery_code")
        /// The password.
        public static let password = Kind(rawValue: "password")
        /// A code by mail, as a first factor.
        public static let emailCode = Kind(rawValue: "email_otp")
        /// A code by text message, as a first factor.
        public static let textMessageCode = Kind(rawValue: "sms_otp")

        static let known: [Kind] = [
            .authenticatorApp, .textMessage, .email, .passkey, .recoveryCode, .password, .emailCode, .textMessageCode,
        ]
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, hint
        case kind = "type"
    }
}

/// A choice between factors: answer ``StepAnswer/factor(_:)``.
public struct FactorChoice: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// The factors to choose from.
    public let options: [FactorOption]
}

/// Answer ``StepAnswer/password(_:)``.
public struct PasswordQuestion: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// Other factors.
    public let alternatives: [FactorOption]
}

/// Answer ``StepAnswer/code(_:name:)``, or ``StepAnswer/reset(code:newPassword:)`` for a password reset.
public struct CodeQuestion: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// The destination of the code; a provider may not name it.
    public let delivery: Delivery?
    /// Seconds before another code can be sent with ``Step/resend()``.
    public let resendAfter: Int?
    /// Other factors.
    public let alternatives: [FactorOption]
}

/// The destination of a code.
public struct Delivery: Sendable, Hashable, Decodable {
    /// Mail or text message.
    public enum Medium: String, Sendable, Decodable {
        case email, sms
    }

    /// Mail or text message.
    public let medium: Medium
    /// The masked address or number.
    public let destination: String
    /// The number of digits.
    public let codeLength: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case medium, destination
        case codeLength = "code_length"
    }
}

/// Answer ``StepAnswer/code(_:name:)`` with the code of the app, or ``StepAnswer/recoveryCode(_:)``.
public struct AuthenticatorQuestion: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// Other factors.
    public let alternatives: [FactorOption]
}

/// Answer ``StepAnswer/passkey(_:name:)``; on Apple systems `signIn(with:)` of the passkey dialogue makes it.
public struct PasskeyQuestion: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// `PublicKeyCredentialRequestOptionsJSON` (WebAuthn level 3).
    public let options: JSONValue
    /// Other factors.
    public let alternatives: [FactorOption]
}

/// Answer ``StepAnswer/passkey(_:name:)`` with the new passkey.
public struct PasskeySetUp: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// `PublicKeyCredentialCreationOptionsJSON` (WebAuthn level 3).
    public let options: JSONValue
}

/// Answer ``StepAnswer/challenge(_:)``.
public struct ChallengeQuestion: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// The members of the question, of the gateway, a provider or your own service.
    public let members: [String: JSONValue]
    /// Other factors.
    public let alternatives: [FactorOption]

    /// Whether it asks for a recovery code.
    public var asksForRecoveryCode: Bool { question == "recovery_code" }

    /// The member `question`, if it is a text.
    public var question: String? { members["question"]?.string }
}

/// Answer ``StepAnswer/code(_:name:)`` with the first code of the app.
public struct AuthenticatorSetUp: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// The secret, to type.
    public let secret: String
    /// The address to show as a QR code, or to open on this device.
    public let uri: String
}

/// Answer ``StepAnswer/email(_:)`` or ``StepAnswer/phone(_:)``.
public struct ContactSetUp: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// The provider's value, masked.
    public let hint: String?
}

/// Answer ``StepAnswer/attributes(_:)`` or ``StepAnswer/newPassword(_:attributes:)``.
public struct AttributeQuestion: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// The names of the attributes, in the provider's words.
    public let names: [String]
}

/// Answer ``StepAnswer/waited``.
public struct Waiting: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// Seconds to wait before the answer.
    public let retryAfter: Int
}

/// A page of the gateway that leads to the provider.
public struct BrowserVisit: Sendable {
    /// The address, still without the parameters of the app.
    public let url: URL
}

/// A question whether an account with the same address belongs to the user.
public struct LinkQuestion: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// The masked address.
    public let email: String
}

/// A step that this library does not know.
public struct UnsupportedStep: Sendable {
    /// The flow of the step.
    public let flow: Flow
    /// Its name.
    public let type: String
}
