import JSON

/// Accounts as rows of tables.
enum AccountRows {
    static let columns = ["id", "status", "display_name", "email", "phone", "user_name", "guest", "providers"]
    static let columnsOfEvents = [
        "at", "action", "outcome", "reason", "provider", "client_id", "address", "actor_id", "words",
    ]
    static let columnsOfParts = ["part", "id", "value", "state"]

    /// The parts of an account, each as a row.
    static func parts(_ account: JSON) -> [JSON] {
        let changes = list("changes", of: account).filter { $0["undone_at"]?.isNull != false }
        var rows = [
            row("account", account["id"], text(account, "display_name"), text(account, "status")),
            row("created", nil, text(account, "created_at"), account["guest"] == true ? "guest" : ""),
        ]
        rows += ["user_name", "role", "merged_into"].compactMap { name in
            account[name]?.string.map { row(name.replacing("_", with: " "), nil, $0, "") }
        }
        rows += list("emails", of: account).flatMap { address($0, "email", text($0, "address")) }
        rows += list("phones", of: account).flatMap { address($0, "phone", text($0, "number")) }
        rows += list("identities", of: account).map {
            row("identity", $0["id"], text($0, "provider", "subject"), "linked \(text($0, "linked_at"))")
        }
        if let set = account["password_set_at"]?.string {
            rows.append(row("password", nil, text(account, "password_state"), "set \(set)"))
        }
        rows += list("factors", of: account).map {
            row("factor", $0["id"], text($0, "kind", "address"), "added \(text($0, "added_at"))")
        }
        rows += list("passkeys", of: account).map {
            row("passkey", $0["id"], text($0, "name"), "added \(text($0, "added_at"))")
        }
        rows += list("sessions", of: account).map {
            row("session", $0["id"], text($0, "client_id", "provider"), "used \(text($0, "last_used_at"))")
        }
        return rows
            + changes.map {
                row("change", $0["id"], text($0, "kind", "made_at"), "can be undone until \(text($0, "undo_until"))")
            }
    }

    /// Other accounts with the facts that they share, a row for each fact.
    static func suggestions(_ accounts: [JSON]) -> [JSON] {
        accounts.flatMap { account in
            list("facts", of: account).map { .object((account.object ?? [:]).and($0.object ?? [:])) }
        }
    }

    private static func address(_ entry: JSON, _ part: String, _ value: String) -> [JSON] {
        let proof = entry["proved_at"]?.string.map { "proved \($0)" } ?? "not proved"
        let bounced = entry["undeliverable_since"]?.string.map {
            row("bounced", nil, value, "nothing gets there since \($0)")
        }
        return [row(part, nil, value, proof)] + (bounced.map { [$0] } ?? [])
    }

    private static func row(_ part: String, _ id: JSON?, _ value: String, _ state: String) -> JSON {
        ["part": .string(part), "id": id ?? .null, "value": .string(value), "state": .string(state)]
    }

    private static func list(_ name: String, of account: JSON) -> [JSON] { account[name]?.array ?? [] }

    private static func text(_ json: JSON, _ names: String...) -> String {
        names.compactMap { json[$0]?.string }.joined(separator: " ")
    }
}
