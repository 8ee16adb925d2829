import Accounts
import Clients
import HTTPServer
import Hummingbird
import JSON
import NIOCore
import OperatorAccess
import Vocabulary

/// The administrator operations, signed by the back end of an app.
struct CognitoAdmin: CognitoOperations {
    let calls: CognitoCalls
    let signIn: CognitoSignIn
    let users: CognitoUsers
    let credentials: CognitoCredentials
    let identities: CognitoIdentities
    let factors: CognitoAdminFactors

    /// Answers a signed call.
    func perform(
        _ operation: CognitoAdminOperation, _ request: Request, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let body = try await BodyLimit.body(of: request)
        let backEnd = try await CognitoSignatures(calls: calls).backEnd(request, body, &call)
        let sent = try CognitoRequest(request, body)
        let pool = try sent.text("UserPoolId", most: 55)
        guard backEnd.client.dialects.cognito?.poolID == pool else {
            throw CognitoError(
                .resourceNotFound, "User pool \(pool.bounded(bytes: 55)) does not exist.",
                code: Rejection.clientUnknown().code)
        }
        return try await perform(operation, sent, backEnd, &call)
    }

    private func perform(
        _ operation: CognitoAdminOperation, _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd,
        _ call: inout DoorCall
    ) async throws -> JSONObject {
        switch operation {
        case .adminInitiateAuth:
            try isForUser(request, of: backEnd, &call)
            return try await signIn.initiateAuth(request, signedBy: backEnd, &call)
        case .adminRespondToAuthChallenge:
            try isForUser(request, of: backEnd, &call)
            return try await signIn.respondToAuthChallenge(request, &call)
        case .adminUserGlobalSignOut: return try await users.signOut(request, backEnd, &call)
        case .listUsers: return try await users.listUsers(request, backEnd)
        case .adminGetUser: return try await users.getUser(request, backEnd, &call)
        case .adminCreateUser: return try await credentials.createUser(request, backEnd, &call)
        case .adminUpdateUserAttributes: return try await users.updateAttributes(request, backEnd, &call)
        case .adminDeleteUserAttributes: return try await users.deleteAttributes(request, backEnd, &call)
        case .adminEnableUser: return try await users.set(isEnabled: true, request, backEnd, &call)
        case .adminDisableUser: return try await users.set(isEnabled: false, request, backEnd, &call)
        case .adminDeleteUser: return try await users.delete(request, backEnd, &call)
        case .adminSetUserPassword: return try await credentials.setPassword(request, backEnd, &call)
        case .adminResetUserPassword: return try await credentials.resetPassword(request, backEnd, &call)
        case .adminConfirmSignUp: return try await credentials.confirmSignUp(request, backEnd, &call)
        case .adminLinkProviderForUser: return try await identities.link(request, backEnd, &call)
        case .adminDisableProviderForUser: return try await identities.unlink(request, backEnd, &call)
        case .adminSetUserMFAPreference: return try await factors.setPreference(request, backEnd, &call)
        case .adminGetDevice: return try await factors.getDevice(request, backEnd, &call)
        case .adminListDevices: return try await factors.listDevices(request, backEnd, &call)
        }
    }

    /// A sign-in counts for the user's address where the back end sends it (`ContextData`), not for the back end's.
    ///
    /// It also counts for the key, so that a stolen one can't guess without a limit.
    ///
    /// - Throws: ``CognitoError`` for an app of another pool, or an address from a key that may name none.
    private func isForUser(
        _ request: CognitoRequest, of backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) throws {
        let id = try request.text("ClientId", most: 128)
        guard calls.clients.cognitoClient(id)?.dialects.cognito?.poolID == backEnd.client.dialects.cognito?.poolID
        else {
            throw CognitoError(
                .resourceNotFound, "User pool client \(id.bounded(bytes: 128)) does not exist.",
                code: Rejection.clientUnknown().code)
        }
        defer { call.caller.accessKey = backEnd.key.id }
        guard let address = request.body["ContextData"]?["IpAddress"]?.string else { return }
        guard backEnd.key.mayNameNetwork else {
            throw CognitoError(
                .accessDenied, "An access key of the role viewer may not send ContextData.IpAddress.",
                code: AdminRefusal.roleTooLow.code)
        }
        guard let user = call.caller.at(address) else { throw CognitoError.invalid("Invalid IpAddress.") }
        call.caller = user
    }
}
