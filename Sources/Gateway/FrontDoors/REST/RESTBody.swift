import Accounts
import Foundation
import Hummingbird
import JSON
import Providers
import Sessions

/// Reading members of a request: what is missing or of another type is named by its pointer.
extension JSONObject {
    /// A text that must be there.
    func required(_ name: String, most: Int = 4_096) throws(Rejection) -> String {
        guard let text = try optional(name, most: most), !text.isEmpty else {
            throw .invalidMember(pointer: "/\(name)", reason: "required")
        }
        return text
    }

    /// A text that may be left out or null.
    func optional(_ name: String, most: Int = 4_096) throws(Rejection) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text) where text.utf8.count <= most: return text
        case .string: throw .invalidMember(pointer: "/\(name)", reason: "too_long")
        default: throw .invalidMember(pointer: "/\(name)", reason: "must_be_text")
        }
    }

    /// An object; `absent` says what leaving it out means.
    func object(_ name: String, absent: JSONObject? = nil) throws(Rejection) -> JSONObject {
        switch self[name] {
        case nil, .null:
            guard let absent else { throw .invalidMember(pointer: "/\(name)", reason: "required") }
            return absent
        case .object(let object): return object
        default: throw .invalidMember(pointer: "/\(name)", reason: "must_be_object")
        }
    }

    func device() throws(Rejection) -> DeviceHint {
        let device = try object("device", absent: [:])
        do throws(Rejection) {
            let name = try device.optional("name", most: 400).flatMap { DisplayName.clean($0, limit: 100) }
            return DeviceHint(name: name, token: try device.optional("token", most: 100))
        } catch {
            throw error.under("/device")
        }
    }
}

extension Rejection {
    /// The same complaint where the body itself is what was answered.
    func outOfResponse() -> Rejection {
        guard case .invalidMember(let pointer, let reason) = self, pointer.hasPrefix("/response/") else { return self }
        return .invalidMember(pointer: String(pointer.dropFirst("/response".count)), reason: reason)
    }

    /// The same complaint about a member deeper in the body.
    func under(_ prefix: String) -> Rejection {
        guard case .invalidMember(let pointer, let reason) = self else { return self }
        return .invalidMember(pointer: prefix + pointer, reason: reason)
    }
}

extension RESTDoor {
    /// The client that a body names.
    func client(_ body: JSONObject, _ call: inout DoorCall) throws(Rejection) -> Client {
        let id = try body.required("client_id", most: 64)
        guard let client = clients.client(id) else { throw .clientUnknown }
        call.clientID = id
        return client
    }

    /// The id of a path.
    func pathID(_ context: GatewayContext) throws(Rejection) -> UUID {
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else { throw .notFound }
        return id
    }
}
