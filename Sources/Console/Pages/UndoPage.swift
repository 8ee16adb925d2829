/// `GET /admin/accounts/{id}/undo`: undoing a change.
struct UndoPage: ConsolePage {
    static let template = "console_undo"

    let frame: ConsoleFrame?
    let account: Facts
    let change: Facts
    let reason: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let kind = change["kind"].flatMap { ConsoleWords.kinds.contains($0) ? $0 : nil }
        var values: [String: Any] = [
            "title": writer.message("console.undo.heading"), "face": writer.face(account),
            "target": writer.exact(ConsoleAddress.ofAccount(account.id, "undo")),
            "cancel": writer.link(ConsoleAddress.ofAccount(account.id)), "reason": writer.exact(reason),
            "change": writer.exact(change.id),
        ]
        values.set("kind_label", kind.map { writer.message("console.change.\($0)") })
        values.set("made", writer.time(change["made_at"]))
        values.set("until", writer.time(change["undo_until"]))
        let other = change["other_id"] == account.id ? change["account_id"] : change["other_id"]
        values.set("other", other.map { writer.person($0) })
        values.set("actor", change["actor_id"].map { writer.person($0, named: change["actor_name"]) })
        return values
    }
}
