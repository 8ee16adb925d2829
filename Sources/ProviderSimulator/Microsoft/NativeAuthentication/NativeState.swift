import FoundationEssentials
import JSON

/// Users and pending flows of all simulated external tenants.
struct NativeState: Sendable {
    /// Makes the tokens of a signed-in user: user, client, scope, time.
    typealias Mint = (NativeUser, String, String, Date) throws -> JSONObject

    private var users: [NativeUser] = []
    private var flows: [String: NativeFlow] = [:]
    private var webClients: Set<String> = []

    static let redirect: JSONObject = ["challenge_type": "redirect"]
    private static let mostFailures = 5

    mutating func setNative(_ isNative: Bool, client: String) {
        if isNative { webClients.remove(client) } else { webClients.insert(client) }
    }

    func user(_ name: String, _ tenant: String) -> NativeUser? { users.first { $0.isNamed(name, in: tenant) } }

    func user(of flow: NativeFlow) -> NativeUser {
        user(flow.username, flow.tenant) ?? Self.newcomer(flow.username, flow.tenant)
    }

    mutating func replace(_ user: NativeUser) {
        users.removeAll { $0.isNamed(user.username, in: user.tenant) }
        users.append(user)
    }

    static func newcomer(_ name: String, _ tenant: String) -> NativeUser {
        let person = Person(seed: name, subject: nil, email: "", name: "")
        var user = NativeUser(tenant: tenant, username: name, id: person.guid(for: "microsoft"))
        user.exists = false
        return user
    }

    mutating func answer(_ request: NativeRequest, mint: Mint) throws -> JSONObject {
        guard !webClients.contains(request.clientID) else {
            throw Refusal.native(
                "invalid_client", 7_000_218, "Native authentication is off for the application.",
                suberror: "nativeauthapi_disabled")
        }
        switch request.operation {
        case .initiate, .signUpStart, .resetStart: return try begin(request)
        default: break
        }
        let flow = try flow(request)
        if user(of: flow).redirects.contains(request.operation) { return Self.redirect }
        switch request.operation {
        case .initiate, .signUpStart, .resetStart: return [:]
        case .challenge: return try challenge(flow, request)
        case .introspect: return try introspect(flow, request)
        case .token: return try token(flow, request, mint: mint)
        case .signUpChallenge: return try challengeSignUp(flow, request)
        case .signUpContinue: return try continueSignUp(flow, request)
        case .resetChallenge: return try challengeReset(flow, request)
        case .resetContinue: return try continueReset(flow, request)
        case .resetSubmit: return try submitReset(flow, request)
        case .resetPoll: return try pollReset(flow, request)
        case .registerIntrospect: return try introspectRegistration(flow, request)
        case .registerChallenge: return try challengeRegistration(flow, request)
        case .registerContinue: return try continueRegistration(flow, request)
        }
    }

    // MARK: Continuation tokens

    private mutating func begin(_ request: NativeRequest) throws(Refusal) -> JSONObject {
        let known = user(request.username, request.tenant)
        if known?.redirects.contains(request.operation) == true { return Self.redirect }
        let step: NativeFlow.Step
        switch request.operation {
        case .signUpStart: step = .signUp
        case .resetStart: step = .reset
        default: step = .initiated
        }
        var flow = NativeFlow(
            token: "", client: request.clientID, tenant: request.tenant, username: request.username,
            capabilities: request.capabilities, challengeTypes: request.challengeTypes, step: step,
            expires: request.now)
        if step == .signUp {
            try beginSignUp(&flow, request, known)
        } else {
            guard let known, known.exists else { throw .unknownNativeUser }
            guard step == .initiated || known.password != nil else {
                throw .native("invalid_request", 500_222, "The account has no password.")
            }
        }
        return ["continuation_token": .string(advance(flow, to: step, at: request.now))]
    }

    /// The flow of a request: of this client, at this tenant, and not expired.
    private func flow(_ request: NativeRequest) throws(Refusal) -> NativeFlow {
        let token = request.form.value("continuation_token")
        guard let flow = flows[token], flow.client.hasSameBytes(as: request.clientID), flow.tenant == request.tenant
        else { throw .deadNativeToken(at: request.operation, "the continuation token is of nobody's, or was used") }
        guard request.now < flow.expires, flow.failures < Self.mostFailures else { throw .expiredNativeToken }
        if let name = request.form["username"], !user(of: flow).isNamed(name, in: flow.tenant) {
            throw .deadNativeToken(at: request.operation, "the continuation token is another user's")
        }
        return flow
    }

    func skipped(_ request: NativeRequest) -> Refusal {
        .deadNativeToken(at: request.operation, "the continuation token is of another step")
    }

    /// The next step, under a new token; the old token becomes invalid.
    mutating func advance(_ flow: NativeFlow, to step: NativeFlow.Step, at now: Date) -> String {
        flows[flow.token] = nil
        var next = flow
        (next.token, next.step, next.failures) = ("1.A" + RandomText.base64URL(48), step, 0)
        next.expires = now + Double(user(of: flow).life)
        flows[next.token] = next
        return next.token
    }

    /// The same step under the same token.
    mutating func keep(_ flow: NativeFlow) { flows[flow.token] = flow }
    mutating func end(_ flow: NativeFlow) { flows[flow.token] = nil }

    /// Counts a wrong secret: the token stays valid until there are too many.
    mutating func fail(_ flow: NativeFlow, _ refusal: Refusal) -> Refusal {
        flows[flow.token]?.failures += 1
        return refusal
    }

    // MARK: Codes

    /// Sends a code and returns the answer that reports it.
    mutating func send(
        _ purpose: String, _ flow: NativeFlow, to step: NativeFlow.Step, channel: String = "email",
        target: (name: String, value: String)? = nil, at now: Date
    ) -> JSONObject {
        var user = user(of: flow)
        _ = user.sendCode(for: purpose)
        replace(user)
        let target = target ?? ("challenge_target_label", NativeUser.masked(user.username))
        return [
            "continuation_token": .string(advance(flow, to: step, at: now)), "challenge_type": "oob",
            "binding_method": "prompt", "challenge_channel": .string(channel), target.name: .string(target.value),
            "code_length": 8, "interval": 60,
        ]
    }

    mutating func spend(_ code: String, for purpose: String, _ flow: NativeFlow) throws(Refusal) {
        var user = user(of: flow)
        guard let sent = user.codes[purpose], sent.hasSameBytes(as: code) else { throw fail(flow, .wrongNativeCode) }
        user.codes[purpose] = nil
        replace(user)
    }
}
