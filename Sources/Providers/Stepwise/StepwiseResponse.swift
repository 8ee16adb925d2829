package import Cryptography
package import JSON

/// A user's untrusted answer to a step.
package enum StepwiseResponse: Sendable, Equatable {
    /// A code by mail or SMS, from an authenticator app, or from a sign-up.
    case code(String)
    case password(Secret)
    /// Instead of a password: the user requests a new one, and the provider sends a code.
    case passwordForgotten
    case newPassword(Secret, attributes: [String: String])
    case attributes([String: String])
    case resetPassword(code: String, newPassword: Secret)
    /// The answer to a step that only waits.
    case waited
    /// The answer to a custom challenge.
    case answer(String)
    /// The ``SignInMethod/id`` of one of the offered methods.
    case choice(String)
    /// An address or number for codes.
    case contact(String)
    /// The JSON form of the result of WebAuthn's `navigator.credentials.get`.
    case credential(JSONObject)
}
