import JSON

/// What has to be known to go on with a sign-in, at whichever server.
struct CognitoFlow: Equatable, Sendable {
    /// What was asked for last: Cognito's challenges by their own names, and those that are made of other operations.
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
    /// As it was typed until Cognito says what the user is really called.
    var username: String
    var session: String?
    /// Which of Cognito's challenges a password answers; nil: it begins anew with it.
    var passwordChallenge: String?
    /// What was offered, or which attributes are asked for, in Cognito's words.
    var choices: [String] = []
    /// Whether the code takes the password's place, so that asking for another needs no password.
    var isFirstFactor = false

    init(_ step: Step, username: String, session: String? = nil) {
        (self.step, self.username, self.session) = (step, username, session)
    }

    /// Nil for another pool's or client's flow: its session means nothing here.
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
