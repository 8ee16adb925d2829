import FoundationEssentials
import JSON

extension NativeState {
    mutating func challengeReset(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        guard flow.step == .reset || flow.step == .resetCode else { throw skipped(request) }
        return send("reset_password", flow, to: .resetCode, at: request.now)
    }

    mutating func continueReset(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        guard flow.step == .resetCode else { throw skipped(request) }
        guard request.form["grant_type"] == "oob" else { throw .emptyParameter("grant_type") }
        try spend(request.form.value("oob"), for: "reset_password", flow)
        return [
            "continuation_token": .string(advance(flow, to: .newPassword, at: request.now)),
            "expires_in": .integer(min(600, user(of: flow).life)),
        ]
    }

    mutating func submitReset(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        guard flow.step == .newPassword else { throw skipped(request) }
        var user = user(of: flow)
        let password = request.form.value("new_password")
        try user.check(password: password)
        var next = flow
        next.polls = user.polls
        if user.resetFailures == 0 { (user.password, user.mustReset) = (password, false) }
        replace(user)
        return ["continuation_token": .string(advance(next, to: .resetPoll, at: request.now)), "poll_interval": 1]
    }

    /// Keeps the token while the client polls, until the password is effective.
    mutating func pollReset(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        guard flow.step == .resetPoll else { throw skipped(request) }
        guard flow.polls == 0 else {
            var waiting = flow
            waiting.polls -= 1
            keep(waiting)
            return ["status": "in_progress", "continuation_token": .string(flow.token)]
        }
        var user = user(of: flow)
        guard user.resetFailures == 0 else {
            user.resetFailures -= 1
            replace(user)
            return [
                "status": "failed", "continuation_token": .string(advance(flow, to: .newPassword, at: request.now)),
            ]
        }
        return ["status": "succeeded", "continuation_token": .string(advance(flow, to: .done, at: request.now))]
    }
}
