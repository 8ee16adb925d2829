extension MicrosoftConversation {
    /// Lists the second factors; the user chooses among several.
    func askSecondFactor(_ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        try await settle(call(.introspect, in: flow), in: flow) { members throws(ProviderError) in
            var next = flow.next(.selectMethod, members)
            next.methods = members.objects("methods").compactMap { MicrosoftMethod($0) }
            guard next.methods.count == 1 else { return offer(next, as: ProviderStep.mfaSelection) }
            return try await challenge(next.methods[0], next)
        }
    }

    /// Sends a code by the method, where Microsoft sends to it.
    func challenge(
        _ method: MicrosoftMethod, _ flow: MicrosoftFlow
    ) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await call(
            .challenge, in: flow, [("challenge_type", Self.challengeTypes), ("id", method.id)])
        if case .refused(let refusal) = reply, refusal.meaning == .contactBlocked {
            return blocked(refusal, flow)
        }
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            guard members.text("challenge_type") == "oob" else { throw malformed() }
            var next = flow.next(.secondFactor, members)
            next.method = method
            return askCode(delivery(members, method.channel), next)
        }
    }

    /// Offers the methods again, because another one may be open.
    private func blocked(_ refusal: MicrosoftRefusal, _ flow: MicrosoftFlow) -> StepwiseAnswer {
        guard flow.methods.count > 1 else { return .ended(.noMethod) }
        var flow = flow
        if let token = refusal.token { flow.token = token }
        guard flow.step == .secondFactor else { return again(.methodRejected, flow) }
        flow.step = .selectMethod
        return offer(flow, as: ProviderStep.mfaSelection)
    }

    private func offer(_ flow: MicrosoftFlow, as asking: ([SignInMethod]) -> ProviderStep) -> StepwiseAnswer {
        guard !flow.methods.isEmpty else { return .ended(.noMethod) }
        return step(asking(MicrosoftMethod.offered(flow.methods)), flow)
    }

    private func askCode(_ delivery: CodeDelivery, _ flow: MicrosoftFlow) -> StepwiseAnswer {
        step(delivery.medium == .sms ? .smsCode(delivery) : .otp(delivery), flow)
    }

    // MARK: Registration of a required method

    func askRegistration(_ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        try await settle(call(.registerIntrospect, in: flow), in: flow) { members throws(ProviderError) in
            var next = flow.next(.selectSetUp, members)
            next.methods = members.objects("methods").compactMap { MicrosoftMethod($0) }
            guard next.methods.count == 1 else { return offer(next, as: ProviderStep.mfaSetupSelection) }
            return askContact(next.methods[0], next)
        }
    }

    func askContact(_ method: MicrosoftMethod, _ flow: MicrosoftFlow) -> StepwiseAnswer {
        var next = flow
        (next.step, next.method) = (.setUpContact, method)
        return step(.contactSetup(method.channel, hint: method.hint), next)
    }

    /// Sends a code to the contact to register; a contact that the sign-up just proved needs none.
    func register(_ contact: String, _ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        guard let method = flow.method else { return .ended(.expired) }
        guard MicrosoftInput.isContact(contact, method.channel) else { return again(.contactRejected, flow) }
        let reply = try await call(
            .registerChallenge, in: flow,
            [
                ("challenge_type", "oob"), ("challenge_target", contact),
                ("challenge_channel", method.channel.rawValue),
            ])
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            var next = flow.next(.setUpCode, members)
            next.contact = contact
            switch members.text("challenge_type") {
            case "oob": return askCode(delivery(members, method.channel), next)
            case "preverified": return try await finishRegistration(next, [("grant_type", "continuation_token")])
            default: throw malformed()
            }
        }
    }

    func finishRegistration(
        _ flow: MicrosoftFlow, _ fields: MicrosoftAPI.Fields
    ) async throws(ProviderError) -> StepwiseAnswer {
        try await settle(call(.registerContinue, in: flow, fields), in: flow) { members throws(ProviderError) in
            try await buyAfterwards(flow.next(flow.step, members))
        }
    }
}
