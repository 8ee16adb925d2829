import Audit
import HTTPServer
import Pages

/// Events of the audit log, shared by several pages.
extension ConsoleWriter {
    /// A line of the log, and the parts below it.
    mutating func auditRow(_ row: AuditRow) -> [String: Any] {
        var values: [String: Any] = [
            "at": ["iso": exact(row.at), "at": shown(row.stamp)], "event": shown(row.event), "is_code": row.isCode,
            "is_refused": row.isRefused, "from": shown(row.from), "json": shownLines(row.data),
            "parts": row.parts.map { part($0) },
        ]
        values.set("reason", shown(ifAny: row.reason))
        values.set(
            "account",
            row.account.map { account in
                [
                    "text": shown(account.text), "id": shown(account.id), "is_code": !account.isNamed,
                    "address": link(account.target.path),
                ]
            })
        return values
    }

    /// An event with the remedy of its refusal.
    mutating func cause(_ event: Facts, names: AuditNames) -> [String: Any] {
        let frame = frame
        let row = AuditRow(event, names, words) { frame?.providerName($0) ?? $0 }
        var values = auditRow(row)
        let refusal = row.isRefused ? event["reason"] : nil
        values.set("remedy", refusal.flatMap { AuditReasons.remedy($0, words) })
        values.set("help", refusal.flatMap { code in ErrorCatalogue[code].map { ErrorCatalogue.path(of: $0.code) } })
        values.set(
            "row_address",
            event["request_id"].map { link(AuditLogPage.path, [(name: "request_id", value: $0)]) })
        return values
    }

    private mutating func part(_ part: AuditRow.Part) -> [String: Any] {
        var values: [String: Any] = [
            "label": message("console.\(part.label)"), "text": shown(part.text), "is_code": part.isCode,
            "is_said": part.isSaid,
        ]
        values.set("id", shown(ifAny: part.id))
        values.set("address", part.target.map { link($0.path, $0.parameters) })
        return values
    }
}
