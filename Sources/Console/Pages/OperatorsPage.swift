import Operators

/// `GET /admin/operators`: the operators with their roles.
struct OperatorsPage: ConsolePage {
    static let template = "console_operators"

    struct Entry: Sendable {
        let id: String
        let name: String?
        let email: String?
        let role: String
        let grantedBy: String?
        let grantedByName: String?
        let grantedAt: String
        /// Whether it is the viewer's own account.
        let isOwn: Bool
    }

    let frame: ConsoleFrame?
    let entries: [Entry]
    /// Whether the viewer may manage operators.
    let maySay: Bool
    /// The completed action, or ``waiting``.
    let done: String?

    /// A second owner must grant the same role.
    static let waiting = "owner_waits"

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.nav.operators"), "may_say": maySay,
            "operators": entries.map { row($0, &writer) },
            "roles": ConsoleWords.roles.map { role in
                [
                    "role": role, "role_label": writer.message("console.role.\(role)"),
                    "may": writer.message("console.role_may.\(role)"),
                ]
            },
        ]
        values.set("done", told.map { writer.message($0) })
        return values
    }

    private var told: String? {
        if done == Self.waiting { return "console.operators.owner_waits" }
        return AccountAction.ofRoles.first { $0.name == done }.map { "console.do.\($0.name).done" }
    }

    private func row(_ entry: Entry, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "address": writer.link(ConsoleAddress.ofAccount(entry.id)), "account_id": writer.shown(entry.id),
            "role_label": writer.message("console.role.\(entry.role)"),
        ]
        let name = entry.name ?? entry.email
        values["account_name"] = name.map { writer.shown($0) } ?? writer.message("console.unnamed")
        values.set("email", entry.name == nil ? nil : writer.shown(ifAny: entry.email))
        values.set("granted", writer.time(entry.grantedAt))
        values.set("grantor", entry.grantedBy.map { writer.person($0, named: entry.grantedByName) })
        values.set("action", maySay && !entry.isOwn ? withdrawal(entry, name, &writer) : nil)
        return values
    }

    private func withdrawal(_ entry: Entry, _ name: String?, _ writer: inout ConsoleWriter) -> [String: Any] {
        let label = writer.message("console.do.withdraw.name")
        return [
            "address": writer.link(
                "/admin/operators/change",
                [(name: "do", value: AccountAction.withdraw.name), (name: "account", value: entry.id)]),
            "label": label, "full_label": "\(label): \(writer.shown(name ?? entry.id))", "style": "quiet",
            "action": AccountAction.withdraw.name,
        ]
    }
}
