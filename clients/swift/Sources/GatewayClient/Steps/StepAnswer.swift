/// The user's answer to a step.
public struct StepAnswer: Sendable {
    let response: StepResponse

    /// Another factor, or the chosen one.
    public static func factor(_ option: FactorOption) -> StepAnswer { StepAnswer(StepResponse(factor: option.id)) }

    /// A code; spaces are ignored.
    ///
    /// - Parameters:
    ///   - code: the digits.
    ///   - name: the user's name for the factor that the code sets up.
    public static func code(_ code: String, name: String? = nil) -> StepAnswer {
        StepAnswer(StepResponse(code: Secret(code), name: name))
    }

    /// The password.
    public static func password(_ password: String) -> StepAnswer {
        StepAnswer(StepResponse(password: Secret(password)))
    }

    /// In place of a provider's password: the provider sends a code for a new one.
    public static var forgotPassword: StepAnswer { StepAnswer(StepResponse(forgotPassword: true)) }

    /// A new password, with the attributes that the step requires.
    public static func newPassword(_ password: String, attributes: [String: String] = [:]) -> StepAnswer {
        StepAnswer(
            StepResponse(newPassword: Secret(password), attributes: attributes.isEmpty ? nil : attributes))
    }

    /// The code that was sent, and a new password.
    public static func reset(code: String, newPassword: String) -> StepAnswer {
        StepAnswer(StepResponse(code: Secret(code), newPassword: Secret(newPassword)))
    }

    /// The attributes that the step requires.
    public static func attributes(_ values: [String: String]) -> StepAnswer {
        StepAnswer(StepResponse(attributes: values))
    }

    /// A recovery code: it answers every question for a second factor.
    public static func recoveryCode(_ code: String) -> StepAnswer {
        StepAnswer(StepResponse(recoveryCode: Secret(code)))
    }

    /// The answer to a challenge.
    public static func challenge(_ answer: String) -> StepAnswer { StepAnswer(StepResponse(answer: Secret(answer))) }

    /// The mailbox that is to be the second factor.
    public static func email(_ address: String) -> StepAnswer { StepAnswer(StepResponse(email: address)) }

    /// The number that is to be the second factor, in international form.
    public static func phone(_ number: String) -> StepAnswer { StepAnswer(StepResponse(phone: number)) }

    /// The system's answer to the options of a passkey, as WebAuthn JSON.
    ///
    /// - Parameters:
    ///   - credential: `PublicKeyCredential.toJSON()` in the words of WebAuthn.
    ///   - name: the user's name for a new passkey.
    public static func passkey(_ credential: JSONValue, name: String? = nil) -> StepAnswer {
        StepAnswer(StepResponse(credential: credential, name: name))
    }

    /// Declines a link: a separate account without the address.
    public static var createAccount: StepAnswer { StepAnswer(StepResponse(createAccount: true)) }

    /// The seconds of a ``Step/waitForPasswordReset(_:)`` step are over.
    public static var waited: StepAnswer { StepAnswer(StepResponse()) }

    init(_ response: StepResponse) { self.response = response }
}

/// The answer to a step, as the API names its members.
struct StepResponse: Encodable, Sendable {
    var code: Secret?
    var password: Secret?
    var forgotPassword: Bool?
    var newPassword: Secret?
    var credential: JSONValue?
    var factor: String?
    var recoveryCode: Secret?
    var answer: Secret?
    var email: String?
    var phone: String?
    var attributes: [String: String]?
    var name: String?
    var rememberDevice: Bool?
    var createAccount: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case code, password, credential, factor, answer, email, phone, attributes, name
        case forgotPassword = "forgot_password"
        case newPassword = "new_password"
        case recoveryCode = "recovery_code"
        case rememberDevice = "remember_device"
        case createAccount = "create_account"
    }
}
