import FoundationEssentials
import JSON

extension NativeState {
    mutating func challenge(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        let user = user(of: flow)
        switch flow.step {
        case .initiated, .code, .password:
            let kind = user.password == nil ? "oob" : "password"
            let types = request.form["challenge_type"] == nil ? flow.challengeTypes : request.challengeTypes
            guard types.contains(kind) else { return Self.redirect }
            guard kind == "oob" else {
                return [
                    "continuation_token": .string(advance(flow, to: .password, at: request.now)),
                    "challenge_type": "password",
                ]
            }
            return send("sign_in", flow, to: .code, at: request.now)
        case .secondFactor, .secondFactorCode:
            let method = try chosen(request.form["id"], of: user)
            guard !user.isBlocked else {
                throw .native(
                    "access_denied", 550_024, "The contact is blocked.", suberror: "provider_blocked_by_rep")
            }
            return send(
                "second_factor", flow, to: .secondFactorCode(method), channel: method.channel,
                target: ("challenge_target_label", method.masked), at: request.now)
        default: throw skipped(request)
        }
    }

    private func chosen(_ id: String?, of user: NativeUser) throws(Refusal) -> NativeUser.Method {
        guard let id else {
            guard user.methods.count == 1 else {
                throw .native(
                    "invalid_request", 90_100, "A method has to be chosen.", suberror: "introspect_required")
            }
            return user.methods[0]
        }
        guard let method = user.methods.first(where: { $0.id.hasSameBytes(as: id) }) else {
            throw .emptyParameter("id")
        }
        return method
    }

    mutating func introspect(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        guard flow.step == .secondFactor else { throw skipped(request) }
        let methods = user(of: flow).methods.map { method -> JSON in
            [
                "id": .string(method.id), "challenge_type": "oob", "challenge_channel": .string(method.channel),
                "login_hint": .string(method.masked),
            ]
        }
        return [
            "continuation_token": .string(advance(flow, to: .secondFactor, at: request.now)),
            "methods": .array(methods),
        ]
    }

    // MARK: Tokens

    mutating func token(_ flow: NativeFlow, _ request: NativeRequest, mint: Mint) throws -> JSONObject {
        var flow = flow
        let scopes = request.form.value("scope").split(separator: " ")
        guard scopes.contains("openid") else {
            throw Refusal.native("invalid_scope", 70_011, "The scope lacks openid.")
        }
        switch (request.form.value("grant_type"), flow.step) {
        case ("password", .password): try enter(request.demanded("password"), flow)
        case ("oob", .code): try spend(request.demanded("oob"), for: "sign_in", flow)
        case ("mfa_oob", .secondFactorCode), ("oob", .secondFactorCode):
            try spend(request.demanded("oob"), for: "second_factor", flow)
            flow.isStrong = true
        case ("continuation_token", .done): _ = try request.demanded("username")
        case ("password", _), ("oob", _), ("mfa_oob", _), ("continuation_token", _): throw skipped(request)
        default: throw Refusal.native("unsupported_grant_type", 70_003, "The grant type is not supported.")
        }
        let isByCode = flow.step == .code
        if !isByCode, let interrupt = try interrupt(flow, request) { return interrupt }
        end(flow)
        return try mint(user(of: flow), flow.client, request.form.value("scope"), request.now)
    }

    private mutating func enter(_ password: String, _ flow: NativeFlow) throws(Refusal) {
        let user = user(of: flow)
        guard user.password.map(password.hasSameBytes) == true else { throw fail(flow, .wrongNativePassword) }
        guard !user.mustReset else {
            throw .native("invalid_request", 50_142, "Password change is required due to a conditional access policy.")
        }
    }

    /// The refusal between a right first factor and the tokens, or the browser if the app cannot continue.
    private mutating func interrupt(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject? {
        let user = user(of: flow)
        guard !flow.isStrong, !user.methods.isEmpty || !user.registration.isEmpty else { return nil }
        let isRegistration = user.methods.isEmpty
        let word = isRegistration ? "registration_required" : "mfa_required"
        guard flow.capabilities.contains(word) else {
            end(flow)
            return Self.redirect
        }
        let token = advance(flow, to: isRegistration ? .registration : .secondFactor, at: request.now)
        throw .native(
            "invalid_grant", isRegistration ? 50_079 : 50_076, "More is needed to sign in.", suberror: word,
            ["continuation_token": .string(token)])
    }
}
