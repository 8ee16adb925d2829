extension Step {
    /// Sends the user's answer.
    ///
    /// A wrong answer throws ``GatewayError/refused(_:)``, such as ``ErrorCode/codeWrong``; the step stays valid.
    ///
    /// - Parameters:
    ///   - answer: the user's input.
    ///   - rememberDevice: whether this device skips the second factor for 30 days.
    public func answer(_ answer: StepAnswer, rememberDevice: Bool = false) async throws -> SignInResult {
        guard let flow else {
            throw GatewayError.unanswerable("The sign-in goes on in the browser.")
        }
        var response = answer.response
        if rememberDevice { response.rememberDevice = true }
        let request = ContinueRequest(
            flow: flow.token, response: response, device: try await flow.client.device.members())
        return try await flow.client.outcome(.post("/v1/sign-in/continue", request), flow: flow)
    }

    /// Sends another code; the previous one stops working.
    ///
    /// Allowed after ``CodeQuestion/resendAfter`` seconds and five times per flow.
    public func resend() async throws -> Step {
        guard let flow else {
            throw GatewayError.unanswerable("The sign-in goes on in the browser.")
        }
        let next: NextStepAnswer = try await flow.client.api.answer(
            .post("/v1/sign-in/resend", FlowRequest(flow: flow.token)))
        let step = Step(next, client: flow.client, after: flow, now: flow.client.keeper.circumstances.time.now())
        return step
    }
}

struct ContinueRequest: Encodable, Sendable {
    let flow: Secret
    let response: StepResponse
    let device: DeviceMembers?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case flow, response, device
    }
}

struct FlowRequest: Encodable, Sendable {
    let flow: Secret

    enum CodingKeys: String, CodingKey, CaseIterable {
        case flow
    }
}
