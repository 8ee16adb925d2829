import Clients
import Foundation
import HTTPServer
import Hummingbird
import Logging
import Sessions
import SignIn
import Vocabulary

/// The log, the sessions and the clients that every operation needs.
struct CognitoCalls: Sendable {
    let log: CallLog
    let directory: SessionDirectory
    let clients: ClientRegistry
    /// The gateway's public address.
    let publicURL: String
    let logger: Logger
}

/// A group of operations of the API.
protocol CognitoOperations: Sendable {
    var calls: CognitoCalls { get }
}

extension CognitoOperations {
    /// The app of `ClientId`, proved by its secret hash if it is confidential.
    ///
    /// - Parameters:
    ///   - username: the name that the hash covers.
    ///   - hash: `SECRET_HASH`.
    package func client(
        _ request: CognitoRequest, _ call: inout DoorCall, hash: String?, of username: String
    ) throws -> Client {
        let (client, app) = try client(request, &call)
        guard client.kind == .confidential else { return client }
        guard let hash else {
            throw CognitoError(
                .notAuthorized, "Client \(app.clientID) is configured with secret but SECRET_HASH was not received",
                code: Rejection.clientAuthenticationFailed.code)
        }
        let code = Data(base64Encoded: hash).map(Array.init) ?? []
        guard client.secret?.authenticates(Array((username + app.clientID).utf8), by: code) == true else {
            throw Rejection.clientAuthenticationFailed
        }
        return client
    }

    /// The app of `ClientId`, proved by its secret itself if it is confidential.
    func client(_ request: CognitoRequest, _ call: inout DoorCall, secret: String?) throws -> Client {
        let (client, _) = try client(request, &call)
        guard client.kind == .confidential else { return client }
        guard let secret, client.authenticates(secret: secret) else { throw Rejection.clientAuthenticationFailed }
        return client
    }

    /// The app of `ClientId`, without a proof.
    func client(_ request: CognitoRequest, _ call: inout DoorCall) throws -> (Client, CognitoApp) {
        let id = try request.text("ClientId", most: 128)
        call.dialectClientID = id
        guard let client = calls.clients.cognitoClient(id), let app = client.dialects.cognito else {
            throw Rejection.clientUnknown()
        }
        call.clientID = client.id
        return (client, app)
    }

    /// The live session of `AccessToken`.
    package func session(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> SessionSnapshot {
        let token = try request.text("AccessToken")
        let (session, _) = try await calls.directory.checkCognito(token, at: calls.directory.now)
        try call.isBy(session)
        guard let client = calls.clients.client(session.facts.clientID), client.dialects.cognito != nil else {
            throw Rejection.tokenInvalid
        }
        try calls.clients.require(.account, of: session)
        return session
    }

    /// A request to begin a sign-in at this door.
    ///
    /// - Parameter device: `DEVICE_KEY`.
    func asked(
        _ client: Client, device: String? = nil, wish: SecondFactorWish? = nil, _ call: DoorCall
    ) -> SignInRequest {
        SignInRequest(
            client: client, device: DeviceHint(unmarked: device), tokens: .cognito, renewsFlowTokens: true,
            wish: wish, caller: call.caller)
    }
}
