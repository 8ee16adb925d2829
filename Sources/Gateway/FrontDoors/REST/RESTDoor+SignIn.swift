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
                bearer: bearer(of: request), caller: call.caller)
            let credential = try body.object("credential")
            return .json(RESTAnswers.outcome(try await outcome(provider, credential, asked, &call)))
        }
    }

    private func outcome(
        _ provider: String, _ credential: JSONObject, _ asked: SignInRequest, _ call: inout DoorCall
    ) async throws(Rejection) -> SignInOutcome {
        if provider == PasswordSignInService.provider {
            call.provider = provider
            return try await passwords.signIn(credential: credential, request: asked)
        }
        guard signIn.hasProvider(provider) else { throw .providerUnknown }
        call.provider = provider
        return try await signIn.signIn(provider: provider, credential: credential, request: asked)
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

    private func continued(
        _ flow: String, _ response: JSONObject, _ device: DeviceHint, _ call: DoorCall
    ) async throws(Rejection) -> SignInOutcome {
        switch signIn.step(of: flow) {
        case nil: throw .flowExpired
        case .linkAccount:
            guard response["create_account"] == true else {
                throw .invalidMember(pointer: "/response/create_account", reason: "must_be_true")
            }
            return try await signIn.declineLink(flow: flow, device: device, caller: call.caller)
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
