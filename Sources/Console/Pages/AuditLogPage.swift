import Audit
import JSON
import Pages

/// `GET /admin/audit`: events, newest first.
struct AuditLogPage: ConsolePage {
    static let template = "console_audit"
    static let path = "/admin/audit"

    let frame: ConsoleFrame?
    let filters: AuditFilterFields
    let events: [Facts]
    let names: AuditNames
    /// The cursor of the next page; even an empty page may have one.
    let next: String?
    let isFirst: Bool
    let mayExport: Bool

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.nav.audit"), "fields": filters.rows(&writer),
            "outcomes": filters.choices(&writer), "actions": filters.actions(&writer),
            "is_filtered": !filters.typed.isEmpty,
            "has_events": !events.isEmpty, "events": events.map { row($0, &writer) },
            "is_wrong": filters.wrong != nil, "goes_on": next != nil,
        ]
        values.set(
            "next", next.map { writer.link(Self.path, filters.typed + [(name: "cursor", value: $0)]) })
        values.set("first", isFirst ? nil : writer.link(Self.path, filters.typed))
        values.set("all", filters.typed.isEmpty ? nil : writer.link(Self.path))
        values.set("live", filters.wrong == nil ? writer.link(AuditLivePage.path, filters.typed) : nil)
        values.set("export", mayExport ? writer.link("\(Self.path)/export", filters.typed) : nil)
        return values
    }

    private func row(_ event: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        let action = event["action"] ?? ""
        var row: [String: Any] = [
            "is_refused": event["outcome"] == "refused", "json": writer.shownLines(event.members.indented),
        ]
        let key = AuditEventNames.key(action)
        row.set("event_label", key.map { writer.message($0) })
        row.set("event_code", key == nil ? writer.shown(action) : nil)
        row.set("at", writer.exactTime(event["at"]))
        row.set("reason_code", writer.shown(ifAny: event["reason"]))
        row.set("said", writer.shown(ifAny: event["words"]))
        row.set("network_address", writer.shown(ifAny: event["address"]))
        row.set("client", event["client_id"].map { named($0, names.client($0), &writer) })
        row.set("provider", event["provider"].map { named($0, writer.providerName($0), &writer) })
        row.set("account", event["account_id"].map { writer.person($0, named: names.account($0)) })
        row.set("actor", event["actor_id"].map { writer.person($0, named: names.account($0)) })
        row.set("request", event["request_id"].map { same("request_id", $0, &writer) })
        row.set("session", event["session_id"].map { same("session", $0, &writer) })
        return row
    }

    /// An id with its name; the id alone if both are the same.
    private func named(_ id: String, _ name: String?, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = ["own_id": writer.shown(id)]
        values.set("own_name", name.flatMap { $0 == id ? nil : writer.shown($0) })
        return values
    }

    /// A link to all events with the same value.
    private func same(_ name: String, _ value: String, _ writer: inout ConsoleWriter) -> [String: Any] {
        ["value": writer.shown(value), "address": writer.link(Self.path, [(name: name, value: value)])]
    }
}

/// `GET /admin/audit/export`: asks for a reason before the export.
struct AuditExportPage: ConsolePage {
    static let template = "console_audit_export"
    static let formats = ["csv", "jsonl"]

    let frame: ConsoleFrame?
    let filters: AuditFilterFields
    let format: String
    let reason: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.audit.export"), "reason": writer.exact(reason),
            "chosen": writer.fields(filters.typed.map { HiddenField(name: $0.name, value: $0.value) }),
            "cancel": writer.link(AuditLogPage.path, filters.typed),
            "formats": Self.formats.map { format in
                [
                    "format": format, "format_label": writer.message("console.format.\(format)"),
                    "is_chosen": format == self.format,
                ] as [String: Any]
            },
            "filters": filters.summary(&writer),
        ]
        values.set("is_whole", filters.typed.isEmpty)
        return values
    }
}
