import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Sessions
import SignIn
import Vocabulary

/// `/oauth2/v2.0/…`: sign-in by code and by password, second factors, and tokens.
struct NativeAuthSignIn: NativeAuthOperations {
    let calls: NativeAuthCalls
    let sessions: SessionService
    let handover: HandoverService

    /// `POST /oauth2/v2.0/initiate`.
    @Sendable func initiate(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_in", request, context) { call in
            let username = try call.required("username", most: 512)
            _ = try call.challengeTypes()
            if call.app.revealsUsers, try await !flows.hasAccount(username, caller: call.caller) {
                throw NativeAuthError.userNotFound
            }
            var continuation = Continuation(.signIn, client: call.client.id, username: username)
            continuation.capabilities = call.capabilities
            return ["continuation_token": try continuationToken(continuation)]
        }
    }

    /// `POST /oauth2/v2.0/challenge`: a password or a code; again: another code; with `id`: a second factor.
    @Sendable func challenge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let continuation = try continuation(call, in: .signIn, .signUp, .passwordReset)
            if continuation.flow == nil { return try await begin(continuation, &call) }
            guard let id = call.form["id"], id != NativeAuthMethods.current else {
                return try await announceOrResend(continuation, call)
            }
            return try await choose(id, continuation, call)
        }
    }

    /// The first factor: a password where the app can ask for one, otherwise a code.
    private func begin(_ continuation: Continuation, _ call: inout NativeAuthCall) async throws -> JSONObject {
        let types = try call.challengeTypes() ?? ["oob", "password", "redirect"]
        if types.contains("password"), call.client.allows(provider: FirstFactor.password.rawValue) {
            return ["continuation_token": try continuationToken(continuation), "challenge_type": "password"]
        }
        guard types.contains("oob") else {
            throw NativeAuthRedirect(reason: "The app offers no method that the application allows.")
        }
        call.logged.provider = FirstFactor.emailCode.rawValue
        guard call.client.allows(provider: FirstFactor.emailCode.rawValue) else {
            throw NativeAuthRedirect(reason: "The application sends no codes for a sign-in.")
        }
        let outcome = try await flows.begin(.code(name: continuation.username, .emailCode), call.asked())
        guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
        return try announce(pending, continuation)
    }

    /// Sends a code to the chosen second factor.
    private func choose(
        _ id: String, _ continuation: Continuation, _ call: NativeAuthCall
    ) async throws -> JSONObject {
        let outcome = try await flows.answer(
            StepResponse(.choice(id)), call.about(try flow(continuation)), for: .signIn)
        guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
        return try announce(pending, continuation)
    }

    /// `POST /oauth2/v2.0/introspect`: the second factors after `mfa_required`.
    @Sendable func introspect(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let continuation = try continuation(call, in: .signIn, .signUp, .passwordReset)
            let pending = try await flows.waiting(call.about(try flow(continuation)))
            guard let methods = NativeAuthMethods.secondFactors(pending.step) else { throw NativeAuthError.wrongSeries }
            return ["continuation_token": try continuationToken(continuation), "methods": .array(methods.map(\.json))]
        }
    }

    // MARK: Tokens

    /// `POST /oauth2/v2.0/token`.
    @Sendable func token(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("token", request, context) { call in
            try call.authenticateApp()
            return switch call.form["grant_type"] {
            case "password": try await password(&call)
            case "oob", "mfa_oob": try await code(call)
            case "continuation_token": try await proved(call)
            case "refresh_token": try await refresh(call)
            case "authorization_code": try await redeem(call)
            case nil: throw NativeAuthError.parameter("grant_type")
            default:
                throw NativeAuthError(
                    "unsupported_grant_type", [70_003], "The grant type is not supported.",
                    code: "unsupported_grant_type")
            }
        }
    }

    private func password(_ call: inout NativeAuthCall) async throws -> JSONObject {
        call.logged.provider = PasswordSignInService.provider
        let continuation = try continuation(call, in: .signIn)
        let password = try call.required("password", most: 1_024)
        guard continuation.flow == nil else {
            return try await answer(.password(password), continuation, call)
        }
        let outcome = try await flows.begin(.password(name: continuation.username, password: password), call.asked())
        return try tokens(outcome, continuation, call)
    }

    private func code(_ call: NativeAuthCall) async throws -> JSONObject {
        let continuation = try continuation(call, in: .signIn, .signUp, .passwordReset)
        return try await answer(.code(try call.required("oob", most: 40)), continuation, call)
    }

    private func answer(
        _ answer: StepAnswer, _ continuation: Continuation, _ call: NativeAuthCall
    ) async throws -> JSONObject {
        let flow = call.about(try flow(continuation))
        return try tokens(try await flows.answer(StepResponse(answer), flow, for: .signIn), continuation, call)
    }

    /// After a sign-up, a reset or the registration of a second factor.
    private func proved(_ call: NativeAuthCall) async throws -> JSONObject {
        let continuation = try continuation(call, in: .signIn, .signUp, .passwordReset)
        if let confirmed = continuation.confirmed {
            let issued = try await calls.confirmed.redeem(confirmed, call.client, call.caller)
            return NativeAuthTokens.json(issued, call)
        }
        let flow = call.about(try flow(continuation))
        let pending = try await flows.waiting(flow)
        // The recovery codes, which this protocol can't show.
        guard pending.step == .recoveryCodes else { throw try interruption(pending, continuation) }
        return try await answer(.nothing, continuation, call)
    }

    private func refresh(_ call: NativeAuthCall) async throws -> JSONObject {
        let issued = try await sessions.refresh(
            try call.required("refresh_token"), of: call.client, at: .nativeAuth, caller: call.caller)
        return NativeAuthTokens.json(issued, call)
    }

    /// The code of version 2, or that of the sign-in in a browser (RFC 6749 §4.1.3, RFC 7636).
    private func redeem(_ call: NativeAuthCall) async throws -> JSONObject {
        let code = try call.required("code")
        guard !calls.continuations.isCode(code) else { return try await redeem(native: code, call) }
        let claim = HandoverService.Claim(
            code: code, verifier: try call.required("code_verifier"),
            redirectURI: try call.required("redirect_uri"))
        let issued = try await handover.redeem(claim, client: call.client, at: .nativeAuth, caller: call.caller)
        return NativeAuthTokens.json(issued, call)
    }

    private func redeem(native code: String, _ call: NativeAuthCall) async throws -> JSONObject {
        do throws(Rejection) {
            let proved = try calls.continuations.open(code: code, of: call.client)
            let issued = try await calls.confirmed.redeem(proved.confirmed ?? "", call.client, call.caller)
            return NativeAuthTokens.json(issued, call, within: proved.scope)
        } catch {
            throw error == .handoverCodeInvalid ? NativeAuthError.codeRefused : error
        }
    }

    private func tokens(
        _ outcome: SignInOutcome, _ continuation: Continuation, _ call: NativeAuthCall
    ) throws -> JSONObject {
        switch outcome {
        case .signedIn(let signedIn):
            guard case .tokens(let issued) = signedIn.session else { throw Rejection.internalError }
            return NativeAuthTokens.json(issued, call)
        case .nextStep(let pending): throw try interruption(pending, continuation)
        }
    }

    /// The error that asks for a further step, or leads to a browser.
    private func interruption(_ pending: PendingStep, _ continuation: Continuation) throws(Rejection) -> any Error {
        guard let kind = NativeAuthInterruption(pending.step) else {
            return NativeAuthRedirect(reason: "The sign-in needs a step that this API does not have.")
        }
        switch kind {
        case .passwordExpired: return NativeAuthError(Rejection.temporaryPasswordExpired)
        case .noAccount: return NativeAuthError(Rejection.invalidCredentials())
        case .secondFactor, .registration:
            guard continuation.capabilities.contains(kind.rawValue) else {
                return NativeAuthRedirect(reason: "The app does not support \(kind.rawValue).")
            }
            return NativeAuthError(
                "invalid_grant", suberror: kind.rawValue, [kind == .secondFactor ? 50_076 : 50_079],
                "Strong authentication is required.",
                members: ["continuation_token": try continuationToken(continuation.at(pending.flow))],
                code: Rejection.stepUpRequired.code)
        }
    }
}
