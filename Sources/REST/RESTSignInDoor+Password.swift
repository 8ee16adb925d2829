import HTTPServer
import Hummingbird
import JSON
import SignIn

extension RESTSignInDoor {
    /// `POST /v1/password/forgot`: `{client_id, username, bot_check?}`; sends a code.
    ///
    /// The answer is the same for an unknown name.
    @Sendable func forgotPassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("forgot_password", request, context) { call in
            call.provider = PasswordSignInService.provider
            let body = try await JSONBody.object(request, of: "client_id", "username", "device", "bot_check")
            let asked = SignInRequest(
                client: try client(body, &call), device: try body.device(), botToken: try body.botToken(),
                caller: call.caller)
            let name = try body.required("username", most: 512)
            return .json(RESTAnswers.outcome(try await flows.begin(.forgottenPassword(name: name), asked)))
        }
    }

    /// `POST /v1/password/reset`: `{flow, response: {code, new_password}, device?}`; continues like a sign-in,
    /// ours or a provider's.
    @Sendable func resetPassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context) { call in
            try await answerStep(request, &call, for: .passwordReset)
        }
    }

    /// `POST /v1/session/step-up`: adds a second factor to a session without one.
    @Sendable func stepUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("step_up", request, context, for: nil) { call, session in
            let device = try await JSONBody.object(request, of: "device").device()
            return .json(RESTAnswers.outcome(try await flows.stepUp(session, device: device, caller: call.caller)))
        }
    }
}
