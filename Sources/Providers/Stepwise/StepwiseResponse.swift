package import Cryptography
package import JSON

/// What a person says to a step; believed in nothing.
package enum StepwiseResponse: Sendable, Equatable {
    /// For a code by mail or SMS, of an authenticator app, or of a sign-up.
    case code(String)
    case password(Secret)
    /// In a password's place: the person wants a new one, and the provider sends a code.
    case passwordForgotten
    case newPassword(Secret, attributes: [String: String])
    case attributes([String: String])
    case resetPassword(code: String, newPassword: Secret)
    /// Nothing but patience.
    case waited
    /// To a custom challenge.
    case answer(String)
    /// The ``SignInMethod/id`` of one of the methods that were offered.
    case choice(String)
    /// An address or number for codes.
    case contact(String)
    /// The JSON form of what WebAuthn's `navigator.credentials.get` gave.
    case credential(JSONObject)
}
