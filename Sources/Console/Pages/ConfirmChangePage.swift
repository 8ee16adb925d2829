import Accounts
import Operators
import Pages

/// Describes a change and asks for its reason; nothing happens before the form is posted.
struct ConfirmChangePage: ConsolePage {
    static let template = "console_change"

    let frame: ConsoleFrame?
    let action: AccountAction
    let account: Facts
    /// The arguments of `console.do.<action>.before` and `.after`.
    let arguments: [String: String]
    /// The number of sessions that would end; nil for none.
    let endsSessions: Int?
    /// The form's target and fields.
    let target: String
    let chosen: [HiddenField]
    /// The target of "Cancel".
    let back: String
    /// The fields to enter before the description.
    let asks: [AskedField]
    let reason: String
    /// Whether everything is known, so that the page asks for the reason; otherwise the form returns here.
    let isComplete: Bool
    /// The account's sign-in methods, newest first, if they matter.
    var methods: [Method] = []

    /// A sign-in method.
    struct Method: Sendable {
        /// `identity`, `password`, `email`, ….
        let kind: String
        let name: String?
        /// RFC 3339.
        let since: String
        /// Its origin, if known.
        let origin: MethodOrigin?

        /// The kinds with a label `console.method.<it>`.
        static let kinds = ["identity", "password", "email", "phone", "totp", "sms", "passkey", "device"]
    }

    struct AskedField: Sendable {
        /// The name of the field; its label is the message `console.field.<it>`.
        let name: String
        let value: String
        /// Whether the message `console.field.<name>_hint` explains it.
        var isExplained = false
        /// The values to choose from; empty for a field to type in.
        var choices: [(value: String, label: String)] = []
    }

    /// Whether a deletion has no delay.
    private var isAtOnce: Bool { action == .delete && arguments["days"] == "0" }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let key = "console.do.\(action.name)"
        let name = writer.message("\(key).name")
        var values: [String: Any] = [
            "title": name, "heading": name, "face": writer.face(account), "endpoint": false,
            "target": writer.exact(target),
            "chosen": writer.fields(chosen), "reason": writer.exact(reason), "is_complete": isComplete,
            "cancel": writer.link(back),
            "style": action.isDangerous ? "danger" : "main",
            "can_be_undone": action.reversal == .undo,
            "has_opposite": action.reversal == .opposite && !isAtOnce,
            "says_itself": action == .delete && !isAtOnce, "asks_reason": true,
            "method": isComplete ? "post" : "get",
            "asks": asks.enumerated().map { number, field in asked(field, isFirst: number == 0, &writer) },
        ]
        values["has_methods"] = !methods.isEmpty
        values["methods"] = methods.map { method in
            let kind =
                Method.kinds.contains(method.kind) ? writer.message("console.method.\(method.kind)") : method.kind
            var row: [String: Any] = ["method_kind": kind]
            row.set("method_name", writer.shown(ifAny: method.name))
            row.set("since", writer.time(method.since))
            row.set("origin", method.origin.map { writer.message("console.origin.\($0.rawValue)") })
            return row
        }
        if isComplete {
            values.set("before", ["sentence": writer.sentence("\(key).before", arguments)])
            let after = isAtOnce ? "console.do.delete_account.at_once" : "\(key).after"
            values.set("after", ["sentence": writer.sentence(after, arguments)])
            values.set(
                "ends",
                endsSessions.map { count in
                    ["sentence": writer.sentence("console.confirm.sessions", ["count": "\(count)"])]
                })
        }
        return values
    }

    private func asked(_ field: AskedField, isFirst: Bool, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "field_name": field.name, "field_value": writer.exact(field.value), "kind": "text",
            "is_first": isFirst, "is_optional": false, "has_choices": !field.choices.isEmpty,
            "field_label": writer.message("console.field.\(field.name)"),
            "choices": field.choices.map { choice in
                [
                    "choice": writer.exact(choice.value), "choice_label": writer.shown(choice.label),
                    "is_chosen": choice.value == field.value,
                ] as [String: Any]
            },
        ]
        values.set("hint", field.isExplained ? writer.message("console.field.\(field.name)_hint") : nil)
        return values
    }
}
