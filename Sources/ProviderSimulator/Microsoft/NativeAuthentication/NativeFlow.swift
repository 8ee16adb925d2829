import FoundationEssentials

/// One step of a native authentication flow, by its continuation token.
struct NativeFlow: Sendable {
    enum Step: Sendable, Equatable {
        case initiated, password
        case code
        /// A second factor is required.
        case secondFactor
        case secondFactorCode(NativeUser.Method)
        case registration
        case registrationCode(NativeUser.Method)
        /// The preceding sign-up proved the target.
        case preverified(NativeUser.Method)
        case signUp, signUpCode, signUpPasswordDemanded, signUpPassword, signUpAttributes
        case reset, resetCode, newPassword, resetPoll
        /// Only the tokens remain to be requested.
        case done
    }

    var token: String
    let client: String
    let tenant: String
    let username: String
    /// The app's capabilities from the beginning of the flow.
    let capabilities: Set<String>
    var challengeTypes: Set<String>
    var step: Step
    var expires: Date
    var failures = 0
    /// The password of a sign-up.
    var password: String?
    var attributes: [String: String] = [:]
    /// Whether this flow proved the second factor.
    var isStrong = false
    /// Whether this flow created the user.
    var isSignUp = false
    var polls = 0
}
