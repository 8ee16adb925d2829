import Audit
import JSON
import Pages
import Vocabulary

/// An event of the audit log for its pages: one line, and the parts below it.
struct AuditRow {
    /// A value below the line.
    struct Part {
        /// The message `console.<it>`.
        let label: String
        let text: String
        /// The id of a named value.
        var id: String?
        var target: Target?
        var isCode = false
        /// Whether a person wrote it.
        var isSaid = false
    }

    /// A page of the console.
    struct Target {
        let path: String
        var parameters: [(name: String, value: String)] = []
    }

    /// The account of the line: its name or the end of its id, and the whole id.
    struct Account {
        let text: String
        let id: String
        let isNamed: Bool
        var target: Target { Target(path: ConsoleAddress.ofAccount(id)) }
    }

    let at: String
    let stamp: String
    /// The name of the event, or its code without a name.
    let event: String
    let isCode: Bool
    let isRefused: Bool
    let reason: String?
    let account: Account?
    /// Provider, app, network address, and who acted, if not the user.
    let from: String
    let parts: [Part]
    /// The whole row.
    let data: String

    init(_ event: Facts, _ names: AuditNames, _ words: Words, providerName: (String) -> String) {
        let action = event["action"] ?? ""
        let key = AuditEventNames.key(action)
        at = event["at"] ?? ""
        stamp = words.stamp(at)
        self.event = key.map { words.text($0) } ?? action
        isCode = key == nil
        isRefused = event["outcome"] == "refused"
        reason = AuditReasons.text(of: event, words)
        account = event["account_id"].map { Self.account($0, names) }
        let provider = event["provider"].map { id in
            ChoiceKind(rawValue: id).map { words.text("choice.\($0.rawValue)") } ?? providerName(id)
        }
        let client = event["client_id"].map { names.client($0) ?? $0 }
        let actor = Self.actor(of: event, names, words)
        from = [provider, client, event["address"], actor].compactMap(\.self).joined(separator: " · ")
        parts = Self.parts(event, names, provider: provider)
        data = event.members.indented
    }

    private static func account(_ id: String, _ names: AuditNames) -> Account {
        let name = names.account(id)
        return Account(text: name ?? id.shortID, id: id, isNamed: name != nil)
    }

    /// The operator, or the command line; nil for the user and the gateway itself.
    private static func actor(of event: Facts, _ names: AuditNames, _ words: Words) -> String? {
        if let id = event["actor_id"] {
            return words.text("console.audit.by", ["name": names.account(id) ?? id.shortID])
        }
        let isCommand = event["address"] == nil && event["request_id"]?.hasPrefix("cli-") == true
        return isCommand ? words.text("console.operators.command_line") : nil
    }

    private static func parts(_ event: Facts, _ names: AuditNames, provider: String?) -> [Part] {
        var parts: [Part] = []
        func add(_ member: String, _ part: (String) -> Part) {
            if let value = event[member] { parts.append(part(value)) }
        }
        func person(_ label: String) -> (String) -> Part {
            { id in
                let name = names.account(id)
                return Part(
                    label: label, text: name ?? id, id: name == nil ? nil : id,
                    target: Target(path: ConsoleAddress.ofAccount(id)), isCode: name == nil)
            }
        }
        func same(_ filter: String) -> (String) -> Part {
            { value in
                let target = Target(path: AuditLogPage.path, parameters: [(name: filter, value: value)])
                return Part(label: "filter.\(filter)", text: value, target: target, isCode: true)
            }
        }
        add("words") { Part(label: "confirm.reason", text: $0, isSaid: true) }
        add("account_id", person("column.account"))
        add("actor_id", person("filter.actor"))
        add("session_id", same("session"))
        add("request_id", same("request_id"))
        add("client_id") { id in
            let name = names.client(id)
            return Part(label: "filter.client", text: name ?? id, id: name.flatMap { $0 == id ? nil : id })
        }
        add("provider") { Part(label: "filter.provider", text: provider ?? $0) }
        add("address") { Part(label: "filter.address", text: $0) }
        return parts
    }
}

extension String {
    /// The end of an id, which differs more than its beginning: ids of one minute begin alike.
    var shortID: String { "…" + suffix(8) }
}

extension Words {
    /// An RFC 3339 time in UTC, short enough for a column: `2026-11-21 13:14:05`; other text is left unchanged.
    func stamp(_ text: String) -> String {
        text.count >= 20 && text.hasSuffix("Z") ? "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))" : text
    }
}
