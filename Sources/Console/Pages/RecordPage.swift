import Audit
import Operators

/// `GET /admin/accounts/{id}`: all data of an account.
struct RecordPage: ConsolePage {
    static let template = "console_account"

    let frame: ConsoleFrame?
    let account: Facts
    let suggestions: [Facts]
    let events: [Facts]
    /// The last refused sign-ins, newest first.
    let refusals: [Facts]
    /// The cursor of the history: an event id.
    let before: Int?
    /// The viewer's permitted actions.
    let offered: [AccountAction]
    /// Why all actions are blocked: the message `console.account.<it>`.
    let hint: String?
    let done: AccountAction?
    /// The completed change.
    let change: String?
    /// As RFC 3339, to determine the changes that can still be undone.
    let now: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = writer.face(account)
        values.set("title", writer.message("console.account.title", ["name": account.accountName ?? account.id]))
        values.set("account_id", writer.shown(account.id))
        values.set("changed", writer.time(account["changed_at"]))
        values.set("done", done.map { writer.message("console.do.\($0.name).done") })
        values.set("hint", hint.map { writer.message("console.account.\($0)") })
        let due = account.part("deletion")["due_at"]
        values.set(
            "deletion", due.map { ["sentence": writer.sentence("console.account.deletion", ["date": $0])] })
        let removal = account["factor_removal_due_at"]
        values.set(
            "removal", removal.map { ["sentence": writer.sentence("console.account.factor_removal", ["date": $0])] })
        values.set("merged_into", account["merged_into"].map { writer.person($0) })
        let absorbed = account.names("absorbed").map { writer.person($0) }
        values.set("has_absorbed", !absorbed.isEmpty)
        values.set("absorbed", absorbed)
        setActions(&values, &writer)
        values.set("undo", undoLink(change, &writer))
        add("addresses", addresses(&writer), to: &values)
        add("identities", identities(&writer), to: &values)
        add("proofs", proofs(&writer), to: &values)
        add("sessions", sessions(&writer), to: &values)
        add("devices", devices(&writer), to: &values)
        add("suggestions", suggestions.map { suggestion($0, &writer) }, to: &values)
        add("changes", changes(&writer), to: &values)
        add("attributes", attributes(&writer), to: &values)
        add("causes", refusals.map { cause($0, &writer) }, to: &values)
        add("events", events.map { event($0, &writer) }, to: &values)
        if offered.contains(.endSessions), !account.list("sessions").isEmpty {
            values.set("end_all", button(.endSessions, [], &writer))
        }
        values.set(
            "earlier",
            before.map { id in
                writer.link(ConsoleAddress.ofAccount(account.id), [(name: "before", value: "\(id)")]) + "#history"
            })
        return values
    }

    /// A refused sign-in, without the account that the page is about.
    private func cause(_ event: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values = writer.cause(event, names: AuditNames())
        values.set("account", nil)
        return values
    }

    /// The actions that help most often; the first two possible ones are in sight.
    private static let helpful = [
        "cancel_deletion", "keep_factors", "enable", "require_reset", "remove_factors", "merge", "impersonate", "link",
    ]

    /// Shows two actions, the others in a menu, and the dangerous ones in the danger zone at the end.
    private func setActions(_ values: inout [String: Any], _ writer: inout ConsoleWriter) {
        let all = offered.filter { $0.part == .account }
        let harmless = all.filter { !$0.isDangerous }
        let first = Self.helpful.compactMap { name in harmless.first { $0.name == name } }.prefix(2)
        let rest = harmless.filter { !first.contains($0) }
        values["actions"] = first.compactMap { button($0, [], &writer) }
        add("more", rest.compactMap { button($0, [], &writer) }, to: &values)
        add("danger", all.filter(\.isDangerous).compactMap { button($0, [], &writer) }, to: &values)
    }

    private func add(_ name: String, _ list: [[String: Any]], to values: inout [String: Any]) {
        values[name] = list
        values["has_\(name)"] = !list.isEmpty
    }

    /// A link to the confirmation of an action; nil if it isn't permitted.
    func button(
        _ action: AccountAction, _ parameters: [(name: String, value: String)], about what: String? = nil,
        _ writer: inout ConsoleWriter
    ) -> [String: Any]? {
        guard offered.contains(action) else { return nil }
        let hasForm = action.interfaces.contains(.form)
        let address = writer.link(
            ConsoleAddress.ofAccount(account.id, hasForm ? "change" : action.name),
            (hasForm ? [(name: "do", value: action.name)] : []) + parameters)
        let label = writer.message("console.do.\(action.name).name")
        var values: [String: Any] = [
            "address": address, "label": label, "action": action.name,
            "style": action.isDangerous ? "danger" : "quiet",
        ]
        values.set("full_label", what.map { "\(label): \(writer.shown($0))" })
        return values
    }

    /// The buttons of one part of the account.
    ///
    /// - Parameters:
    ///   - value: the part's own argument, if there are several such parts.
    ///   - what: the name of the part.
    func buttons(
        _ part: AccountAction.Part, of value: String? = nil, about what: String? = nil, _ writer: inout ConsoleWriter
    ) -> [[String: Any]] {
        let parameters = value.map { [(name: part.rawValue, value: $0)] } ?? []
        return offered.filter { $0.part == part }.compactMap { button($0, parameters, about: what, &writer) }
    }

    func undoLink(_ change: String?, _ writer: inout ConsoleWriter) -> [String: Any]? {
        guard let change, let known = account.list("changes").first(where: { $0.id == change }), isOpen(known) else {
            return nil
        }
        return button(.undo, [(name: "change", value: change)], &writer)
    }

    /// Whether a change can still be undone.
    func isOpen(_ change: Facts) -> Bool {
        change["undone_at"] == nil && (change["undo_until"] ?? "") > now
    }
}
