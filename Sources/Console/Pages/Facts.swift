import JSON

/// Data of an account or an item from the database; missing members are allowed.
struct Facts: Sendable, Equatable {
    let members: JSONObject

    init(_ json: JSON?) {
        members = json?.object ?? [:]
    }

    subscript(_ name: String) -> String? { members[name]?.string }

    func flag(_ name: String) -> Bool { members[name]?.bool ?? false }
    func number(_ name: String) -> Int { members[name]?.integer ?? 0 }
    func part(_ name: String) -> Facts { Facts(members[name]) }
    func list(_ name: String) -> [Facts] { (members[name]?.array ?? []).map { Facts($0) } }
    func names(_ name: String) -> [String] { (members[name]?.array ?? []).compactMap(\.string) }
}

extension Facts {
    /// The name of an account, from the available data.
    var accountName: String? { self["display_name"] ?? self["user_name"] ?? self["email"] ?? self["phone"] }

    var id: String { self["id"] ?? "" }
}
