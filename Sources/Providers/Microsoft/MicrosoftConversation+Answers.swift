import Cryptography

extension MicrosoftConversation {
    func answer(_ response: StepwiseResponse, in flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        switch (flow.step, response) {
        case (.password, .password(let password)):
            try MicrosoftInput.check(password: password)
            return try await enter(password, flow)
        case (.password, .passwordForgotten): return try await startReset(of: flow.username)
        case (.code, .code(let code)), (.secondFactor, .code(let code)), (.setUpCode, .code(let code)),
            (.signUpCode, .code(let code)):
            return try await answer(flow, code: code)
        case (.selectMethod, .choice(let id)):
            guard let method = MicrosoftMethod.chosen(id, of: flow.methods) else { return again(.methodRejected, flow) }
            return try await challenge(method, flow)
        case (.selectSetUp, .choice(let id)):
            guard let method = MicrosoftMethod.chosen(id, of: flow.methods) else { return again(.methodRejected, flow) }
            return askContact(method, flow)
        case (.setUpContact, .contact(let contact)): return try await register(contact, flow)
        case (.signUpPassword, .newPassword(let password, let attributes)):
            guard attributes.isEmpty else {
                throw .invalidRequest(member: "attributes", reason: "not_those_asked_for")
            }
            if let fault = MicrosoftInput.fault(of: password) { return again(.passwordRejected([fault]), flow) }
            return try await continueSignUp(flow, "password", password.revealedText)
        case (.signUpAttributes, .attributes(let attributes)): return try await give(attributes, flow)
        case (.resetPassword, .resetPassword(let code, let password)):
            return try await reset(flow, code: code, password: password)
        case (.resetPassword, .newPassword(let password, _)) where flow.isCodeTaken:
            return try await submitAnew(password, flow)
        case (.passwordChange, .waited): return try await askAgain(flow)
        default: throw .invalidRequest(member: flow.step.member, reason: "missing")
        }
    }

    private func answer(_ flow: MicrosoftFlow, code: String) async throws(ProviderError) -> StepwiseAnswer {
        guard MicrosoftInput.isCode(code) else { return again(.codeWrong, flow) }
        return switch flow.step {
        case .setUpCode: try await finishRegistration(flow, [("grant_type", "oob"), ("oob", code)])
        case .signUpCode: try await continueSignUp(flow, "oob", code)
        default: try await buy(flow.step == .secondFactor ? "mfa_oob" : "oob", in: flow, [("oob", code)])
        }
    }

    /// Sends a new code, which makes the earlier code invalid.
    func resend(_ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        switch flow.step {
        case .code: return try await challenge(flow)
        case .signUpCode: return try await challengeSignUp(flow)
        case .resetPassword where !flow.isCodeTaken: return try await challengeReset(flow)
        case .secondFactor:
            guard let method = flow.method else { return again(.cannotResend, flow) }
            return try await challenge(method, flow)
        case .setUpCode:
            guard let contact = flow.contact else { return again(.cannotResend, flow) }
            return try await register(contact, flow)
        default: return again(.cannotResend, flow)
        }
    }
}

extension MicrosoftFlow.Step {
    /// The member of an answer that the step expects, for refusals.
    fileprivate var member: String {
        switch self {
        case .beginning, .password: "password"
        case .code, .secondFactor, .setUpCode, .signUpCode: "code"
        case .selectMethod, .selectSetUp: "choice"
        case .setUpContact: "contact"
        case .signUpPassword, .resetPassword: "new_password"
        case .signUpAttributes: "attributes"
        case .passwordChange: "response"
        }
    }
}
