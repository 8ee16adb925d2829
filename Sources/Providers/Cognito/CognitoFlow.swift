import JSON

/// The state with which any server can continue a sign-in.
struct CognitoFlow: Equatable, Sendable {
    /// The last step: Cognito's challenges by their own names, and steps made of other operations.
    enum Step: String, Sendable, CaseIterable {
        case password
        case selectChallenge = "SELECT_CHALLENGE"
        case smsMFA = "SMS_MFA"
        case emailOTP = "EMAIL_OTP"
        case smsOTP = "SMS_OTP"
        case softwareToken = "SOFTWARE_TOKEN_MFA"
        case selectMFA = "SELECT_MFA_TYPE"
        case newPassword = "NEW_PASSWORD_REQUIRED"
        case custom = "CUSTOM_CHALLENGE"
        case passkey = "WEB_AUTHN"
        case selectSetup = "select_setup"
        case softwareTokenSetup = "software_token_setup"
        case emailSetup = "email_setup"
        case resetPassword = "reset_password"
        case confirmSignUp = "confirm_sign_up"
    }

    var step: Step
    /// The typed name, until Cognito gives the user's real name.
    var username: String
    var session: String?
    /// The Cognito challenge that a password answers; nil when it starts again.
    var passwordChallenge: String?
    /// The offered choices or the requested attributes, in Cognito's words.
    var choices: [String] = []
    /// Whether the code replaces the password, so that a new code needs no password.
    var isFirstFactor = false

    init(_ step: Step, username: String, session: String? = nil) {
        (self.step, self.username, self.session) = (step, username, session)
    }

    /// Nil for a flow of another pool or client: its session is invalid here.
    init?(_ state: JSON, pool: String, clientID: String) {
        guard state["pool"]?.string?.hasSameBytes(as: pool) == true,
            state["client"]?.string?.hasSameBytes(as: clientID) == true,
            let step = state["step"]?.string.flatMap(Step.init(rawValue:)), let username = state["username"]?.string
        else { return nil }
        self.init(step, username: username, session: state["session"]?.string)
        passwordChallenge = state["password_challenge"]?.string
        choices = state["choices"]?.array?.compactMap(\.string) ?? []
        isFirstFactor = state["first_factor"]?.bool ?? false
    }

    func state(pool: String, clientID: String) -> JSON {
        var state: JSONObject = [
            "pool": .string(pool), "client": .string(clientID), "step": .string(step.rawValue),
            "username": .string(username),
        ]
        if let session { state["session"] = .string(session) }
        if let passwordChallenge { state["password_challenge"] = .string(passwordChallenge) }
        if !choices.isEmpty { state["choices"] = .array(choices.map(JSON.string)) }
        if isFirstFactor { state["first_factor"] = true }
        return .object(state)
    }
}
