package import Accounts
package import JSON
import Providers

extension ProfileChange {
    /// Reads and checks the profile members that a user sends.
    package init(_ sent: JSONObject, client: Client) throws(Rejection) {
        self.init()
        if sent["display_name"] != nil {
            let name = try Self.text(sent, "display_name", .displayName, most: 1_024)
            set(displayName: name.flatMap { DisplayName.clean($0, limit: 200) })
        }
        if let attributes = sent["attributes"] {
            guard let attributes = attributes.object else {
                throw .invalidField(.attributes, .mustBeObject)
            }
            set(attributes: try client.knownAttributes.changes(attributes))
        }
        if sent["first_factor"] != nil { set(firstFactor: try Self.firstFactor(sent, client)) }
    }

    /// Nil for null.
    private static func text(_ sent: JSONObject, _ name: String, _ field: RequestField, most: Int) throws(Rejection)
        -> String?
    {
        switch sent[name] {
        case nil, .null: return nil
        case .string(let text) where text.utf8.count <= most: return text
        case .string: throw .invalidField(field, .tooLong)
        default: throw .invalidField(field, .mustBeText)
        }
    }

    private static func firstFactor(_ sent: JSONObject, _ client: Client) throws(Rejection) -> String? {
        guard let name = try text(sent, "first_factor", .firstFactor, most: 40) else { return nil }
        guard FirstFactor(rawValue: name) != nil, client.allows(provider: name) else {
            throw .invalidField(.firstFactor, .notOffered)
        }
        return name
    }
}

extension AccountProfile {
    /// Removes the attributes of other clients.
    package func keeping(attributes names: [String]) -> AccountProfile {
        var kept = self
        kept.attributes = names.reduce(into: JSONObject()) { $0[$1] = attributes[$1] }
        return kept
    }
}
