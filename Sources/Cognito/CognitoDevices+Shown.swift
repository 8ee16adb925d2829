import Clients
import Foundation
import JSON
import SignIn
import Vocabulary

/// Devices of a pool as the API shows them, to users and to back ends.
extension CognitoApp {
    /// The longest device key, in bytes.
    static let mostDeviceKey = 55
    private static let mostDevices = 60

    /// The device of `DeviceKey`.
    ///
    /// - Throws: `notFound` for a key of another form or pool.
    func deviceID(_ request: CognitoRequest) throws -> UUID {
        let key = try request.text("DeviceKey", most: Self.mostDeviceKey)
        guard let id = key.split(separator: "_").last.flatMap({ UUID(text: String($0)) }), deviceKey(id) == key else {
            throw Rejection.notFound
        }
        return id
    }

    /// `Device` of `GetDevice`.
    func device(_ request: CognitoRequest, among all: [FactorService.ConfirmedDevice]) throws -> JSONObject {
        let id = try deviceID(request)
        guard let found = all.first(where: { $0.id == id }) else { throw Rejection.notFound }
        return ["Device": found.json(self)]
    }

    /// One page of `ListDevices`: at most `Limit`, after the device of `PaginationToken`.
    func devices(_ request: CognitoRequest, among all: [FactorService.ConfirmedDevice]) throws -> JSONObject {
        let limit = request.body["Limit"]?.integer ?? Self.mostDevices
        guard (0...Self.mostDevices).contains(limit) else {
            throw CognitoError.constraint(String(limit), at: "limit", "have value less than or equal to 60")
        }
        let after = try request.optional("PaginationToken", most: Self.mostDeviceKey)
        let rest = after.map { key in Array(all.drop { deviceKey($0.id) != key }.dropFirst()) } ?? all
        let page = rest.prefix(limit == 0 ? Self.mostDevices : limit)
        var answer: JSONObject = ["Devices": .array(page.map { $0.json(self) })]
        if page.count < rest.count { answer["PaginationToken"] = page.last.map { .string(deviceKey($0.id)) } }
        return answer
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
