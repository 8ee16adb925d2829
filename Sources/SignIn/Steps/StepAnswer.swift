import Cryptography
import Providers
import Vocabulary
package import WebAuthn

/// What a person answers to a ``SignInStep``, unverified.
///
/// A step refuses an answer of another kind as if its own member were missing.
package enum StepAnswer: Sendable, Equatable {
    /// A code that was sent, or the code of an authenticator app.
    case code(String)
    case password(String)
    /// The proof of a password by SRP.
    case passwordProof(SRPProof)
    /// The first value of a device's SRP, with the device's name.
    case deviceValue(String, device: String)
    /// In place of a password: the provider sends a code for another one.
    case passwordForgotten
    /// The password, with the attributes that a provider demands, by name.
    case newPassword(String, attributes: [String: String])
    case resetPassword(code: String, newPassword: String)
    case recoveryCode(String)
    /// The answer to a custom challenge.
    case challenge(String)
    /// The id of a ``StepChoice``, or its kind where only one choice has it.
    case choice(String)
    case email(String)
    case phone(String)
    case passkey(PasskeyAnswer)
    /// Attributes that a provider demands, by name.
    case attributes([String: String])
    /// The data that a sign-up asks for after its code.
    case signUpData(SignUpData)
    /// Declines a link: the identity gets an account of its own.
    case separateAccount
    /// Nothing: the step only waits, or shows something to write down.
    case nothing
}

/// An answer with the user's further choices.
package struct StepResponse: Sendable, Equatable {
    package let answer: StepAnswer
    /// Whether to remember this device, so that later sign-ins need the first factor alone.
    package var remembersDevice: Bool
    /// The name of a factor that the step sets up.
    package var factorName: String?

    package init(_ answer: StepAnswer, remembersDevice: Bool = false, factorName: String? = nil) {
        (self.answer, self.remembersDevice, self.factorName) = (answer, remembersDevice, factorName)
    }
}

extension StepResponse {
    /// The name of the factor, as it is stored.
    var cleanFactorName: String? { factorName.flatMap { DisplayName.clean($0, limit: 100) } }
}

extension StepAnswer {
    /// The greatest lengths, in bytes.
    private static let (mostCode, mostChallenge, mostAddress) = (128, 2_048, 254)

    /// The typed code in the spelling that it was issued in.
    ///
    /// - Parameter shape: another text is no answer and costs no try.
    func typedCode(_ shape: CodeShape = .digits) throws(Rejection) -> String {
        guard case .code(let text) = self else { throw .invalidField(.code, .required) }
        return try Self.code(text, shape, .code)
    }

    /// The code and the new password of a reset.
    ///
    /// - Parameter most: the greatest length of the password, in bytes.
    func typedReset(
        _ shape: CodeShape = .digits, most: Int
    ) throws(Rejection) -> (code: String, newPassword: String) {
        switch self {
        case .resetPassword(let code, let password):
            return (try Self.code(code, shape, .code), try Self.checked(password, .newPassword, most: most))
        case .code: throw .invalidField(.newPassword, .required)
        default: throw .invalidField(.code, .required)
        }
    }

    func typedPassword(most: Int) throws(Rejection) -> String {
        guard case .password(let text) = self else { throw .invalidField(.password, .required) }
        return try Self.checked(text, .password, most: most)
    }

    func typedNewPassword(most: Int) throws(Rejection) -> (password: String, attributes: [String: String]) {
        switch self {
        case .newPassword(let text, let attributes):
            return (try Self.checked(text, .newPassword, most: most), attributes)
        case .resetPassword(_, let text): return (try Self.checked(text, .newPassword, most: most), [:])
        default: throw .invalidField(.newPassword, .required)
        }
    }

    /// A recovery code, also as the answer to the question for one.
    func typedRecoveryCode() throws(Rejection) -> String {
        switch self {
        case .recoveryCode(let text), .challenge(let text):
            return try Self.code(text, .recovery, .recoveryCode)
        default: throw .invalidField(.recoveryCode, .required)
        }
    }

    func typedChallengeAnswer() throws(Rejection) -> String {
        guard case .challenge(let text) = self else { throw .invalidField(.challengeAnswer, .required) }
        return try Self.checked(text, .challengeAnswer, most: Self.mostChallenge)
    }

    func typedEmail() throws(Rejection) -> String {
        guard case .email(let text) = self else { throw .invalidField(.email, .required) }
        return try Self.checked(text, .email, most: Self.mostAddress)
    }

    func typedPhone() throws(Rejection) -> String {
        guard case .phone(let text) = self else { throw .invalidField(.phone, .required) }
        return try Self.checked(text, .phone, most: Self.mostAddress)
    }

    /// The id of the chosen factor.
    func chosen() throws(Rejection) -> String {
        guard case .choice(let text) = self else { throw .invalidField(.factor, .required) }
        return try Self.checked(text, .factor, most: 256)
    }

    func passkeyAnswer() throws(Rejection) -> PasskeyAnswer {
        guard case .passkey(let answer) = self else { throw .invalidField(.passkey, .required) }
        return answer
    }

    /// Whether a password has to be hashed for it.
    var hasPassword: Bool {
        switch self {
        case .password, .newPassword, .resetPassword, .passwordProof: true
        default: false
        }
    }

    private static func code(
        _ text: String, _ shape: CodeShape, _ field: RequestField
    ) throws(Rejection) -> String {
        let text = try checked(text, field, most: mostCode)
        guard let code = shape.code(in: text) else { throw .invalidField(field, .notACode) }
        return code
    }

    private static func checked(_ text: String, _ field: RequestField, most: Int) throws(Rejection) -> String {
        guard !text.isEmpty else { throw .invalidField(field, .required) }
        guard text.utf8.count <= most else { throw .invalidField(field, .tooLong) }
        return text
    }
}
