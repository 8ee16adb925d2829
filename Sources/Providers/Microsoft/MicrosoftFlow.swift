import JSON

/// The state with which any server can continue a sign-in.
struct MicrosoftFlow: Equatable, Sendable {
    /// The last step.
    enum Step: String, Sendable {
        /// Before the first step, when a refusal ends the sign-in; never stored between two calls.
        case beginning
        case password
        /// A code that replaces the password.
        case code
        case selectMethod = "select_method"
        case secondFactor = "second_factor"
        case selectSetUp = "select_set_up"
        case setUpContact = "set_up_contact"
        case setUpCode = "set_up_code"
        case signUpCode = "sign_up_code"
        case signUpPassword = "sign_up_password"
        case signUpAttributes = "sign_up_attributes"
        case resetPassword = "reset_password"
        /// No question: a new password is not yet effective.
        case passwordChange = "password_change"
    }

    var step: Step
    /// The typed name.
    let username: String
    /// The API's continuation token, which alone suffices to continue.
    var token = ""
    /// The offered methods.
    var methods: [MicrosoftMethod] = []
    /// The method that receives codes.
    var method: MicrosoftMethod?
    /// The address or number to register.
    var contact: String?
    /// The requested attributes.
    var attributes: [String] = []
    /// Whether the code of a reset was right: only the new password is missing.
    var isCodeTaken = false
    /// Seconds between two polls for a new password.
    var pollInterval = 2
    /// The end of polling, in seconds since 1970.
    var waitsUntil = 0

    init(_ step: Step, username: String, token: String = "") {
        (self.step, self.username, self.token) = (step, username, token)
    }

    /// Nil for a flow of another tenant or client: its token is invalid here.
    init?(_ state: JSON, tenant: String, clientID: String) {
        guard state["tenant"]?.string?.hasSameBytes(as: tenant) == true,
            state["client"]?.string?.hasSameBytes(as: clientID) == true,
            let step = state["step"]?.string.flatMap(Step.init(rawValue:)), step != .beginning,
            let username = state["username"]?.string, let token = state["token"]?.string
        else { return nil }
        self.init(step, username: username, token: token)
        methods = (state["methods"]?.array ?? []).compactMap { MicrosoftMethod($0) }
        method = state["method"].flatMap { MicrosoftMethod($0) }
        contact = state["contact"]?.string
        attributes = (state["attributes"]?.array ?? []).compactMap(\.string)
        isCodeTaken = state["code_taken"]?.bool ?? false
        pollInterval = state["poll_interval"]?.integer ?? pollInterval
        waitsUntil = state["waits_until"]?.integer ?? waitsUntil
    }

    func state(tenant: String, clientID: String) -> JSON {
        var state: JSONObject = [
            "tenant": .string(tenant), "client": .string(clientID), "step": .string(step.rawValue),
            "username": .string(username), "token": .string(token),
        ]
        if !methods.isEmpty { state["methods"] = .array(methods.map(\.state)) }
        if let method { state["method"] = method.state }
        if let contact { state["contact"] = .string(contact) }
        if !attributes.isEmpty { state["attributes"] = .array(attributes.map(JSON.string)) }
        if isCodeTaken { state["code_taken"] = true }
        if step == .passwordChange {
            state["poll_interval"] = .integer(pollInterval)
            state["waits_until"] = .integer(waitsUntil)
        }
        return .object(state)
    }

    /// The same sign-in at another step, with the new token of an answer if it has one.
    func next(_ step: Step, _ members: MicrosoftMembers) -> MicrosoftFlow {
        var next = self
        next.step = step
        if let token = members.token { next.token = token }
        return next
    }
}
