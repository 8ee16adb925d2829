import Audit
import Operators

/// The reasons for suggesting other accounts, and the history.
extension RecordPage {
    func suggestion(_ other: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values = writer.face(other)
        let strength = other["strength"] ?? ""
        values.set(
            "strength_label",
            writer.message(
                "console.strength.\(ConsoleWords.strengths.contains(strength) ? strength : "weak")"))
        values.set("is_strong", strength == "strong")
        values.set("facts", other.list("facts").compactMap { fact(of: $0, &writer) })
        values.set("beside", beside(other, &writer))
        values.set(
            "merge",
            button(
                .merge, [(name: "with", value: other.id)], about: other.accountName ?? other.id, &writer))
        return values
    }

    /// What identifies the two accounts, side by side; rows that both lack are left out.
    private func beside(_ other: Facts, _ writer: inout ConsoleWriter) -> [[String: Any]] {
        let rows: [(label: String, here: [String], there: [String])] = [
            ("account.name", values(account["display_name"]), values(other["display_name"])),
            ("account.user_name", values(account["user_name"]), values(other["user_name"])),
            ("method.email", values(account["email"]), values(other["email"])),
            ("method.phone", values(account["phone"]), values(other["phone"])),
            ("column.providers", account.names("providers"), other.names("providers")),
        ]
        return rows.filter { !$0.here.isEmpty || !$0.there.isEmpty }.map { row in
            let isProvider = row.label == "column.providers"
            let sides = [row.here, row.there].map { side in
                side.map { writer.shown(isProvider ? writer.providerName($0) : $0) }.joined(separator: ", ")
            }
            let same = Set(row.here.map { $0.lowercased() }).intersection(row.there.map { $0.lowercased() })
            return [
                "label": writer.message("console.\(row.label)"), "here": sides[0], "there": sides[1],
                "is_same": !same.isEmpty,
            ]
        }
    }

    private func values(_ text: String?) -> [String] { text.map { [$0] } ?? [] }

    private func fact(of facts: Facts, _ writer: inout ConsoleWriter) -> [String: Any]? {
        guard let kind = facts["fact"], ConsoleWords.facts.contains(kind) else { return nil }
        var values: [String: Any] = ["fact": writer.sentence("console.fact.\(kind)", ["value": facts["value"] ?? ""])]
        if ["same_email", "same_email_told", "same_phone"].contains(kind) {
            let sides = [facts.flag("proved_here"), facts.flag("proved_there")].filter { $0 }.count
            values.set("proof", writer.message("console.proof.\(["none", "one", "both"][sides])"))
        }
        return values
    }

    func changes(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        account.list("changes").compactMap { change in
            guard let kind = change["kind"], ConsoleWords.kinds.contains(kind) else { return nil }
            var values: [String: Any] = ["kind_label": writer.message("console.change.\(kind)")]
            values.set("made", writer.time(change["made_at"]))
            let other = change["other_id"] == account.id ? change["account_id"] : change["other_id"]
            values.set("other", other.map { writer.person($0) })
            values.set("actor", change["actor_id"].map { writer.person($0, named: change["actor_name"]) })
            if isOpen(change) {
                values.set("until", writer.time(change["undo_until"]))
                values.set(
                    "action",
                    button(
                        .undo, [(name: "change", value: change.id)], about: values["kind_label"] as? String, &writer))
            } else {
                values.set("undone", writer.time(change["undone_at"]))
                values.set("is_over", change["undone_at"] == nil)
            }
            return values
        }
    }

    func event(_ event: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        let action = event["action"] ?? ""
        var values: [String: Any] = ["is_refused": event["outcome"] == "refused"]
        let key = AuditEventNames.key(action)
        values["event"] = key.map { writer.message($0) } ?? writer.shown(action)
        values["is_code"] = key == nil
        values.set("at", writer.exactTime(event["at"]))
        values.set("reason", writer.shown(ifAny: AuditReasons.text(of: event, writer.words)))
        values.set("said", writer.shown(ifAny: event["words"]))
        values.set("network_address", writer.shown(ifAny: event["address"]))
        values.set("actor", event["actor_id"].map { writer.person($0, named: event["actor_name"]) })
        values.set("provider_name", event["provider"].map { writer.shown(writer.providerName($0)) })
        let owner = event["account_id"].flatMap { $0 == account.id ? nil : $0 }
        values.set("of", owner.map { writer.person($0) })
        return values
    }
}
