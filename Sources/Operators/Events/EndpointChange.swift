import Foundation
import JSON
import OperatorAccess
import Outbound

/// A change of an endpoint; omitted members stay unchanged.
struct EndpointChange: Sendable, Equatable {
    /// By the column names of `event_endpoints`.
    let members: JSONObject

    private static let longestURL = 2_048

    /// Reads the members.
    ///
    /// - Parameter allowsLocal: whether `http` to this machine is allowed, for development.
    /// - Throws: `invalidMember` for an unknown or invalid member.
    init(_ sent: JSONObject, allowsLocal: Bool) throws(AdminRefusal) {
        var members: JSONObject = [:]
        for member in sent.members where member.name != "reason" {
            members[member.name] = try Self.checked(member.name, member.value, allowsLocal)
        }
        guard !members.members.isEmpty else { throw .nothingToChange }
        self.members = members
    }

    private static func checked(_ name: String, _ value: JSON, _ allowsLocal: Bool) throws(AdminRefusal) -> JSON {
        switch name {
        case "url": try checkURL(value, allowsLocal)
        case "types": try checkTypes(value)
        case "client_id":
            guard value.isNull || value.string != nil else {
                throw .invalidMember(pointer: "/client_id", reason: "must_be_text")
            }
        case "disabled":
            guard value.bool != nil else { throw .invalidMember(pointer: "/disabled", reason: "must_be_boolean") }
        default:
            throw .invalidMember(
                pointer: "/\(name)", reason: "unknown_member", accepted: ["url", "types", "client_id", "disabled"])
        }
        return value
    }

    private static func checkURL(_ value: JSON, _ allowsLocal: Bool) throws(AdminRefusal) {
        guard let text = value.string, text.utf8.count <= longestURL else {
            throw .invalidMember(pointer: "/url", reason: "malformed")
        }
        do {
            _ = try OutboundURL(text, allowsLocal: allowsLocal)
        } catch {
            throw .invalidMember(pointer: "/url", reason: error == .addressRefused ? "address_refused" : "malformed")
        }
    }

    private static func checkTypes(_ value: JSON) throws(AdminRefusal) {
        guard let types = value.array, types.count <= EventType.allCases.count else {
            throw .invalidMember(pointer: "/types", reason: "must_be_list")
        }
        for (index, type) in types.enumerated() {
            guard type.string.flatMap(EventType.init(rawValue:)) != nil else {
                throw .invalidMember(
                    pointer: "/types/\(index)", reason: "unknown_type", accepted: EventType.allCases.map(\.rawValue))
            }
        }
    }
}
