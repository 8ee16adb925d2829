import Cryptography

extension MicrosoftConversation {
    /// Begins a sign-in; it drops a password that the tenant does not accept.
    func start(_ username: String, _ password: Secret?) async throws(ProviderError) -> StepwiseAnswer {
        let beginning = MicrosoftFlow(.beginning, username: username)
        let reply = try await call(
            .initiate,
            [
                ("username", username), ("challenge_type", Self.challengeTypes), ("capabilities", Self.capabilities),
            ])
        if case .refused(let refusal) = reply {
            switch refusal.meaning {
            case .userUnknown where native.allowsSignUp && !context.mustTakePassword:
                return try await startSignUp(username, password)
            // The user chose only the name.
            case .parameter: throw .invalidRequest(member: "username", reason: "malformed")
            default: break
            }
        }
        return try await settle(reply, in: beginning) { members throws(ProviderError) in
            try await challenge(beginning.next(.beginning, members), password)
        }
    }

    /// Asks for the first challenge of the sign-in, and sends its code if it has one.
    func challenge(_ flow: MicrosoftFlow, _ password: Secret? = nil) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await call(.challenge, in: flow, [("challenge_type", Self.challengeTypes)])
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            switch members.text("challenge_type") {
            case "oob" where context.mustTakePassword: return .ended(.credentialsWrong)
            case "oob": return step(.otp(delivery(members)), flow.next(.code, members))
            case "password":
                guard let password else { return step(.password, flow.next(.password, members)) }
                return try await enter(password, flow.next(flow.step, members))
            default: throw malformed()
            }
        }
    }

    func enter(_ password: Secret, _ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        try await buy("password", in: flow, [("username", flow.username), ("password", password.revealedText)])
    }

    /// The destination of a code.
    func delivery(_ members: MicrosoftMembers, _ usual: CodeDelivery.Medium = .email) -> CodeDelivery {
        let target = members.text("challenge_target_label") ?? members.text("challenge_target")
        return CodeDelivery(
            medium: members.text("challenge_channel").flatMap(MicrosoftMethod.channel) ?? usual,
            destination: target.map(MicrosoftMethod.masked) ?? "",
            codeLength: members.number("code_length").flatMap { (1...64).contains($0) ? $0 : nil } ?? 8,
            resendAfter: members.number("interval").flatMap { (0...3_600).contains($0) ? $0 : nil } ?? 60)
    }

    // MARK: Refusals

    /// The result of a refusal that no other rule handles.
    func refused(_ refusal: MicrosoftRefusal, in flow: MicrosoftFlow) throws(ProviderError) -> StepwiseAnswer {
        var flow = flow
        if let token = refusal.token { flow.token = token }
        switch refusal.meaning {
        case .end(let end): return .ended(end)
        case .credentials, .userUnknown:
            return flow.step == .password ? again(.passwordWrong, flow) : .ended(.credentialsWrong)
        case .refusal(let refusal):
            guard flow.step != .beginning else { throw malformed() }
            return again(refusal, flow)
        case .contactBlocked: return again(.contactRejected, flow)
        case .parameter:
            guard let refusal = Self.refusal(at: flow.step) else { throw misconfigured("request_refused") }
            return again(refusal, flow)
        case .noPassword: return .ended(.noMethod)
        case .browser: return try inBrowser()
        case .unavailable(let reason): throw provider.upstream.failure(reason)
        case .misconfigured(let reason): throw misconfigured(reason)
        case .secondFactorRequired, .registrationRequired, .resetRequired, .passwordRequired, .attributesRequired:
            throw malformed()
        }
    }

    /// The meaning of a refused parameter that the user chose.
    private static func refusal(at step: MicrosoftFlow.Step) -> StepRefusal? {
        switch step {
        case .code, .secondFactor, .setUpCode, .signUpCode: .codeWrong
        case .signUpPassword: .passwordRejected([.malformed])
        case .resetPassword: .codeWrong
        case .signUpAttributes: .attributesRejected([])
        case .setUpContact: .contactRejected
        case .password: .passwordWrong
        case .beginning, .selectMethod, .selectSetUp, .passwordChange: nil
        }
    }

    func misconfigured(_ reason: String) -> ProviderError {
        provider.upstream.health.failed(reason)
        return .misconfigured(reason: reason)
    }
}
