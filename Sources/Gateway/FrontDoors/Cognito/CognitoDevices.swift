import Foundation
import JSON
import Sessions

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
        let key = try request.text("DeviceKey", most: Self.mostKey)
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

    private static let mostKey = 55

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
        let (app, id) = try device(request, session)
        let found = try await factors.confirmedDevices(of: session).first { $0.id == id }
        guard let found else { throw Rejection.notFound }
        return ["Device": found.json(app)]
    }

    /// `ListDevices`: by pages of `Limit`, after the device of `PaginationToken`.
    func listDevices(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let app = try app(of: session)
        let limit = request.body["Limit"]?.integer ?? Self.mostDevices
        guard (0...Self.mostDevices).contains(limit) else {
            throw CognitoError.constraint(String(limit), at: "limit", "have value less than or equal to 60")
        }
        let after = try request.optional("PaginationToken", most: Self.mostKey)
        let all = try await factors.confirmedDevices(of: session)
        let rest = after.map { key in Array(all.drop { app.deviceKey($0.id) != key }.dropFirst()) } ?? all
        let page = rest.prefix(limit == 0 ? Self.mostDevices : limit)
        var answer: JSONObject = ["Devices": .array(page.map { $0.json(app) })]
        if page.count < rest.count { answer["PaginationToken"] = page.last.map { .string(app.deviceKey($0.id)) } }
        return answer
    }

    private static let mostDevices = 60

    /// `UpdateDeviceStatus`.
    func updateDeviceStatus(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let status = try request.choice("DeviceRememberedStatus", of: Status.self)
        try await factors.change(
            device: try device(request, session).id, isRemembered: status == .remembered, session: session,
            caller: call.caller)
        return [:]
    }

    /// `ForgetDevice`.
    func forgetDevice(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        try await factors.forget(try device(request, session).id, session: session, caller: call.caller)
        return [:]
    }

    private func app(of session: SessionSnapshot) throws(Rejection) -> CognitoApp {
        guard let app = calls.clients.client(session.facts.clientID)?.dialects.cognito else { throw .clientUnknown }
        return app
    }

    /// - Throws: `notFound` for a key of another form or pool.
    private func device(_ request: CognitoRequest, _ session: SessionSnapshot) throws -> (app: CognitoApp, id: UUID) {
        let app = try app(of: session)
        let key = try request.text("DeviceKey", most: Self.mostKey)
        guard let id = key.split(separator: "_").last.flatMap({ UUID(text: String($0)) }), app.deviceKey(id) == key
        else {
            throw Rejection.notFound
        }
        return (app, id)
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

extension FactorService.ConfirmedDevice {
    fileprivate func json(_ app: CognitoApp) -> JSON {
        var attributes = [
            ("device_status", "valid"),
            ("dev:device_remembered_status", isRemembered ? "remembered" : "not_remembered"),
        ]
        if let name { attributes.append(("device_name", name)) }
        var device: JSONObject = [
            "DeviceKey": .string(app.deviceKey(id)),
            "DeviceAttributes": CognitoAnswers.attributes(attributes.map { (name: $0.0, value: $0.1) }),
            "DeviceCreateDate": .double(addedAt.timeIntervalSince1970),
            "DeviceLastModifiedDate": .double((usedAt ?? addedAt).timeIntervalSince1970),
        ]
        device["DeviceLastAuthenticatedDate"] = .double((usedAt ?? addedAt).timeIntervalSince1970)
        return .object(device)
    }
}
