import JSON

/// Accounts as lines of terminal output.
enum AccountLine {
    static func text(_ account: JSON) -> String {
        let parts: [String?] = [
            account["id"]?.string, account["status"]?.string, account["display_name"]?.string ?? "-",
            account["email"]?.string ?? account["phone"]?.string ?? "-", account["user_name"]?.string ?? "-",
            account["guest"]?.bool == true ? "guest" : nil,
            (account["providers"]?.array ?? []).compactMap(\.string).joined(separator: ","),
        ]
        return parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// The details of an account, one line each.
    static func dossier(_ account: JSON) -> [String] {
        let list: (String) -> [JSON] = { account[$0]?.array ?? [] }
        let text: (JSON, String) -> String = { $0[$1]?.string ?? "-" }
        var lines = [
            "account   \(text(account, "id"))  \(text(account, "status"))",
            "name      \(text(account, "display_name"))",
            "user name \(text(account, "user_name"))", "guest     \(answer(account["guest"]))",
            "created   \(text(account, "created_at"))",
        ]
        if let role = account["role"]?.string { lines.append("operator  \(role)") }
        if let into = account["merged_into"]?.string { lines.append("merged    into \(into)") }
        for kind in ["emails", "phones"] {
            for entry in list(kind) {
                let name = text(entry, kind == "emails" ? "address" : "number")
                let proof = entry["proved_at"]?.string.map { "proved \($0)" } ?? "not proved"
                lines.append("\(kind == "emails" ? "email    " : "phone    ") \(name)  \(proof)")
                if let since = entry["undeliverable_since"]?.string {
                    lines.append("bounced   \(name)  nothing gets there since \(since)")
                }
            }
        }
        lines += list("identities").map {
            "identity  \(text($0, "id"))  \(text($0, "provider"))  \(text($0, "subject"))  linked \(text($0, "linked_at"))"
        }
        lines += list("factors").map { "factor    \(text($0, "id"))  \(text($0, "kind"))  \(text($0, "address"))" }
        lines += list("passkeys").map { "passkey   \(text($0, "id"))  \(text($0, "name"))" }
        lines += list("sessions").map {
            "session   \(text($0, "id"))  \(text($0, "client_id"))  \(text($0, "provider"))  used \(text($0, "last_used_at"))"
        }
        lines += list("changes").filter { $0["undone_at"]?.isNull != false }.map {
            "change    \(text($0, "id"))  \(text($0, "kind"))  \(text($0, "made_at"))  can be undone until \(text($0, "undo_until"))"
        }
        return lines
    }

    static func event(_ event: JSON) -> String {
        let parts: [String?] = [
            event["at"]?.string, event["action"]?.string, event["outcome"]?.string == "refused" ? "refused" : nil,
            event["reason"]?.string, event["provider"]?.string, event["client_id"]?.string, event["address"]?.string,
            event["actor_id"]?.string.map { "by \($0)" }, event["words"]?.string.map { "\"\($0)\"" },
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }

    static func answer(_ json: JSON?) -> String { json?.bool == true ? "yes" : "no" }
}
