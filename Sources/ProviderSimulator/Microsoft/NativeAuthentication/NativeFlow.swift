import FoundationEssentials

/// One step of somebody's way through native authentication, by its continuation token.
struct NativeFlow: Sendable {
    enum Step: Sendable, Equatable {
        case initiated, password
        case code
        /// A second factor is demanded.
        case secondFactor
        case secondFactorCode(NativeUser.Method)
        case registration
        case registrationCode(NativeUser.Method)
        /// The target was proved in the sign-up just before.
        case preverified(NativeUser.Method)
        case signUp, signUpCode, signUpPasswordDemanded, signUpPassword, signUpAttributes
        case reset, resetCode, newPassword, resetPoll
        /// Only the tokens are to be fetched.
        case done
    }

    var token: String
    let client: String
    let tenant: String
    let username: String
    /// Of the app, as it said at the beginning.
    let capabilities: Set<String>
    var challengeTypes: Set<String>
    var step: Step
    var expires: Date
    var failures = 0
    /// What a sign-up has gathered.
    var password: String?
    var attributes: [String: String] = [:]
    /// Whether the second factor was met in this flow.
    var isStrong = false
    /// Whether this flow signed the person up.
    var isSignUp = false
    var polls = 0
}
