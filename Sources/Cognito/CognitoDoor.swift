import HTTPServer
import Hummingbird
import JSON
import Logging
import OperatorAccess
import Vocabulary

/// The API of Cognito user pools, for apps that enable this dialect.
///
/// One path takes every operation; the header names it. Reference: AWS API `cognito-idp`, version 2016-04-18.
struct CognitoDoor: FrontDoor {
    let calls: CognitoCalls
    let signIn: CognitoSignIn
    let signUp: CognitoSignUp
    let tokens: CognitoTokens
    let sessions: CognitoSessions
    let profile: CognitoProfile
    let factors: CognitoFactors
    let devices: CognitoDevices
    let administration: CognitoAdmin

    func mount(on router: Router<GatewayContext>) {
        router.post("/", use: call)
    }

    /// `POST /` with `X-Amz-Target`.
    @Sendable func call(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let target = request.headers.value(.amazonTarget) else { throw Problem.methodNotAllowed([.get, .head]) }
        if let operation = CognitoAdminOperation(target: target) {
            return try await administer(operation, request, context)
        }
        guard let operation = CognitoOperation(target: target) else {
            return CognitoError(.unknownOperation, "The operation is unknown.", code: "not_found")
                .response(requestID: context.requestID)
        }
        return try await answer(operation.action, about: operation.subject, request, context) { call in
            try await perform(operation, try await CognitoRequest(request), &call)
        }
    }

    /// A call that a back end signs.
    private func administer(
        _ operation: CognitoAdminOperation, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await answer(operation.action, about: operation.subject, request, context) { call in
            do {
                return try await administration.perform(operation, request, &call)
            } catch let refusal as AdminRefusal {
                throw CognitoError(refusal, operation)
            }
        }
    }

    /// Answers a call; a refusal becomes an error of the API.
    private func answer(
        _ action: String, about subject: CognitoOperation.Subject, _ request: Request, _ context: GatewayContext,
        _ body: (inout DoorCall) async throws -> JSONObject
    ) async throws -> Response {
        var call = DoorCall(action, request, context)
        return try await calls.log.answer(&call) { call in
            .cognito(.object(try await body(&call)), requestID: context.requestID)
        } refusing: { error, call in
            let refusal = refusal(of: error, about: subject, call)
            return RefusedCall(refusal.error.code, of: refusal.rejection) { _ in
                refusal.error.response(requestID: context.requestID)
            }
        }
    }

    private func perform(
        _ operation: CognitoOperation, _ request: CognitoRequest, _ call: inout DoorCall
    ) async throws -> JSONObject {
        switch operation {
        case .initiateAuth: try await signIn.initiateAuth(request, &call)
        case .respondToAuthChallenge: try await signIn.respondToAuthChallenge(request, &call)
        case .signUp: try await signUp.signUp(request, &call)
        case .confirmSignUp: try await signUp.confirmSignUp(request, &call)
        case .resendConfirmationCode: try await signUp.resendConfirmationCode(request, &call)
        case .forgotPassword: try await signUp.forgotPassword(request, &call)
        case .confirmForgotPassword: try await signUp.confirmForgotPassword(request, &call)
        case .getTokensFromRefreshToken: try await tokens.getTokensFromRefreshToken(request, &call)
        case .revokeToken: try await tokens.revokeToken(request, &call)
        case .getDerivedToken: try await tokens.getDerivedToken(request, &call)
        case .globalSignOut: try await tokens.globalSignOut(request, &call)
        case .listUserSessions: try await sessions.listUserSessions(request, &call)
        case .revokeUserSession: try await sessions.revokeUserSession(request, &call)
        case .changePassword: try await profile.changePassword(request, &call)
        case .getUser: try await profile.getUser(request, &call)
        case .updateUserAttributes: try await profile.updateUserAttributes(request, &call)
        case .deleteUserAttributes: try await profile.deleteUserAttributes(request, &call)
        case .getUserAttributeVerificationCode: try await profile.getUserAttributeVerificationCode(request, &call)
        case .verifyUserAttribute: try await profile.verifyUserAttribute(request, &call)
        case .deleteUser: try await profile.deleteUser(request, &call)
        case .associateSoftwareToken: try await factors.associateSoftwareToken(request, &call)
        case .verifySoftwareToken: try await factors.verifySoftwareToken(request, &call)
        case .setUserMFAPreference: try await factors.setUserMFAPreference(request, &call)
        case .setUserSettings: try await factors.setUserSettings(request, &call)
        case .getUserAuthFactors: try await factors.getUserAuthFactors(request, &call)
        case .confirmDevice: try await devices.confirmDevice(request, &call)
        case .getDevice: try await devices.getDevice(request, &call)
        case .listDevices: try await devices.listDevices(request, &call)
        case .updateDeviceStatus: try await devices.updateDeviceStatus(request, &call)
        case .forgetDevice: try await devices.forgetDevice(request, &call)
        case .startWebAuthnRegistration: try await factors.startWebAuthnRegistration(request, &call)
        case .completeWebAuthnRegistration: try await factors.completeWebAuthnRegistration(request, &call)
        case .listWebAuthnCredentials: try await factors.listWebAuthnCredentials(request, &call)
        case .deleteWebAuthnCredential: try await factors.deleteWebAuthnCredential(request, &call)
        }
    }

    /// The error of a refusal, and the refusal of the core behind it.
    private func refusal(
        of error: any Error, about subject: CognitoOperation.Subject, _ call: DoorCall
    ) -> (error: CognitoError, rejection: Rejection?) {
        if let error = error as? CognitoError { return (error, nil) }
        if let problem = error as? Problem {
            return (CognitoError(.invalidParameter, problem.title, code: problem.code), nil)
        }
        let rejection = Rejection(error, calls.logger)
        guard rejection != .deletionWaits else { return (.leaving("\(calls.publicURL)/account"), rejection) }
        return (CognitoError(rejection, about: subject, clientID: call.dialectClientID), rejection)
    }
}
