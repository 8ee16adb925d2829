import Cryptography
import JSON

extension CognitoConversation {
    private static let recoveryLife = 3_600

    /// Translates a refusal of the pool at this step.
    func refused(_ exception: CognitoException, _ hand: Hand) async throws(ProviderError) -> StepwiseAnswer {
        switch exception.meaning {
        case .end(.credentialsWrong):
            guard let flow = hand.flow, flow.step == .password else { return .ended(.credentialsWrong) }
            return again(.passwordWrong, flow)
        case .end(let end): return .ended(end)
        case .refusal(let refusal): return try answer(refusal, hand)
        case .parameter: return try answer(Self.refusal(at: hand.flow?.step), hand)
        case .shape:
            // At the beginning the user chose only the name.
            guard hand.flow != nil else { throw .invalidRequest(member: "username", reason: "malformed") }
            return try answer(Self.refusal(at: hand.flow?.step), hand)
        case .resetRequired: return try await sendResetCode(to: hand.username)
        case .notConfirmed:
            return step(
                .confirmSignUp(nil), CognitoFlow(.confirmSignUp, username: hand.username), life: Self.recoveryLife)
        case .alreadyConfirmed:
            guard hand.flow?.step == .confirmSignUp else { throw malformed() }
            return try await start(hand.username, nil)
        case .unavailable(let reason, let retryAfter):
            throw provider.upstream.failure(reason, retryAfter: retryAfter)
        case .misconfigured(let reason): throw misconfigured(reason)
        }
    }

    private func answer(_ refusal: StepRefusal?, _ hand: Hand) throws(ProviderError) -> StepwiseAnswer {
        guard let refusal else { throw misconfigured("request_refused") }
        if let flow = hand.flow { return again(refusal, flow) }
        switch refusal {
        case .tooManyAttempts(let seconds): return .ended(.tooManyAttempts(retryAfter: seconds))
        case .deliveryFailed: throw provider.upstream.failure("code_delivery_failed")
        default: throw malformed()
        }
    }

    /// The meaning of a refused parameter that the user chose.
    private static func refusal(at step: CognitoFlow.Step?) -> StepRefusal? {
        switch step {
        case .newPassword: .attributesRejected([])
        case .resetPassword: .passwordRejected([.malformed])
        case .smsMFA, .emailOTP, .smsOTP, .softwareToken, .softwareTokenSetup, .confirmSignUp: .codeWrong
        case .emailSetup: .contactRejected
        case .selectMFA, .selectChallenge: .methodRejected
        case .password, .custom, .passkey, .selectSetup, nil: nil
        }
    }

    private func misconfigured(_ reason: String) -> ProviderError {
        provider.upstream.health.failed(reason)
        return .misconfigured(reason: reason)
    }

    // MARK: A required password reset

    private func sendResetCode(
        to username: String, again flow: CognitoFlow? = nil
    ) async throws(ProviderError) -> StepwiseAnswer {
        switch try await call(.forgotPassword, username: username, [:]) {
        case .failure(let exception):
            // A reset that demands a reset would loop, so it counts as malformed.
            guard exception.meaning != .resetRequired else { throw malformed() }
            return try await refused(exception, Hand(flow: flow, username: username))
        case .success(let answer):
            return step(
                .resetPassword(CodeDelivery(details: answer["CodeDeliveryDetails"])),
                CognitoFlow(.resetPassword, username: username), life: Self.recoveryLife)
        }
    }

    /// Sets the new password and signs in with it.
    func reset(
        _ flow: CognitoFlow, code: String, password: Secret
    ) async throws(ProviderError) -> StepwiseAnswer {
        guard CognitoInput.isCode(code) else { return again(.codeWrong, flow) }
        if let fault = CognitoInput.fault(of: password) { return again(.passwordRejected([fault]), flow) }
        let members: JSONObject = [
            "ConfirmationCode": .string(code), "Password": .string(password.revealedText),
        ]
        switch try await call(.confirmForgotPassword, username: flow.username, members) {
        case .failure(let exception):
            return try await refused(exception, Hand(flow: flow, username: flow.username))
        case .success: return try await start(flow.username, password)
        }
    }

    // MARK: An unconfirmed sign-up

    /// Confirms the sign-up and asks for the password, which was not stored.
    func confirm(_ flow: CognitoFlow, code: String) async throws(ProviderError) -> StepwiseAnswer {
        guard CognitoInput.isCode(code) else { return again(.codeWrong, flow) }
        switch try await call(.confirmSignUp, username: flow.username, ["ConfirmationCode": .string(code)]) {
        case .failure(let exception):
            return try await refused(exception, Hand(flow: flow, username: flow.username))
        case .success: return try await start(flow.username, nil)
        }
    }

    // MARK: Resending a code

    func resend(_ flow: CognitoFlow) async throws(ProviderError) -> StepwiseAnswer {
        switch flow.step {
        case .resetPassword: return try await sendResetCode(to: flow.username, again: flow)
        case .confirmSignUp: return try await resendConfirmation(flow)
        case .emailOTP where flow.isFirstFactor, .smsOTP where flow.isFirstFactor:
            let reply = try await initiate(
                "USER_AUTH", username: flow.username, ["PREFERRED_CHALLENGE": .string(flow.step.rawValue)])
            return try await proceed(reply, Hand(flow: flow, username: flow.username, isFirstFactor: true))
        default: return again(.cannotResend, flow)
        }
    }

    private func resendConfirmation(_ flow: CognitoFlow) async throws(ProviderError) -> StepwiseAnswer {
        switch try await call(.resendConfirmationCode, username: flow.username, [:]) {
        case .failure(let exception):
            return try await refused(exception, Hand(flow: flow, username: flow.username))
        case .success(let answer):
            return step(
                .confirmSignUp(CodeDelivery(details: answer["CodeDeliveryDetails"])), flow, life: Self.recoveryLife)
        }
    }
}
