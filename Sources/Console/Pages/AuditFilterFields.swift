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
    /// The invalid filter with its error: the message `console.filter.<why>`.
    var wrong: (name: String, why: String)?

    init(_ value: (String) -> String?) {
        typed = Self.names.compactMap { name in value(name).map { (name, $0) } }
    }

    /// A filter as the services read it.
    func value(_ name: String) -> String? {
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

    func rows(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        Self.names.filter { !["action", "outcome"].contains($0) }.map { name in
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

    /// The events to choose from, by name; the chosen one is among them even if it has no name.
    func actions(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        let chosen = value("action")
        let known = AuditEventNames.all.map { (action: $0, label: writer.words.text("console.event.\($0)")) }
        let other = chosen.flatMap { AuditEventNames.key($0) == nil && !$0.isEmpty ? [(action: $0, label: $0)] : nil }
        return (known.sorted { $0.label < $1.label } + (other ?? [])).map { event in
            [
                "choice": writer.exact(event.action), "choice_label": writer.shown(event.label),
                "is_chosen": event.action == chosen,
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
        let key = name == "action" ? AuditEventNames.key(value) : nil
        return key.map { writer.message($0) } ?? writer.shown(value)
    }

    private static func word(_ why: String) -> String { why == "must_be_time" ? why : "must_be_id" }

    private static func withoutZone(_ text: String) -> String {
        text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}
