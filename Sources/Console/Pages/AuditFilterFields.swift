import Audit
import Pages

/// The filters of the audit log in URLs and forms.
struct AuditFilterFields: Sendable {
    /// In the order of the form; `code` is the log's `reason`, because forms have an operator's reason.
    ///
    /// The label of each is the message `console.filter.<it>`.
    static let names = [
        "action", "outcome", "code", "account", "actor", "provider", "client", "address", "request_id", "session",
        "from", "to",
    ]
    static let outcomes = ["done", "refused"]
    private static let times = ["from", "to"]

    let typed: [(name: String, value: String)]
    /// Whether operators' views are shown; by default they are not, because they would fill the log.
    let showsViews: Bool
    /// The invalid filter with its error: the message `console.filter.<why>`.
    var wrong: (name: String, why: String)?

    init(_ value: (String) -> String?) {
        typed = Self.names.compactMap { name in value(name).map { (name, $0) } }
        showsViews = value(Self.views) == "true"
    }

    /// A filter as the services read it.
    func value(_ name: String) -> String? {
        if name == Self.views { return showsViews || !hasSwitch ? nil : "false" }
        let own = name == "reason" ? "code" : name
        guard let text = typed.first(where: { $0.name == own })?.value else { return nil }
        return Self.times.contains(name) ? Self.inUTC(text) : text
    }

    /// A browser's time field has no zone, and may omit the seconds; here all times are in UTC.
    static func inUTC(_ text: String) -> String {
        switch text.utf8.count {
        case 16: text + ":00Z"
        case 19: text + "Z"
        default: text
        }
    }

    /// The fields to type in; the others are lists.
    func rows(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        Self.names.filter { !["action", "outcome", "code"].contains($0) }.map { name in
            let isTime = Self.times.contains(name)
            let text = typed.first { $0.name == name }?.value ?? ""
            var row: [String: Any] = [
                "field_name": name, "field_label": writer.message("console.filter.\(name)"),
                "kind": isTime ? "datetime-local" : "text",
                "field_value": writer.exact(isTime ? Self.withoutZone(text) : text),
            ]
            let isWrong = wrong?.name == name
            row.set("wrong", isWrong ? writer.message("console.filter.\(Self.word(wrong?.why ?? ""))") : nil)
            return row
        }
    }

    func choices(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        Self.outcomes.map { outcome in
            [
                "choice": outcome, "choice_label": writer.message("console.outcome.\(outcome)"),
                "is_chosen": value("outcome") == outcome,
            ]
        }
    }

    /// The events to choose from, by name.
    func actions(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        let words = writer.words
        return list("action", AuditEventNames.all.map { ($0, words.text("console.event.\($0)")) }, &writer)
    }

    /// The reasons of refusals to choose from, by name.
    func codes(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        let words = writer.words
        return list("code", AuditReasons.codes.map { ($0, AuditReasons.refusal($0, words)) }, &writer)
    }

    /// The chosen entry is among them even if it has no name.
    private func list(
        _ filter: String, _ known: [(value: String, label: String)], _ writer: inout ConsoleWriter
    ) -> [[String: Any]] {
        let chosen = value(filter == "code" ? "reason" : filter)
        let other = chosen.flatMap { chosen in
            chosen.isEmpty || known.contains { $0.value == chosen } ? nil : [(value: chosen, label: chosen)]
        }
        return (known.sorted { $0.label < $1.label } + (other ?? [])).map { entry in
            [
                "choice": writer.exact(entry.value), "choice_label": writer.shown(entry.label),
                "is_chosen": entry.value == chosen,
            ]
        }
    }

    /// The active filters, for display.
    func summary(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        typed.map { filter in
            [
                "field_label": writer.message("console.filter.\(filter.name)"),
                "field_value": shown(filter.name, filter.value, &writer),
            ]
        }
    }

    private func shown(_ name: String, _ value: String, _ writer: inout ConsoleWriter) -> String {
        switch name {
        case "action": AuditEventNames.key(value).map { writer.message($0) } ?? writer.shown(value)
        case "code": writer.shown(AuditReasons.refusal(value, writer.words))
        case "outcome" where Self.outcomes.contains(value): writer.message("console.outcome.\(value)")
        default: writer.shown(value)
        }
    }

    private static func word(_ why: String) -> String { why == "must_be_time" ? why : "must_be_id" }

    private static func withoutZone(_ text: String) -> String {
        text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}
