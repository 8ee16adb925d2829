import Foundation
package import JSON
package import OperatorAccess

/// The items of an account that move to a new one.
package struct SplitItems: Sendable, Equatable {
    /// In the format of `move_items`.
    let json: JSON

    private static let ids = ["identities", "passkeys", "factors"]
    private static let keys = ["emails", "phones"]
    private static let most = 100

    /// Reads the lists; unlisted items stay.
    ///
    /// - Throws: `invalidMember` for anything else, and without items.
    package init(_ sent: JSONObject) throws(AdminRefusal) {
        var items: JSONObject = [:]
        var count = 0
        for name in Self.ids + Self.keys {
            let list = try Self.list(sent, name, areIDs: Self.ids.contains(name))
            items[name] = .array(list.map(JSON.string))
            count += list.count
        }
        do {
            items["password"] = .bool(try sent.optionalBool("password") ?? false)
        } catch {
            throw .invalidMember(pointer: error.pointer, reason: "must_be_boolean")
        }
        guard count > 0 else { throw .invalidMember(pointer: "/identities", reason: "nothing_listed") }
        json = .object(items)
    }

    private static func list(_ sent: JSONObject, _ name: String, areIDs: Bool) throws(AdminRefusal) -> [String] {
        let array: [JSON]
        do { array = try sent.optionalArray(name) ?? [] } catch {
            throw .invalidMember(pointer: error.pointer, reason: "must_be_list")
        }
        guard array.count <= most else { throw .invalidMember(pointer: "/\(name)", reason: "must_be_list") }
        var list: [String] = []
        for (index, item) in array.enumerated() {
            guard let text = item.string, text.utf8.count <= 254, !areIDs || UUID(uuidString: text) != nil,
                !list.contains(text)
            else { throw .invalidMember(pointer: "/\(name)/\(index)", reason: "malformed") }
            list.append(areIDs ? text.lowercased() : text)
        }
        return list
    }
}
