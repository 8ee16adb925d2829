import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import SignIn
import Vocabulary

/// `/resetpassword/v1.0/…`: a code, another password, and a poll that succeeds at once.
struct NativeAuthReset: NativeAuthOperations {
    let calls: NativeAuthCalls

    /// `POST /resetpassword/v1.0/start`.
    @Sendable func start(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("forgot_password", request, context) { call in
            let username = try call.required("username", most: 512)
            _ = try call.challengeTypes()
            if call.app.revealsUsers, try await !flows.hasAccount(username, caller: call.caller) {
                throw NativeAuthError.userNotFound
            }
            var continuation = Continuation(.passwordReset, client: call.client.id, username: username)
            continuation.capabilities = call.capabilities
            return ["continuation_token": try continuationToken(continuation)]
        }
    }

    /// `POST /resetpassword/v1.0/challenge`: sends the code; again: another one.
    @Sendable func challenge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("forgot_password", request, context) { call in
            call.logged.provider = PasswordSignInService.provider
            let continuation = try continuation(call, in: .passwordReset)
            _ = try call.challengeTypes()
            guard continuation.flow == nil else { return try await announceOrResend(continuation, call) }
            let outcome = try await flows.begin(.forgottenPassword(name: continuation.username), call.asked())
            guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
            return try announce(pending, continuation)
        }
    }

    /// `POST /resetpassword/v1.0/continue`: proves the code.
    @Sendable func goOn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context) { call in
            let continuation = try continuation(call, in: .passwordReset)
            let code = try call.required("oob", most: 40)
            let outcome = try await flows.answer(
                StepResponse(.code(code)), call.about(try flow(continuation)), for: .passwordReset)
            guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
            return [
                "continuation_token": try continuationToken(continuation.at(pending.flow)),
                "expires_in": .integer(ContinuationTokens.life),
            ]
        }
    }

    /// `POST /resetpassword/v1.0/submit`: sets the password; a second factor needs a browser.
    @Sendable func submit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context) { call in
            let continuation = try continuation(call, in: .passwordReset)
            let password = try call.required("new_password", most: 1_024)
            let binding = ConfirmedSessions.Binding()
            let outcome = try await flows.answer(
                StepResponse(.newPassword(password, attributes: [:])),
                call.about(try flow(continuation), handing: binding.handing), for: .signIn)
            guard case .signedIn = outcome else {
                throw NativeAuthRedirect(reason: "A reset of this account needs its second factor.")
            }
            return [
                "continuation_token": try continuationToken(try next(outcome, binding, continuation)),
                "poll_interval": 1,
            ]
        }
    }

    /// `POST /resetpassword/v1.0/poll_completion`.
    @Sendable func poll(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context) { call in
            let continuation = try continuation(call, in: .passwordReset)
            guard continuation.confirmed != nil else { throw NativeAuthError.wrongSeries }
            return ["status": "succeeded", "continuation_token": try continuationToken(continuation)]
        }
    }
}
