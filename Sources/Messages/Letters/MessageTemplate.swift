import Foundation
import JSON
import Vocabulary

/// A message with texts that operators can edit.
package struct MessageTemplate: Sendable {
    /// In addresses and commands, such as `code-sign-in`.
    package let id: String
    /// The keys of its texts in reading order: the subject, the mail, the text message.
    package let keys: [String]
    /// Its content in previews and test messages.
    let example: MessageContent

    /// Every message, in the order of lists: codes, answers about accounts, notices.
    package static let all: [MessageTemplate] =
        CodePurpose.allCases.map(code)
        + [
            MessageTemplate(
                .accountExists, mail: ["subject", "text", "advice"],
                closing: ["unasked", "button.sign_in", "reason.typed"]),
            MessageTemplate(
                .noAccount, mail: ["subject", "text", "advice"],
                closing: ["unasked", "button.sign_in", "reason.typed"]),
            MessageTemplate(
                .invitation(name: "ann@example.com", password: "k7hq2mzp4xw6ytbn"),
                mail: ["subject", "text", "advice"], closing: ["button.sign_in", "reason.account"]),
            // No account has this token.
            MessageTemplate(
                .invitationLink(token: "\(SecretPrefix.invitation.rawValue)example"),
                mail: ["subject", "text", "advice", "link"], closing: ["reason.account"]),
        ] + (MessageKeys.notices.sorted() + ["other"]).map(notice)

    /// The message with that id; nil for an unknown one.
    package static func with(_ id: String) -> MessageTemplate? { all.first { $0.id == id } }

    /// The key of the text that best distinguishes it from others.
    var titleKey: String { id.hasPrefix("code-") ? keys[1] : keys[0] }

    /// The ids of the other messages with one of its texts.
    func sharing(_ key: String) -> [String] {
        Self.all.filter { $0.id != id && $0.keys.contains(key) }.map(\.id)
    }

    private init(_ example: MessageContent, keys: [String]) {
        id = example.kind.replacing(".", with: "-").replacing("_", with: "-")
        (self.keys, self.example) = (keys, example)
    }

    private init(_ example: MessageContent, mail: [String], closing: [String], sms: [String]? = nil) {
        let own = mail.map { "\(example.kind).\($0)" }
        self.init(example, keys: own + closing + (sms ?? ["sms.\(example.kind)"]))
    }

    private static func code(_ purpose: CodePurpose) -> MessageTemplate {
        let kind = "code.\(purpose.rawValue)"
        return MessageTemplate(
            .code(purpose, "042137", lifeSeconds: 600),
            keys: [
                "code.subject", "\(kind).lead", "code.once", "code.warning", "\(kind).unasked", "reason.typed",
                "sms.\(kind)",
            ])
    }

    private static func notice(_ kind: String) -> MessageTemplate {
        let parts = kind == "new_device" ? MessageKeys.newDeviceParts : []
        return MessageTemplate(
            .notice(kind: kind, detail: details[kind] ?? ["due": "2026-12-24"]), mail: ["subject", "text"] + parts,
            closing: closing(of: kind) + ["reason.account"],
            sms: NoticePages.withoutAdvice.contains(kind) ? [] : ["sms.notice"])
    }

    private static func closing(of kind: String) -> [String] {
        switch kind {
        case "new_device": return []
        case "account_absorbed": return ["known", "unknown_sign_in", "link"].map { "notice.new_device.\($0)" }
        default:
            let advice = NoticePages.withoutAdvice.contains(kind) ? [] : ["notice.advice"]
            return advice + (NoticePages.address(kind) == nil ? [] : ["button.account"])
        }
    }

    /// A link of this sign-in leads nowhere: no account has this id.
    private static let details: [String: JSONObject] = [
        "new_device": [
            "account": "00000000-0000-7000-8000-000000000000", "session": "00000000-0000-7000-8000-000000000001",
            "at": 1_795_264_496, "app": "Example", "agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0",
            "address": "192.0.2.1",
        ],
        "account_absorbed": [
            "account": "00000000-0000-7000-8000-000000000000", "session": "00000000-0000-7000-8000-000000000001",
            "at": 1_795_264_496,
        ],
        "recovery_code_used": ["left": 7],
    ]
}
