import Cryptography
import JSON

extension MicrosoftConversation {
    private static let longestPoll = Duration.seconds(60)

    /// Begins a reset, asked for by the person or demanded by the tenant, and has its code sent.
    func startReset(of username: String) async throws(ProviderError) -> StepwiseAnswer {
        let beginning = MicrosoftFlow(.beginning, username: username)
        let reply = try await call(
            .resetStart,
            [("username", username), ("challenge_type", Self.challengeTypes), ("capabilities", Self.capabilities)])
        return try await settle(reply, in: beginning) { members throws(ProviderError) in
            try await challengeReset(beginning.next(.beginning, members))
        }
    }

    func challengeReset(_ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await call(.resetChallenge, in: flow, [("challenge_type", Self.challengeTypes)])
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            guard members.text("challenge_type") == "oob" else { throw malformed() }
            return step(.resetPassword(delivery(members)), flow.next(.resetPassword, members))
        }
    }

    /// Brings the code, once, and the new password; then signs in.
    func reset(
        _ flow: MicrosoftFlow, code: String, password: Secret
    ) async throws(ProviderError) -> StepwiseAnswer {
        if let fault = MicrosoftInput.fault(of: password) { return again(.passwordRejected([fault]), flow) }
        guard !flow.isCodeTaken else { return try await submit(password, flow, mayRepeat: true) }
        guard MicrosoftInput.isCode(code) else { return again(.codeWrong, flow) }
        let reply = try await call(.resetContinue, in: flow, [("grant_type", "oob"), ("oob", code)])
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            var next = flow.next(.resetPassword, members)
            next.isCodeTaken = true
            return try await submit(password, next, mayRepeat: true)
        }
    }

    private func submit(
        _ password: Secret, _ flow: MicrosoftFlow, mayRepeat: Bool
    ) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await call(.resetSubmit, in: flow, [("new_password", password.revealedText)])
        if case .refused(let refusal) = reply, refusal.meaning == .parameter {
            return again(.passwordRejected([.malformed]), flow)
        }
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            let seconds = members.number("poll_interval") ?? 2
            return try await poll(
                flow.next(.resetPassword, members), every: .seconds((1...15).contains(seconds) ? seconds : 2), password,
                mayRepeat: mayRepeat)
        }
    }

    /// Waits until the new password counts, a minute at most; a failure is tried once more.
    private func poll(
        _ flow: MicrosoftFlow, every interval: Duration, _ password: Secret, mayRepeat: Bool
    ) async throws(ProviderError) -> StepwiseAnswer {
        var flow = flow
        var waited = Duration.zero
        while true {
            let reply = try await call(
                .resetPoll, [("continuation_token", flow.token)], by: provider.upstream.deadline())
            guard case .success(let members) = reply else {
                return try await settle(reply, in: flow) { _ throws(ProviderError) in throw malformed() }
            }
            flow = flow.next(.resetPassword, members)
            switch members.text("status") {
            case "succeeded": return try await later.buyAfterwards(flow)
            case "failed" where mayRepeat: return try await later.submit(password, flow, mayRepeat: false)
            case "failed": throw provider.upstream.failure("password_change_failed")
            case "in_progress", "not_started": break
            default: throw malformed()
            }
            guard waited + interval <= Self.longestPoll else { throw provider.upstream.failure("upstream_timeout") }
            waited += interval
            do { try await provider.pause(interval) } catch { throw provider.upstream.failure("cancelled") }
        }
    }

    /// The same conversation with the time for calls counted anew: waiting used the old one up.
    private var later: MicrosoftConversation {
        MicrosoftConversation(
            provider: provider, native: native, context: context, deadline: provider.upstream.deadline())
    }
}
