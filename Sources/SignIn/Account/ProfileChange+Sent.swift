package import Clients
package import JSON
import Providers
package import Vocabulary

extension ProfileChange {
    /// Reads and checks the profile members that a user sends, or the back end of the app.
    package init(
        _ sent: JSONObject, by side: ClientAttribute.Writer = .user, client: Client
    ) throws(Rejection) {
        self.init()
        if sent["display_name"] != nil {
            let name = try Self.text(sent, "display_name", .displayName, most: 1_024)
            set(displayName: name.flatMap { DisplayName.clean($0, limit: 200) })
        }
        if let attributes = sent["attributes"] {
            guard let attributes = attributes.object else {
                throw .invalidField(.attributes, .mustBeObject)
            }
            set(attributes: client.knownAttributes.stored(try client.knownAttributes.changes(attributes, by: side)))
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
            let offered = client.providers.filter { FirstFactor(rawValue: $0) != nil }
            throw .invalidField(.firstFactor, .notOffered.accepting(offered))
        }
        return name
    }
}
