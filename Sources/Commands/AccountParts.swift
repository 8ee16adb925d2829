import JSON
import Telemetry

/// A part of an account that a merge or a split can move.
struct AccountPart {
    /// The member of a report that lists the part: `identities`.
    private let list: String
    private let kind: String
    private let key: String
    private let name: String

    /// The parts of an account, as ``AccountRecords`` returns it.
    static func all(of account: JSON) -> [AccountPart] {
        func parts(_ list: String, _ kind: String, key: String = "id", _ names: String...) -> [AccountPart] {
            (account[list]?.array ?? []).map { part in
                let name = names.compactMap { part[$0]?.string }.joined(separator: " ")
                return AccountPart(list: list, kind: kind, key: part[key]?.string ?? "", name: name)
            }
        }
        let hasPassword = account["password_set_at"]?.string != nil
        return parts("identities", "identity", "provider", "email")
            + parts("emails", "email", key: "address", "address") + parts("phones", "phone", key: "number", "number")
            + (hasPassword ? [AccountPart(list: "password", kind: "password", key: "", name: "")] : [])
            + parts("passkeys", "passkey", "name") + parts("factors", "factor", "kind", "address")
    }

    /// Whether the `moves` of a report list the part; addresses are compared by their keys, in lower case.
    func isListed(in moves: JSON?) -> Bool {
        guard let moved = moves?[list] else { return false }
        return moved.bool ?? (moved.array ?? []).contains { $0.string?.lowercased() == key.lowercased() }
    }

    /// - Parameter effect: the effect on the part: `moves`.
    func row(_ effect: String) -> JSON {
        ["effect": .string(effect), "part": .string(kind), "name": .string(name), "id": .string(key)]
    }
}

/// The preview of a merge or split, with the content of the console's page.
struct PartsPreview {
    private let rows: [JSON]
    private let notes: [String]
    private let json: JSONObject

    /// The preview of a merge.
    ///
    /// - Parameters:
    ///   - report: as `merge_accounts` makes it.
    ///   - kept, absorbed: the accounts.
    init(merge report: JSON, _ kept: JSON, _ absorbed: JSON) {
        func needsFactor(_ time: String) -> Bool { report[time]?["kept"]?["mfa"] == true }
        let joins = report["joins_proofs"]?.integer ?? 0
        let name = kept["user_name"]?.string == nil ? absorbed["user_name"]?.string : nil
        self.init(
            absorbed, report, stays: "is dropped",
            further: [
                joins == 0 ? nil : "Confirmed addresses that move: \(joins)",
                needsFactor("after") && !needsFactor("before") ? "Every sign-in will need a second factor." : nil,
                name.map { "User name: \($0)" },
            ].compactMap(\.self))
    }

    /// The preview of a split; its report names the moved items.
    init(split report: JSON, _ account: JSON) {
        self.init(account, report, stays: "stays", further: [])
    }

    private init(_ account: JSON, _ report: JSON, stays: String, further: [String]) {
        let ends = report["ends_sessions"]?.integer ?? 0
        rows = AccountPart.all(of: account).map { $0.row($0.isListed(in: report["moves"]) ? "moves" : stays) }
        notes = ["Sessions that end: \(ends)"] + further
        json = ["parts": .array(rows), "ends_sessions": .integer(ends), "notes": .array(further.map(JSON.string))]
    }

    func write(_ output: OutputOptions) {
        if output.json { return Terminal.write(JSON.object(json).text) }
        output.write(["effect", "part", "name", "id"], rows)
        for note in notes { Terminal.write(note) }
    }
}
