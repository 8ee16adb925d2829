import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Providers
import SignIn
import Vocabulary

extension RESTSignInDoor {
    /// `POST /v1/nonce`: a nonce that the app passes to a provider.
    @Sendable func nonce(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (nonce, expiresIn) = flows.issueNonce()
        return .json(["nonce": .string(nonce), "expires_in": .integer(expiresIn)])
    }

    /// `POST /v1/sign-in`: exchanges any credential for a session.
    @Sendable func signIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_in", request, context) { call in
            call.fieldsUnder = "/credential"
            let body = try await JSONBody.object(
                request, of: "provider", "client_id", "credential", "device", "link_flow", "scope", "nonce",
                "bot_check")
            let provider = try body.required("provider", most: 64)
            let client = try client(body, &call)
            let asked = SignInRequest(
                client: client, device: try body.device(), linkFlow: try body.optional("link_flow", most: 200),
                bearer: request.headers.accessToken(provedBy: call.caller.key), tokens: try body.tokens(),
                botToken: try body.botToken(), caller: call.caller)
            let members =
                provider == GuestSignInService.provider
                ? try body.object("credential", absent: [:]) : try body.object("credential")
            let credential = try credential(provider, members, of: client)
            call.provider = credential.method
            return .json(RESTAnswers.outcome(try await flows.begin(credential, asked)))
        }
    }

    private func credential(_ provider: String, _ members: JSONObject, of client: Client) throws -> Credential {
        switch provider {
        case PasswordSignInService.provider:
            let name = try username(members, besides: "password")
            return password(members).map { .password(name: name, password: $0) } ?? .name(name)
        case GuestSignInService.provider:
            try check(members, [])
            return .guest
        case PasskeySignInService.provider:
            try check(members, [])
            return .passkey
        default: break
        }
        if let factor = FirstFactor(rawValue: provider) { return .code(name: try username(members), factor) }
        guard flows.takesCredential(of: provider) else {
            throw Rejection.providerUnknown(SentText(provider), offered: client.providers)
        }
        return .provider(provider, PresentedCredential(members))
    }

    private func username(_ credential: JSONObject, besides other: String...) throws(Problem) -> String {
        try check(credential, ["username"] + other)
        do throws(Problem) {
            return try credential.required("username", most: 512)
        } catch {
            throw error.under("/credential")
        }
    }

    private func check(_ credential: JSONObject, _ known: [String]) throws(Problem) {
        do throws(Problem) {
            _ = try credential.limited(to: known)
        } catch {
            throw error.under("/credential")
        }
    }

    /// The password of the credential; nil if it is absent or not a text.
    private func password(_ credential: JSONObject) -> String? {
        credential["password"].map { $0.string ?? "" }
    }

    /// `POST /v1/sign-in/resend`: `{flow, bot_check?}`; sends the code of the pending step again.
    @Sendable func resendSignIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_code", request, context) { call in
            let body = try await JSONBody.object(request, of: "flow", "bot_check")
            let asked = FlowCall(
                try body.required("flow", most: 200), botToken: try body.botToken(), caller: call.caller)
            return .json(RESTAnswers.nextStep(try await flows.resend(asked)))
        }
    }

    /// `POST /v1/sign-in/continue`: the answer to a step.
    @Sendable func continueSignIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in try await answerStep(request, &call) }
    }

    /// Reads `{flow, response, device?, scope?, nonce?}`, for a sign-in also `bot_check?`, and answers the step.
    ///
    /// - Parameter purpose: the only purpose that the flow may have; nil for any sign-in.
    func answerStep(
        _ request: Request, _ call: inout DoorCall, for purpose: FlowPurpose? = nil
    ) async throws -> Response {
        let known = ["flow", "response", "device", "scope", "nonce"]
        // Only a sign-in has a step that sends a first code.
        let body = try await JSONBody.changes(request).limited(to: known + (purpose == nil ? ["bot_check"] : []))
        let flow = try body.required("flow", most: 200)
        if purpose != nil { call.isAbout(flow, of: flows) }
        let asked = FlowCall(
            flow, device: try body.device(), tokens: try body.tokens(), botToken: try body.botToken(),
            caller: call.caller)
        let response = try StepResponse(try body.object("response"))
        call.fieldsUnder = "/response"
        return .json(RESTAnswers.outcome(try await flows.answer(response, asked, for: purpose)))
    }
}
