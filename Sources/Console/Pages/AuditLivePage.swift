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
        [
            "title": writer.message("console.live.heading"), "needs_live_script": true,
            "log": writer.link(AuditLogPage.path, filters.typed),
            "source": writer.link("\(Self.path)/rows", filters.typed),
            // The script replaces this with the number.
            "came": writer.message("console.live.came", ["count": "#"]),
            "held": writer.message("console.live.held", ["count": "#"]),
            "has_filters": !filters.typed.isEmpty, "filters": filters.summary(&writer),
        ]
    }
}

/// A row for the script, in the page's language: everything is text, and is cleaned as on every page.
struct AuditLiveRow {
    let event: Facts
    let names: AuditNames
    let words: Words
    let locales: String?
    let providerName: @Sendable (String) -> String

    var json: JSON {
        let action = event["action"] ?? ""
        let key = AuditEventNames.key(action)
        let isRefused = event["outcome"] == "refused"
        return [
            "iso": text(event["at"]), "at": text(event["at"].map(words.exactMoment)),
            "event": [
                "text": text(key.map { words.text($0) } ?? action), "code": .bool(key == nil),
            ],
            "refused": isRefused ? text(words.text("console.account.refused")) : .null,
            "reason": text(event["reason"]), "parts": .array(parts),
            "account": event["account_id"].map { account($0, names.account($0)) } ?? .null,
            "from": .array(from),
            "json": .string(DisplayText.cleanedLines(event.members.indented)),
        ]
    }

    private var parts: [JSON] {
        var parts: [JSON] = []
        if let words = event["words"] { parts.append(part("confirm.reason", ["text": text(words), "said": true])) }
        if let actor = event["actor_id"] { parts.append(part("filter.actor", account(actor, names.account(actor)))) }
        for (name, member) in [("session", "session_id"), ("request_id", "request_id")] {
            guard let value = event[member] else { continue }
            parts.append(part("filter.\(name)", linked(value, AuditLogPage.path, [(name: name, value: value)])))
        }
        return parts
    }

    /// The provider, the app and the network address; an id follows its name unless both are the same.
    private var from: [JSON] {
        var from: [JSON] = []
        if let id = event["provider"] {
            let name = ChoiceKind(rawValue: id).map { words.text("choice.\($0.rawValue)") } ?? providerName(id)
            from.append(named(id, name))
        }
        if let id = event["client_id"] { from.append(named(id, names.client(id))) }
        if let address = event["address"] { from.append(["text": text(address), "id": .null]) }
        return from
    }

    private func named(_ id: String, _ name: String?) -> JSON {
        ["text": text(name ?? id), "id": name == nil || name == id ? .null : text(id)]
    }

    private func part(_ label: String, _ value: JSON) -> JSON {
        var object = value.object ?? [:]
        object["label"] = text(words.text("console.\(label)"))
        return .object(object)
    }

    private func account(_ id: String, _ name: String?) -> JSON {
        var object = linked(id, ConsoleAddress.ofAccount(id), []).object ?? [:]
        guard let name else { return .object(object) }
        (object["text"], object["title"], object["id"], object["code"]) = (text(name), text(id), text(id), false)
        return .object(object)
    }

    private func linked(_ value: String, _ path: String, _ parameters: [(name: String, value: String)]) -> JSON {
        let own = locales.map { [(name: "ui_locales", value: $0)] } ?? []
        return ["text": text(value), "address": .string(ConsoleAddress.of(path, parameters + own)), "code": true]
    }

    private func text(_ text: String?) -> JSON { text.map { .string(DisplayText.cleaned($0)) } ?? .null }
}
