import Audit
import JSON
import Pages

/// `GET /admin/audit/live`: new rows of the audit log, added by a script.
struct AuditLivePage: ConsolePage {
    static let template = "console_live"
    static let path = "/admin/audit/live"
    static let isLive = true

    let frame: ConsoleFrame?
    let filters: AuditFilterFields

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.live.heading"), "needs_live_script": true,
            "log": writer.link(AuditLogPage.path, filters.parameters), "shows_views": filters.showsViews,
            "source": writer.link("\(Self.path)/rows", filters.parameters),
            // The script replaces this with the number.
            "came": writer.message("console.live.came", ["count": "#"]),
            "held": writer.message("console.live.held", ["count": "#"]),
            "has_filters": !filters.typed.isEmpty, "filters": filters.summary(&writer),
        ]
        values.set("views", filters.turned(Self.path, &writer))
        return values
    }
}

/// A row for the script, in the page's language: everything is text, and is cleaned as on every page.
struct AuditLiveRow {
    let row: AuditRow
    let words: Words
    let locales: String?

    init(
        event: Facts, names: AuditNames, words: Words, locales: String?, providerName: @Sendable (String) -> String
    ) {
        row = AuditRow(event, names, words, providerName: providerName)
        (self.words, self.locales) = (words, locales)
    }

    var json: JSON {
        [
            "iso": text(row.at), "at": text(row.stamp),
            "event": ["text": text(row.event), "code": .bool(row.isCode)],
            "refused": row.isRefused ? text(words.text("console.account.refused")) : .null,
            "reason": text(row.reason), "parts": .array(row.parts.map(part)),
            "account": row.account.map(account) ?? .null, "from": text(row.from),
            "json": .string(DisplayText.cleanedLines(row.data)),
        ]
    }

    private func account(_ account: AuditRow.Account) -> JSON {
        [
            "text": text(account.text), "title": text(account.id), "code": .bool(!account.isNamed),
            "address": address(account.target),
        ]
    }

    private func part(_ part: AuditRow.Part) -> JSON {
        [
            "label": text(words.text("console.\(part.label)")), "text": text(part.text), "id": text(part.id),
            "address": part.target.map(address) ?? .null, "code": .bool(part.isCode), "said": .bool(part.isSaid),
        ]
    }

    private func address(_ target: AuditRow.Target) -> JSON {
        let own = locales.map { [(name: "ui_locales", value: $0)] } ?? []
        return .string(ConsoleAddress.of(target.path, target.parameters + own))
    }

    private func text(_ text: String?) -> JSON { text.map { .string(DisplayText.cleaned($0)) } ?? .null }
}
