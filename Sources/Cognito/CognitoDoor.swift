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
            return await administer(operation, request, context)
        }
        guard let operation = CognitoOperation(target: target) else {
            return CognitoError(.unknownOperation, "The operation is unknown.", code: "not_found")
                .response(requestID: context.requestID)
        }
        var call = DoorCall(request, context)
        do {
            let answer = try await perform(operation, try await CognitoRequest(request), &call)
            calls.log.succeeded(operation.action, call)
            return .cognito(.object(answer), requestID: context.requestID)
        } catch {
            return refuse(error, operation.action, about: operation.subject, call).response(
                requestID: context.requestID)
        }
    }

    /// A call that a back end signs.
    private func administer(
        _ operation: CognitoAdminOperation, _ request: Request, _ context: GatewayContext
    ) async -> Response {
        var call = DoorCall(request, context)
        do {
            let answer = try await administration.perform(operation, request, &call)
            calls.log.succeeded(operation.action, call)
            return .cognito(.object(answer), requestID: context.requestID)
        } catch {
            let error: any Error = (error as? AdminRefusal).map { CognitoError($0, operation) } ?? error
            return refuse(error, operation.action, about: operation.subject, call)
                .response(requestID: context.requestID)
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
        case .globalSignOut: try await tokens.globalSignOut(request, &call)
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

    /// The error of a refusal, which is counted and recorded like that of any door.
    private func refuse(
        _ error: any Error, _ action: String, about subject: CognitoOperation.Subject, _ call: DoorCall
    ) -> CognitoError {
        if let error = error as? CognitoError {
            calls.log.refused(action, error.code, call)
            return error
        }
        if let problem = error as? Problem {
            calls.log.refused(action, problem.code, call)
            return CognitoError(.invalidParameter, problem.title, code: problem.code)
        }
        let rejection = Rejection(error, calls.logger)
        calls.log.refused(action, rejection, call)
        guard rejection != .deletionWaits else { return .leaving("\(calls.publicURL)/account") }
        return CognitoError(rejection, about: subject, clientID: call.dialectClientID)
    }
}
