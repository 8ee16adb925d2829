package import JSON
package import OperatorAccess

/// The complete settings of one client, as a file declares them.
///
/// An omitted setting has its default, so that the same file gives the same clients on every database. Only `id` and
/// `providers` are required: an app offers exactly the sign-in methods that its declaration lists.
package struct ClientDeclaration: Sendable, Equatable {
    package let id: String
    let change: ClientChange
    let isConfidential: Bool

    /// The settings of a client that declares only its id: the column defaults of `clients`.
    package static let defaults: JSONObject = [
        "type": "public", "origins": [], "redirect_uris": [], "accepted_audiences": [:],
        "linking_policy": "both_verified", "second_factor": "optional", "sign_up_names": ["email"],
        "custom_challenge": false, "foreign_nonces": false, "guests": false, "brand": .null,
        "bot_check": "beyond_budget", "dialects": [:], "openid": [:], "attributes": [], "claims": .null,
        "audiences": ["account"],
        "access_token_seconds": 600, "refresh_idle_seconds": 2_592_000, "refresh_max_seconds": 7_776_000,
        "refresh_rotation": "always", "disabled": false,
    ]

    /// - Throws: `invalidMember` with the position in the declaration.
    package init(_ sent: JSONObject) throws(AdminRefusal) {
        guard let id = sent["id"]?.string else { throw .invalidMember(pointer: "/id", reason: "required") }
        guard ClientID.isValid(id) else { throw .invalidMember(pointer: "/id", reason: "malformed") }
        guard sent["reason"] == nil else { throw .invalidMember(pointer: "/reason", reason: "unknown_member") }
        var settings = Self.defaults
        settings["name"] = .string(id)
        // The database refuses sign-up names of a client for administration.
        if sent["audiences"]?.array?.contains(.string(Audience.administration.rawValue)) == true {
            settings["sign_up_names"] = nil
        }
        for member in sent.members where member.name != "id" { settings[member.name] = member.value }
        self.id = id
        change = try ClientChange(settings)
        guard sent["providers"] != nil else { throw .invalidMember(pointer: "/providers", reason: "required") }
        isConfidential = settings["type"]?.string == Client.Kind.confidential.rawValue
    }

    /// Parses `{"clients": [{"id": …}, …]}`.
    ///
    /// - Throws: `invalidMember` with the position in the file.
    package static func all(in file: JSON) throws(AdminRefusal) -> [ClientDeclaration] {
        guard let members = file.object else { throw .invalidMember(pointer: "", reason: "must_be_object") }
        for member in members.members where member.name != "clients" {
            throw .invalidMember(pointer: "/\(member.name)", reason: "unknown_member", accepted: ["clients"])
        }
        guard let list = members["clients"]?.array else {
            throw .invalidMember(pointer: "/clients", reason: "must_be_list")
        }
        var declarations: [ClientDeclaration] = []
        for (index, item) in list.enumerated() {
            let declaration = try placed(index) { () throws(AdminRefusal) in
                guard let sent = item.object else { throw .invalidMember(pointer: "", reason: "must_be_object") }
                return try ClientDeclaration(sent)
            }
            guard !declarations.contains(where: { $0.id == declaration.id }) else {
                throw .invalidMember(pointer: "/clients/\(index)/id", reason: "taken")
            }
            declarations.append(declaration)
        }
        return declarations
    }

    /// Adds the place of a declaration in its file to a refusal.
    static func placed<Value>(
        _ index: Int, _ body: () throws(AdminRefusal) -> Value
    ) throws(AdminRefusal) -> Value {
        do throws(AdminRefusal) {
            return try body()
        } catch {
            throw placed(error, index)
        }
    }

    /// The same refusal with its pointer relative to the file.
    static func placed(_ refusal: AdminRefusal, _ index: Int) -> AdminRefusal {
        guard case .invalidMember(let pointer, let reason, let accepted) = refusal else { return refusal }
        return .invalidMember(pointer: "/clients/\(index)\(pointer)", reason: reason, accepted: accepted)
    }

    /// A client with its members in the order of a declaration; those that no file declares follow.
    package static func ordered(_ client: JSON) -> JSON {
        let names = ["id", "name", "providers"] + defaults.members.map(\.name)
        let members = client.object?.members ?? []
        let declared = names.compactMap { name in members.first { $0.name == name } }
        return .object(JSONObject(declared + members.filter { !names.contains($0.name) }))
    }

    /// A stored client as a declaration, without the settings that have their defaults.
    package static func declaring(_ client: JSON) -> JSONObject {
        var sent: JSONObject = ["id": client["id"] ?? .null]
        if client["name"] != client["id"] { sent["name"] = client["name"] }
        sent["providers"] = client["providers"]
        for member in defaults.members where client[member.name] != member.value {
            sent[member.name] = client[member.name]
        }
        if sent["sign_up_names"] == [] { sent["sign_up_names"] = nil }
        return sent
    }
}
