/// The operations of native authentication: the raw value is the path below the tenant's.
enum NativeOperation: String, Sendable, CaseIterable {
    case initiate = "oauth2/v2.0/initiate"
    case challenge = "oauth2/v2.0/challenge"
    case introspect = "oauth2/v2.0/introspect"
    case token = "oauth2/v2.0/token"
    case signUpStart = "signup/v1.0/start"
    case signUpChallenge = "signup/v1.0/challenge"
    case signUpContinue = "signup/v1.0/continue"
    case resetStart = "resetpassword/v1.0/start"
    case resetChallenge = "resetpassword/v1.0/challenge"
    case resetContinue = "resetpassword/v1.0/continue"
    case resetSubmit = "resetpassword/v1.0/submit"
    case resetPoll = "resetpassword/v1.0/poll_completion"
    case registerIntrospect = "register/v1.0/introspect"
    case registerChallenge = "register/v1.0/challenge"
    case registerContinue = "register/v1.0/continue"

    /// Required in addition to `client_id`.
    var required: Set<String> {
        switch self {
        case .initiate, .signUpStart, .resetStart: ["username", "challenge_type"]
        case .challenge, .introspect, .registerIntrospect, .resetPoll: ["continuation_token"]
        case .signUpChallenge, .resetChallenge: ["continuation_token"]
        case .token: ["continuation_token", "grant_type", "scope"]
        case .signUpContinue, .registerContinue: ["continuation_token", "grant_type"]
        case .resetContinue: ["continuation_token", "grant_type", "oob"]
        case .resetSubmit: ["continuation_token", "new_password"]
        case .registerChallenge: ["continuation_token", "challenge_type", "challenge_target"]
        }
    }

    var optional: Set<String> {
        switch self {
        case .initiate, .resetStart: ["capabilities", "capability"]
        case .signUpStart: ["capabilities", "capability", "password", "attributes"]
        case .challenge: ["challenge_type", "id", "challenge_channel"]
        case .signUpChallenge, .resetChallenge: ["challenge_type"]
        case .token: ["password", "oob", "username", "challenge_type", "client_info", "claims"]
        case .signUpContinue: ["oob", "password", "attributes"]
        case .registerContinue: ["oob"]
        case .registerChallenge: ["challenge_channel"]
        case .introspect, .registerIntrospect, .resetContinue, .resetSubmit, .resetPoll: []
        }
    }

    /// Whether the error word for an invalid continuation token is `invalid_grant` here.
    var refusesTokensAsGrants: Bool {
        [.challenge, .signUpChallenge, .token].contains(self)
    }
}
