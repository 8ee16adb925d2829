import Clients
import Foundation
import HTTPServer
import JSON
import Sessions
import SignIn
import Vocabulary

/// The devices of a user: confirmed by the secret that each one made.
struct CognitoDevices: CognitoOperations {
    let calls: CognitoCalls
    let factors: FactorService

    private enum Status: String, CaseIterable {
        case remembered
        case notRemembered = "not_remembered"
    }

    /// `ConfirmDevice`: the key must be that of the session's `NewDeviceMetadata`.
    func confirmDevice(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let app = try app(of: session)
        let key = try request.text("DeviceKey", most: CognitoApp.mostDeviceKey)
        guard app.remembersDevices != .never else {
            throw CognitoError(
                .invalidUserPoolConfiguration, "Device tracking is not enabled.", code: Rejection.notFound.code)
        }
        guard key == app.deviceKey(session.facts.session) else { throw Rejection.notFound }
        let isRemembered = app.remembersDevices == .always
        try await factors.confirm(
            try Self.secret(request, key, app), named: try request.optional("DeviceName", most: 1_024),
            isRemembered: isRemembered, session: session, caller: call.caller)
        return ["UserConfirmationNecessary": .bool(!isRemembered)]
    }

    private static func secret(
        _ request: CognitoRequest, _ key: String, _ app: CognitoApp
    ) throws -> DeviceSecret {
        let config = try request.object("DeviceSecretVerifierConfig")
        guard let salt = bytes(config["Salt"]), let verifier = bytes(config["PasswordVerifier"]),
            let secret = DeviceSecret(realm: app.deviceGroup, name: key, salt: salt, verifier: verifier)
        else { throw CognitoError.invalid("Invalid parameter DeviceSecretVerifierConfig.") }
        return secret
    }

    private static func bytes(_ json: JSON?) -> [UInt8]? {
        json?.string.flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }

    /// `GetDevice`.
    func getDevice(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let app = try app(of: session)
        return try app.device(request, among: try await factors.confirmedDevices(of: session.facts.account))
    }

    /// `ListDevices`: by pages of `Limit`, after the device of `PaginationToken`.
    func listDevices(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let app = try app(of: session)
        return try app.devices(request, among: try await factors.confirmedDevices(of: session.facts.account))
    }

    /// `UpdateDeviceStatus`.
    func updateDeviceStatus(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let status = try request.choice("DeviceRememberedStatus", of: Status.self)
        try await factors.change(
            device: try app(of: session).deviceID(request), isRemembered: status == .remembered, session: session,
            caller: call.caller)
        return [:]
    }

    /// `ForgetDevice`.
    func forgetDevice(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        try await factors.forget(try app(of: session).deviceID(request), session: session, caller: call.caller)
        return [:]
    }

    private func app(of session: SessionSnapshot) throws(Rejection) -> CognitoApp {
        guard let app = calls.clients.client(session.facts.clientID)?.dialects.cognito else { throw .clientUnknown() }
        return app
    }
}

extension CognitoApp {
    /// `DeviceKey`.
    func deviceKey(_ id: UUID) -> String { "\(region)_\(id.text)" }

    /// `NewDeviceMetadata` for the device of a session; nil where the pool tracks no devices.
    func newDevice(_ session: UUID) -> JSON? {
        guard remembersDevices != .never else { return nil }
        return ["DeviceKey": .string(deviceKey(session)), "DeviceGroupKey": .string(deviceGroup)]
    }
}
