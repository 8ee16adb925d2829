import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import SignIn
import Vocabulary

/// `/signup/v1.0/…`: sign-up with a code; a password and attributes come at its start or after the code.
struct NativeAuthSignUp: NativeAuthOperations {
    let calls: NativeAuthCalls

    /// `POST /signup/v1.0/start`: checks the form and sends the code, which the first challenge announces.
    @Sendable func start(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up", request, context) { call in
            call.logged.provider = PasswordSignInService.provider
            let username = try call.required("username", most: 512)
            _ = try call.challengeTypes()
            if call.app.revealsUsers, try await flows.hasAccount(username, caller: call.caller) {
                throw Rejection.addressInUse
            }
            let data = NativeAuthAttributes.data(try Self.attributes(call), call.client)
            var form = SignUpForm(
                username: username, password: call.form["password"], displayName: data.displayName,
                attributes: data.attributes)
            form.asksLater = .missing
            let asked = call.asked(handing: ConfirmedSessions.Binding().handing)
            guard case .nextStep(let pending) = try await flows.begin(.signUp(form), asked) else {
                throw Rejection.internalError
            }
            var continuation = Continuation(.signUp, client: call.client.id, username: username)
            continuation.capabilities = call.capabilities
            return ["continuation_token": try continuationToken(continuation.at(pending.flow))]
        }
    }

    /// `attributes`: an object of texts, as text.
    private static func attributes(_ call: NativeAuthCall) throws(NativeAuthError) -> JSONObject {
        guard let text = call.form["attributes"] else { return [:] }
        guard let object = try? JSON(parsing: text).object else { throw .parameter("attributes") }
        return object
    }

    /// `POST /signup/v1.0/challenge`: a code; again: another one; after `credential_required`: the password.
    @Sendable func challenge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_code", request, context) { call in
            let continuation = try continuation(call, in: .signUp)
            _ = try call.challengeTypes()
            guard !continuation.isChallenged else {
                return try await announceOrResend(continuation, call, for: .signUp)
            }
            let pending = try await flows.waiting(signUp: call.about(try flow(continuation)))
            if SignUpQuestion(pending.step)?.needsPassword == true {
                return ["continuation_token": try continuationToken(continuation), "challenge_type": "password"]
            }
            return try announce(pending, continuation)
        }
    }

    /// `POST /signup/v1.0/continue`: the code, then what is missing; the last answer signs in by its continuation token.
    @Sendable func goOn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("confirm_sign_up", request, context) { call in
            let continuation = try continuation(call, in: .signUp)
            let answer = try Self.answer(call)
            let binding = ConfirmedSessions.Binding()
            let outcome = try await flows.answer(
                StepResponse(answer), call.about(try flow(continuation), handing: binding.handing), for: .signUp)
            if case .nextStep(let pending) = outcome, let question = SignUpQuestion(pending.step) {
                throw question.error(try continuationToken(continuation.at(pending.flow)), call.client)
            }
            return ["continuation_token": try continuationToken(try next(outcome, binding, continuation))]
        }
    }

    private static func answer(_ call: NativeAuthCall) throws(NativeAuthError) -> StepAnswer {
        switch try call.required("grant_type") {
        case "oob": return .code(try call.required("oob", most: 40))
        case "password":
            return .signUpData(SignUpData(password: try call.required("password", most: 1_024), isPart: true))
        case "attributes":
            _ = try call.required("attributes")
            var data = NativeAuthAttributes.data(try attributes(call), call.client)
            (data.password, data.isPart) = (nil, true)
            return .signUpData(data)
        default: throw .wrongSeries
        }
    }
}

extension SignUpQuestion {
    /// The error of version 1 that asks for the password first, then for attributes.
    func error(_ token: JSON, _ client: Client) -> NativeAuthError {
        guard !needsPassword else {
            return NativeAuthError(
                "credential_required", [55_103], "A password is required.", members: ["continuation_token": token],
                code: "invalid_request")
        }
        let required = client.attributes.filter { attributes.contains($0.name) }.map { attribute -> JSON in
            [
                "name": .string(NativeAuthAttributes.name(of: attribute.name)),
                "type": attribute.kind == .flag ? "boolean" : "string", "required": true,
            ]
        }
        return NativeAuthError(
            "attributes_required", [55_106], "Attributes are required.",
            members: ["continuation_token": token, "required_attributes": .array(required)], code: "invalid_request")
    }
}

extension NativeAuthOperations {
    /// The continuation after a proof: with a session to fetch, or at a further step.
    func next(
        _ outcome: SignInOutcome, _ binding: ConfirmedSessions.Binding, _ continuation: Continuation
    ) throws(Rejection) -> Continuation {
        switch outcome {
        case .nextStep(let pending): return continuation.at(pending.flow)
        case .signedIn(let signedIn):
            guard let session = calls.confirmed.text(signedIn.session, binding) else { throw .internalError }
            return continuation.confirmed(by: session)
        }
    }
}
