import Foundation
import HTTPServer
import Hummingbird
import JSON
import SignIn
import Vocabulary

/// `/register/v1.0/…`: a mailbox as second factor, where a sign-in demands one.
struct NativeAuthRegistration: NativeAuthOperations {
    let calls: NativeAuthCalls

    /// `POST /register/v1.0/introspect`.
    @Sendable func introspect(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let continuation = try continuation(call, in: .signIn, .signUp, .passwordReset)
            let pending = try await flows.waiting(call.about(try flow(continuation)))
            guard let methods = NativeAuthMethods.registrations(pending.step) else { throw NativeAuthError.wrongSeries }
            return ["continuation_token": try continuationToken(continuation), "methods": .array(methods.map(\.json))]
        }
    }

    /// `POST /register/v1.0/challenge`: sends a code to the new mailbox, also where an earlier call named another one.
    @Sendable func challenge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let continuation = try continuation(call, in: .signIn, .signUp, .passwordReset)
            let target = try call.required("challenge_target", most: 254)
            // Checked before the flow, so that the token stays usable.
            guard EmailAddress(target) != nil else { throw NativeAuthError.contactInvalid }
            let pending = try await send(to: target, call.about(try flow(continuation)))
            var answer = try announce(pending, continuation)
            answer["challenge_target_label"] = nil
            answer["challenge_target"] = .string(target)
            return answer
        }
    }

    private func send(to target: String, _ flow: FlowCall) async throws(Rejection) -> PendingStep {
        var flow = flow
        if case .factorSetUpSelection = try await flows.waiting(flow).step {
            let choice = StepResponse(.choice(StepChoice.Kind.email.rawValue))
            guard case .nextStep(let chosen) = try await flows.answer(choice, flow, for: .signIn) else {
                throw .internalError
            }
            flow = flow.at(chosen.flow)
        }
        guard case .nextStep(let sent) = try await flows.answer(StepResponse(.email(target)), flow, for: .signIn) else {
            throw .internalError
        }
        return sent
    }

    /// `POST /register/v1.0/continue`: the code; the grant `continuation_token` then gives tokens.
    @Sendable func goOn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let continuation = try continuation(call, in: .signIn, .signUp, .passwordReset)
            let code = try call.required("oob", most: 40)
            let binding = ConfirmedSessions.Binding()
            let outcome = try await flows.answer(
                StepResponse(.code(code)), call.about(try flow(continuation), handing: binding.handing), for: .signIn)
            return ["continuation_token": try continuationToken(try next(outcome, binding, continuation))]
        }
    }
}
