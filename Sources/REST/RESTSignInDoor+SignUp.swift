import HTTPServer
import Hummingbird
import JSON
import SignIn
import Vocabulary

extension RESTSignInDoor {
    /// `POST /v1/sign-up`: `{client_id, username, password?, email?, phone?, display_name?, attributes?}`.
    ///
    /// It sends a code to the address or phone number.
    @Sendable func beginSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up", request, context) { call in
            call.provider = PasswordSignInService.provider
            call.newPasswordField = .password
            let body = try await JSONBody.object(
                request, of: "client_id", "username", "password", "email", "phone", "display_name", "attributes",
                "device", "scope", "nonce", "bot_check")
            let client = try client(body, &call)
            let form = SignUpForm(
                username: try body.required("username", most: 512), password: try body.optional("password"),
                email: try body.optional("email", most: 254), phone: try body.optional("phone", most: 40),
                displayName: try body.optional("display_name", most: 1_024),
                attributes: try body.object("attributes", absent: [:]))
            let asked = SignInRequest(
                client: client, device: try body.device(), tokens: try body.tokens(), botToken: try body.botToken(),
                caller: call.caller)
            return .json(RESTAnswers.outcome(try await flows.begin(.signUp(form), asked)))
        }
    }

    /// `POST /v1/sign-up/confirm`: `{flow, response: {code}, device?}`; also for a sign-up at a provider.
    @Sendable func confirmSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("confirm_sign_up", request, context) { call in
            try await answerStep(request, &call, for: .signUp)
        }
    }

    /// `POST /v1/sign-up/resend`: `{flow, bot_check?}`; also for a sign-up at a provider.
    @Sendable func resendSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_code", request, context) { call in
            let body = try await JSONBody.object(request, of: "flow", "bot_check")
            let flow = try body.required("flow", most: 200)
            call.isAbout(flow, of: flows)
            let asked = FlowCall(flow, botToken: try body.botToken(), caller: call.caller)
            let pending = try await flows.resend(asked, for: .signUp)
            return .json(RESTAnswers.nextStep(pending))
        }
    }
}
