import Cryptography
import JSON

extension CognitoConversation {
    func answer(_ response: StepwiseResponse, in flow: CognitoFlow) async throws(ProviderError) -> StepwiseAnswer {
        switch (flow.step, response) {
        case (.password, .password(let password)):
            try CognitoInput.check(password: password)
            return try await answer(flow, password: password)
        case (.smsMFA, .code(let code)), (.emailOTP, .code(let code)), (.smsOTP, .code(let code)),
            (.softwareToken, .code(let code)):
            return try await answer(flow, code: code)
        case (.newPassword, .newPassword(let password, let attributes)):
            return try await answer(flow, newPassword: password, attributes)
        case (.custom, .answer(let text)):
            guard (1...2_048).contains(text.utf8.count) else { return again(.answerWrong, flow) }
            return try await respond(flow, ["ANSWER": .string(text)])
        case (.passkey, .credential(let credential)):
            return try await respond(flow, ["CREDENTIAL": .string(JSON.object(credential).text)])
        case (.selectMFA, .choice(let id)), (.selectChallenge, .choice(let id)):
            return try await answer(flow, choice: id)
        case (.selectSetup, .choice(let id)):
            guard let name = CognitoFactor.name(of: id, among: flow.choices) else {
                return again(.methodRejected, flow)
            }
            return try await setUp(CognitoFactor.methods([name]).first?.kind, flow)
        case (.softwareTokenSetup, .code(let code)): return try await verifySoftwareToken(flow, code)
        case (.emailSetup, .contact(let address)): return try await answer(flow, address: address)
        case (.resetPassword, .resetPassword(let code, let password)):
            return try await reset(flow, code: code, password: password)
        case (.confirmSignUp, .code(let code)): return try await confirm(flow, code: code)
        default: throw .invalidRequest(member: flow.step.member, reason: "missing")
        }
    }

    /// Answers the pending challenge of the flow.
    private func respond(
        _ flow: CognitoFlow, as challenge: String? = nil, _ responses: JSONObject
    ) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await respond(
            to: challenge ?? flow.step.rawValue, session: flow.session, username: flow.username, responses)
        return try await proceed(reply, Hand(flow: flow, username: flow.username, isFirstFactor: flow.isFirstFactor))
    }

    private func answer(_ flow: CognitoFlow, code: String) async throws(ProviderError) -> StepwiseAnswer {
        guard CognitoInput.isCode(code) else { return again(.codeWrong, flow) }
        return try await respond(flow, [flow.step.rawValue + "_CODE": .string(code)])
    }

    private func answer(
        _ flow: CognitoFlow, newPassword: Secret, _ attributes: [String: String]
    ) async throws(ProviderError) -> StepwiseAnswer {
        if let fault = CognitoInput.fault(of: newPassword) { return again(.passwordRejected([fault]), flow) }
        // Accepts only the requested attributes: the client could write others, but the user must not.
        guard Set(attributes.keys) == Set(flow.choices) else {
            throw .invalidRequest(member: "attributes", reason: "not_those_asked_for")
        }
        var responses: JSONObject = ["NEW_PASSWORD": .string(newPassword.revealedText)]
        for (name, value) in attributes { responses["userAttributes." + name] = .string(value) }
        return try await respond(flow, responses)
    }

    private func answer(_ flow: CognitoFlow, choice: String) async throws(ProviderError) -> StepwiseAnswer {
        guard let name = CognitoFactor.name(of: choice, among: flow.choices) else {
            return again(.methodRejected, flow)
        }
        guard name != "PASSWORD", name != "PASSWORD_SRP" else { return choosePassword(in: flow) }
        return try await respond(flow, ["ANSWER": .string(name)])
    }

    /// Answers the pending challenge with a password, or starts again with it.
    ///
    /// A wrong password leads to a step that starts again, because the session may not survive it.
    func answer(_ flow: CognitoFlow, password: Secret) async throws(ProviderError) -> StepwiseAnswer {
        let fresh = CognitoFlow(.password, username: flow.username)
        guard let challenge = flow.passwordChallenge else {
            return try await start(flow.username, password, answering: fresh)
        }
        var hand = Hand(flow: fresh, username: flow.username)
        let isChoice = challenge == CognitoFlow.Step.selectChallenge.rawValue
        var responses: JSONObject = [:]
        if isChoice, let name = flow.choices.first { responses["ANSWER"] = .string(name) }
        if (isChoice ? flow.choices.first : challenge) == "PASSWORD_SRP" {
            let proof = SRPClient()
            (hand.proof, hand.password) = (proof, password)
            responses["SRP_A"] = .string(proof.publicValue)
        } else {
            responses["PASSWORD"] = .string(password.revealedText)
        }
        let reply = try await respond(
            to: challenge, session: flow.session, username: flow.username, responses)
        return try await proceed(reply, hand)
    }

    // MARK: Set-up of second factors

    private func answer(_ flow: CognitoFlow, address: String) async throws(ProviderError) -> StepwiseAnswer {
        guard ExternalEmail(address: address, authority: .unverified) != nil else {
            return again(.contactRejected, flow)
        }
        return try await respond(flow, as: "MFA_SETUP", ["EMAIL": .string(address)])
    }

    private func verifySoftwareToken(_ flow: CognitoFlow, _ code: String) async throws(ProviderError) -> StepwiseAnswer
    {
        guard code.utf8.count == 6, CognitoInput.isCode(code), let session = flow.session else {
            return again(.codeWrong, flow)
        }
        let hand = Hand(flow: flow, username: flow.username)
        switch try await bare(.verifySoftwareToken, ["Session": .string(session), "UserCode": .string(code)]) {
        case .failure(let exception): return try await refused(exception, hand)
        case .success(let answer):
            var next = flow
            next.session = answer["Session"]?.string ?? session
            guard answer["Status"]?.string == "SUCCESS" else { return again(.codeWrong, next) }
            return try await respond(next, as: "MFA_SETUP", [:])
        }
    }
}

extension CognitoFlow.Step {
    /// The member of an answer that the step expects, for refusals.
    fileprivate var member: String {
        switch self {
        case .password: "password"
        case .selectChallenge, .selectMFA, .selectSetup: "choice"
        case .smsMFA, .emailOTP, .smsOTP, .softwareToken, .softwareTokenSetup, .confirmSignUp: "code"
        case .newPassword, .resetPassword: "new_password"
        case .custom: "answer"
        case .passkey: "credential"
        case .emailSetup: "contact"
        }
    }
}
