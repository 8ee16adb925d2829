import FoundationEssentials
import JSON

extension NativeState {
    mutating func introspectRegistration(
        _ flow: NativeFlow, _ request: NativeRequest
    ) throws(Refusal) -> JSONObject {
        guard flow.step == .registration else { throw skipped(request) }
        let user = user(of: flow)
        let methods = user.registration.map { channel -> JSON in
            var method: JSONObject = [
                "id": .string(channel), "challenge_type": "oob", "challenge_channel": .string(channel),
            ]
            if channel == "email" { method["login_hint"] = .string(user.username) }
            return .object(method)
        }
        return [
            "continuation_token": .string(advance(flow, to: .registration, at: request.now)),
            "methods": .array(methods),
        ]
    }

    mutating func challengeRegistration(
        _ flow: NativeFlow, _ request: NativeRequest
    ) throws(Refusal) -> JSONObject {
        switch flow.step {
        case .registration, .registrationCode: break
        default: throw skipped(request)
        }
        let user = user(of: flow)
        let target = request.form.value("challenge_target")
        let channel = request.form["challenge_channel"] ?? (target.contains("@") ? "email" : "sms")
        guard user.registration.contains(channel), Self.isTarget(target, channel) else {
            throw .native("invalid_request", 901_001, "The contact is not valid.")
        }
        guard !user.isBlocked else {
            throw .native("access_denied", 550_024, "The contact is blocked.", suberror: "provider_blocked_by_rep")
        }
        let method = NativeUser.Method(id: GUID.random(), channel: channel, target: target)
        guard !(flow.isSignUp && user.isNamed(target, in: flow.tenant)) else {
            return [
                "continuation_token": .string(advance(flow, to: .preverified(method), at: request.now)),
                "challenge_type": "preverified",
            ]
        }
        return send(
            "registration", flow, to: .registrationCode(method), channel: channel, target: ("challenge_target", target),
            at: request.now)
    }

    mutating func continueRegistration(
        _ flow: NativeFlow, _ request: NativeRequest
    ) throws(Refusal) -> JSONObject {
        let registered: NativeUser.Method
        switch (request.form.value("grant_type"), flow.step) {
        case ("oob", .registrationCode(let method)):
            try spend(request.demanded("oob"), for: "registration", flow)
            registered = method
        case ("continuation_token", .preverified(let method)): registered = method
        case ("oob", _), ("continuation_token", _): throw skipped(request)
        default: throw .emptyParameter("grant_type")
        }
        var user = user(of: flow)
        (user.methods, user.registration) = ([registered], [])
        replace(user)
        var next = flow
        next.isStrong = true
        return ["continuation_token": .string(advance(next, to: .done, at: request.now))]
    }

    private static func isTarget(_ target: String, _ channel: String) -> Bool {
        guard channel == "sms" else {
            let halves = target.split(separator: "@", omittingEmptySubsequences: false)
            return halves.count == 2 && !halves.contains("")
        }
        return target.hasPrefix("+") && target.dropFirst().allSatisfy(\.isNumber)
    }
}
