import Pages

/// A refusal with a way forward, for actions without a page of their own.
struct ConsoleNotice: ConsolePage {
    static let template = "console_notice"

    let frame: ConsoleFrame?
    let refusal: ConsoleRefusal
    let requestID: String
    /// The target of the link: the message `action.<key>`.
    let action: (key: ActionKey, address: String)?

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let isAskedAgain = refusal.code == "reauth_required"
        let heading = writer.message(isAskedAgain ? "notice.reauth_required.title" : "console.refused")
        var values: [String: Any] = [
            "title": heading, "heading": heading, "text": writer.refusal(refusal),
            "reference": ["sentence": writer.sentence("reference", ["id": requestID])],
        ]
        values.set(
            "action",
            action.map { action in
                [
                    "key": action.key.rawValue, "address": writer.exact(action.address),
                    "label": writer.message("action.\(action.key.rawValue)"),
                ]
            })
        return values
    }
}
