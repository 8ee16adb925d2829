extension Step {
    /// Sends the user's answer.
    ///
    /// A wrong answer throws ``GatewayError/refused(_:)``, such as ``ErrorCode/codeWrong``; the step stays valid.
    ///
    /// - Parameters:
    ///   - answer: the user's input.
    ///   - rememberDevice: whether this device skips the second factor for 30 days.
    ///   - botCheck: the answer of the widget of ``Problem/botCheck``.
    public func answer(
        _ answer: StepAnswer, rememberDevice: Bool = false, botCheck: String? = nil
    ) async throws -> SignInResult {
        guard let flow else {
            throw GatewayError.unanswerable("The sign-in goes on in the browser.")
        }
        var response = answer.response
        if rememberDevice { response.rememberDevice = true }
        let request = ContinueRequest(
            flow: flow.token, response: response, device: try await flow.client.device.members(),
            botCheck: botCheck.map(Secret.init))
        return try await flow.client.outcome(.post("/v1/sign-in/continue", request), flow: flow)
    }

    /// Sends another code; the previous one stops working.
    ///
    /// Allowed after ``CodeQuestion/resendAfter`` seconds and five times per flow.
    ///
    /// - Parameter botCheck: the answer of the widget of ``Problem/botCheck``.
    public func resend(botCheck: String? = nil) async throws -> Step {
        guard let flow else {
            throw GatewayError.unanswerable("The sign-in goes on in the browser.")
        }
        let next: NextStepAnswer = try await flow.client.api.answer(
            .post("/v1/sign-in/resend", FlowRequest(flow: flow.token, botCheck: botCheck.map(Secret.init))))
        let step = Step(next, client: flow.client, after: flow, now: flow.client.keeper.circumstances.time.now())
        return step
    }
}

struct ContinueRequest: Encodable, Sendable {
    let flow: Secret
    let response: StepResponse
    let device: DeviceMembers?
    let botCheck: Secret?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case flow, response, device
        case botCheck = "bot_check"
    }
}

struct FlowRequest: Encodable, Sendable {
    let flow: Secret
    var botCheck: Secret?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case flow
        case botCheck = "bot_check"
    }
}
