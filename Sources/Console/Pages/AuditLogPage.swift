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
            "codes": filters.codes(&writer),
            "is_filtered": !filters.typed.isEmpty,
            "has_events": !events.isEmpty, "events": events.map { row($0, &writer) },
            "is_wrong": filters.wrong != nil, "goes_on": next != nil, "shows_views": filters.showsViews,
        ]
        let kept = filters.parameters
        values.set("next", next.map { writer.link(Self.path, kept + [(name: "cursor", value: $0)]) })
        values.set("first", isFirst ? nil : writer.link(Self.path, kept))
        values.set("all", filters.typed.isEmpty ? nil : writer.link(Self.path, filters.withoutFilters))
        values.set("live", filters.wrong == nil ? writer.link(AuditLivePage.path, kept) : nil)
        values.set("export", mayExport ? writer.link("\(Self.path)/export", kept) : nil)
        values.set("views", filters.turned(Self.path, &writer))
        return values
    }

    private func row(_ event: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        let frame = frame
        return writer.auditRow(
            AuditRow(event, names, writer.words) { frame?.providerName($0) ?? $0 })
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
            "chosen": writer.fields(filters.parameters.map { HiddenField(name: $0.name, value: $0.value) }),
            "cancel": writer.link(AuditLogPage.path, filters.parameters),
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
