import Foundation
import Hummingbird
import JSON
import Sessions

extension RESTDoor {
    /// `POST /v1/nonce`: a nonce for the app to hand to a provider.
    @Sendable func nonce(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (nonce, expiresIn) = signIn.issueNonce()
        return .json(["nonce": .string(nonce), "expires_in": .integer(expiresIn)])
    }

    /// `POST /v1/sign-in`: any credential in, one account, our own session out.
    @Sendable func signIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_in", request, context) { call in
            let body = try await JSONBody.object(request)
            let provider = try body.required("provider", most: 64)
            let client = try client(body, &call)
            let asked = SignInRequest(
                client: client, device: try body.device(), linkFlow: try body.optional("link_flow", most: 200),
                bearer: request.headers.credentials(.bearer), caller: call.caller)
            let credential = try body.object("credential")
            return .json(RESTAnswers.outcome(try await outcome(provider, credential, asked, &call)))
        }
    }

    private func outcome(
        _ provider: String, _ credential: JSONObject, _ asked: SignInRequest, _ call: inout DoorCall
    ) async throws(Rejection) -> SignInOutcome {
        switch provider {
        case PasswordSignInService.provider:
            call.provider = provider
            return try await password(credential, asked)
        case "email_otp", "sms_otp":
            call.provider = provider
            let name = try username(credential)
            return .nextStep(try await steps.beginCode(name, provider: provider, request: asked))
        case PasskeySignInService.provider:
            call.provider = provider
            return .nextStep(try passkeys.begin(client: asked.client))
        default: break
        }
        guard signIn.hasProvider(provider) || stepwise.leads(provider) else { throw .providerUnknown }
        call.provider = provider
        if credential["username"] != nil, stepwise.leads(provider) {
            return try await stepwise.begin(provider: provider, credential: credential, request: asked)
        }
        return try await signIn.signIn(provider: provider, credential: credential, request: asked)
    }

    /// A name without a password asks in which ways it can be proved.
    private func password(_ credential: JSONObject, _ asked: SignInRequest) async throws(Rejection) -> SignInOutcome {
        guard credential["password"] == nil else {
            return try await passwords.signIn(credential: credential, request: asked)
        }
        return .nextStep(try await steps.beginSelection(try username(credential), request: asked))
    }

    private func username(_ credential: JSONObject) throws(Rejection) -> String {
        do throws(Rejection) {
            return try credential.required("username", most: 512)
        } catch {
            throw error.under("/credential")
        }
    }

    /// `POST /v1/sign-in/resend`: `{flow}`, the code of the step that waits.
    @Sendable func resendSignIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_code", request, context) { call in
            let flow = try await JSONBody.object(request).required("flow", most: 200)
            return .json(RESTAnswers.nextStep(try await resent(flow, call)))
        }
    }

    /// Sends the code of the step that waits again, whoever leads the flow.
    func resent(_ flow: String, _ call: DoorCall) async throws(Rejection) -> PendingStep {
        switch signIn.step(of: flow) {
        case .signUp: try await signUp.resend(flow: flow, caller: call.caller)
        case .signIn, .factor, .address: try await steps.resend(flow: flow, caller: call.caller)
        case .provider: try await stepwise.resend(flow: flow, caller: call.caller)
        case .linkAccount, .passkey: throw .nothingToResend
        case nil: throw .flowExpired
        }
    }

    /// `POST /v1/sign-in/continue`: the answer to a step.
    @Sendable func continueSignIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let body = try await JSONBody.object(request)
            let flow = try body.required("flow", most: 200)
            let response = try body.object("response")
            let device = try body.device()
            return .json(RESTAnswers.outcome(try await continued(flow, response, device, call)))
        }
    }

    /// What an answer comes to, whoever leads the flow.
    func continued(
        _ flow: String, _ response: JSONObject, _ device: DeviceHint, _ call: DoorCall
    ) async throws(Rejection) -> SignInOutcome {
        switch signIn.step(of: flow) {
        case nil, .factor, .address: throw .flowExpired
        case .linkAccount:
            guard response["create_account"] == true else {
                throw .invalidMember(pointer: "/response/create_account", reason: "must_be_true")
            }
            return try await signIn.declineLink(flow: flow, device: device, caller: call.caller)
        case .provider:
            return try await stepwise.answer(flow: flow, response: response, device: device, caller: call.caller)
        case .passkey:
            return try await passkeys.finish(flow: flow, response: response, device: device, caller: call.caller)
        case .signIn:
            return try await steps.answer(flow: flow, response: response, device: device, caller: call.caller)
        case .signUp:
            do throws(Rejection) {
                let code = try response.required("code", most: 16)
                return try await signUp.confirm(flow: flow, code: code, device: device, caller: call.caller)
            } catch {
                throw error.under("/response")
            }
        }
    }
}
