import Cryptography

extension MicrosoftConversation {
    /// Begins a reset, requested by the user or required by the tenant, and sends its code.
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

    /// Submits the code once and the new password, then signs in.
    func reset(
        _ flow: MicrosoftFlow, code: String, password: Secret
    ) async throws(ProviderError) -> StepwiseAnswer {
        guard !flow.isCodeTaken else { return try await submitAnew(password, flow) }
        if let fault = MicrosoftInput.fault(of: password) { return again(.passwordRejected([fault]), flow) }
        guard MicrosoftInput.isCode(code) else { return again(.codeWrong, flow) }
        let reply = try await call(.resetContinue, in: flow, [("grant_type", "oob"), ("oob", code)])
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            var next = flow.next(.resetPassword, members)
            next.isCodeTaken = true
            return try await submit(password, next, mayRepeat: true)
        }
    }

    /// Submits another password, after a refusal or a failed change.
    func submitAnew(_ password: Secret, _ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        if let fault = MicrosoftInput.fault(of: password) { return again(.passwordRejected([fault]), flow) }
        return try await submit(password, flow, mayRepeat: true)
    }

    func submit(
        _ password: Secret, _ flow: MicrosoftFlow, mayRepeat: Bool
    ) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await call(.resetSubmit, in: flow, [("new_password", password.revealedText)])
        if case .refused(let refusal) = reply, refusal.meaning == .parameter {
            return again(.passwordRejected([.malformed]), flow)
        }
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            let seconds = members.number("poll_interval") ?? 2
            var next = flow.next(.passwordChange, members)
            next.pollInterval = (1...15).contains(seconds) ? seconds : 2
            next.waitsUntil = second + Self.longestChange
            return try await later.poll(next, password, mayRepeat: mayRepeat)
        }
    }
}
