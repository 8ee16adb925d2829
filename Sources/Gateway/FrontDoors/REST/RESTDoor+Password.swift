import Hummingbird
import JSON
import Sessions

extension RESTDoor {
    /// `POST /v1/password/forgot`: `{client_id, username}`; a code goes out, whether or not the name is anybody's.
    @Sendable func forgotPassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("forgot_password", request, context) { call in
            call.provider = PasswordSignInService.provider
            let body = try await JSONBody.object(request)
            let asked = SignInRequest(
                client: try client(body, &call), device: try body.device(), caller: call.caller)
            let name = try body.required("username", most: 512)
            return .json(RESTAnswers.nextStep(try await steps.beginReset(name, request: asked)))
        }
    }

    /// `POST /v1/password/reset`: `{flow, code, new_password, device?}`; goes on as a sign-in does, at a provider as here.
    @Sendable func resetPassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context) { call in
            let body = try await JSONBody.object(request)
            let flow = try body.required("flow", most: 200)
            let kind = signIn.step(of: flow)
            if kind != .provider { call.provider = PasswordSignInService.provider }
            guard kind == .signIn || kind == .provider else { throw Rejection.flowExpired }
            let response: JSONObject = [
                "code": .string(try body.required("code", most: 40)),
                "new_password": .string(try body.required("new_password")),
            ]
            do throws(Rejection) {
                let device = try body.device()
                let outcome =
                    kind == .signIn
                    ? try await steps.answer(
                        flow: flow, response: response, resets: true, device: device, caller: call.caller)
                    : try await stepwise.answer(flow: flow, response: response, device: device, caller: call.caller)
                return .json(RESTAnswers.outcome(outcome))
            } catch {
                throw error.outOfResponse()
            }
        }
    }

    /// `POST /v1/password/change`: `{current_password?, new_password}`; every other session ends.
    @Sendable func changePassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("change_password", request, context) { call, session in
            let body = try await JSONBody.object(request)
            try await passwordChange.change(
                from: try body.optional("current_password"), to: try body.required("new_password"), session: session,
                caller: call.caller)
            return Response(status: .noContent)
        }
    }

    /// `POST /v1/session/step-up`: the second factor for a session that did without.
    @Sendable func stepUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("step_up", request, context, for: nil) { call, session in
            let device = try await JSONBody.object(request).device()
            return .json(RESTAnswers.outcome(try await steps.stepUp(session, device: device, caller: call.caller)))
        }
    }
}
