import Audit
import Foundation
package import OperatorAccess
import Settings

extension AuditFilter {
    package static let names = [
        "account", "actor", "session", "action", "outcome", "reason", "provider", "client", "address", "request_id",
        "from", "to", "views",
    ]

    /// Reads the filters by their names.
    ///
    /// - Throws: `invalidMember` for an invalid id, time or flag.
    package init(_ value: (String) -> String?) throws(AdminRefusal) {
        self.init()
        account = try Self.id("account", value)
        actor = try Self.id("actor", value)
        session = try Self.id("session", value)
        (action, outcome, reason) = (value("action"), value("outcome"), value("reason"))
        (provider, client) = (value("provider"), value("client"))
        address = value("address").map(NetworkAddress.canonical)
        requestID = value("request_id")
        from = try Self.time("from", value)
        to = try Self.time("to", value)
        views = try Self.flag("views", value) ?? true
    }

    private static func id(_ name: String, _ value: (String) -> String?) throws(AdminRefusal) -> UUID? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let id = UUID(uuidString: text) else { throw .invalidMember(pointer: "/\(name)", reason: "must_be_id") }
        return id
    }

    private static func flag(_ name: String, _ value: (String) -> String?) throws(AdminRefusal) -> Bool? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let flag = Bool(text) else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_true_or_false")
        }
        return flag
    }

    private static func time(_ name: String, _ value: (String) -> String?) throws(AdminRefusal) -> Date? {
        guard let text = value(name), !text.isEmpty else { return nil }
        guard let time = (try? Date(text, strategy: .iso8601)) ?? (try? Date("\(text)T00:00:00Z", strategy: .iso8601))
        else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_time")
        }
        return time
    }
}
