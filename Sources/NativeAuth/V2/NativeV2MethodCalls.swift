import HTTPServer
import Hummingbird
import JSON
import SignIn
import Vocabulary

/// The calls about one method: `/auth/methods/{type}/{id}/…`.
struct NativeV2MethodCalls: NativeV2Operations {
    let calls: NativeAuthCalls

    /// `POST …/challenge`: sends a code, or asks for the password.
    @Sendable func challenge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context, at: .challenge, in: .signIn, .passwordReset) { call in
            guard call.continuation.flow != nil else { return try await beginReset(context, &call) }
            let flow = call.about(try call.flow)
            var pending = try await flows.waiting(flow)
            let methods = NativeV2Methods(pending.step, of: call.continuation.username)
            guard let method = methods?.list.first(where: { Self.names($0, context) }) else {
                throw NativeV2Error.tokenRefused
            }
            if !method.isOpen {
                let outcome = try await flows.answer(StepResponse(.choice(method.id)), flow, for: .signIn)
                guard case .nextStep(let chosen) = outcome else { throw Rejection.internalError }
                pending = chosen
            }
            return try verify(method, pending.step.delivery, call.continuation.at(pending.flow), call)
        }
    }

    /// The code of a reset is sent when its only method is chosen.
    private func beginReset(_ context: GatewayContext, _ call: inout NativeV2Call) async throws -> JSONObject {
        call.logged.action = "forgot_password"
        call.logged.provider = PasswordSignInService.provider
        let method = NativeV2Method.destination(of: call.continuation.username)
        guard call.continuation.series == .passwordReset, Self.names(method, context) else {
            throw NativeV2Error.tokenRefused
        }
        let outcome = try await flows.begin(.forgottenPassword(name: call.continuation.username), call.asked())
        guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
        return try verify(method, pending.step.delivery, call.continuation.at(pending.flow), call)
    }

    /// `POST …/resend`: another code; the earlier one ends.
    @Sendable func resend(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_code", request, context, at: .verify, in: .signIn, .signUp, .passwordReset) { call in
            let method = try Self.method(context, call.continuation)
            let purpose: FlowPurpose? = call.continuation.series == .signUp ? .signUp : nil
            let pending = try await flows.resend(call.about(try call.flow), for: purpose)
            return try verify(method, pending.step.delivery, call.continuation.at(pending.flow), call)
        }
    }

    /// `POST …/verify`: the code or the password.
    @Sendable func verify(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context, at: .verify, in: .signIn, .signUp, .passwordReset) {
            call in
            let method = try Self.method(context, call.continuation)
            let (flow, answer) = (try call.flow, try Self.answer(to: method, call))
            let binding = ConfirmedSessions.Binding()
            switch call.continuation.series {
            case .passwordReset:
                call.logged.action = "reset_password"
                let outcome = try await flows.answer(StepResponse(answer), call.about(flow), for: .passwordReset)
                guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
                return try update(call.continuation.at(pending.flow), call)
            case .signUp:
                call.logged.action = "confirm_sign_up"
                let outcome = try await flows.answer(
                    StepResponse(answer), call.about(flow, handing: binding.handing), for: .signUp)
                return try signUpNext(outcome, binding, call)
            case .signIn, .start:
                let outcome = try await flows.answer(
                    StepResponse(answer), call.about(flow, handing: binding.handing), for: .signIn)
                return try next(outcome, binding, call)
            }
        }
    }

    private static func answer(
        to method: NativeV2Method, _ call: NativeV2Call
    ) throws(NativeAuthError) -> StepAnswer {
        switch method.kind {
        case .password: .password(try call.required("password", most: 1_024))
        case .email, .sms: .code(try call.required("otp", most: 40))
        }
    }

    // MARK: The method of an address

    private static func names(_ method: NativeV2Method, _ context: GatewayContext) -> Bool {
        named(by: context)?.path == method.path
    }

    private static func named(by context: GatewayContext) -> NativeV2Method? {
        guard let kind = context.parameters.get("type").flatMap(NativeV2Method.Kind.init(rawValue:)),
            let id = context.parameters.get("method")
        else { return nil }
        return NativeV2Method(id: id, kind: kind, hint: nil)
    }

    /// The method of the address, which must be the token's.
    private static func method(
        _ context: GatewayContext, _ continuation: Continuation
    ) throws(NativeV2Error) -> NativeV2Method {
        guard let method = named(by: context), method.path == continuation.method else { throw .tokenRefused }
        return method
    }
}
