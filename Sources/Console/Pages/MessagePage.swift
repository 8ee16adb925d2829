import Messages
import Pages

/// `GET /admin/messages/{id}`: the texts of a message in one language, with a preview.
struct MessagePage: ConsolePage {
    static let template = "console_message"
    static let frames = PageFrames.framing
    static let previewPath = "/admin/message-preview"
    /// The reasons with a message `console.wrong_text.<it>`.
    static let wrongs = ["malformed", "too_long", "unknown_placeholder", "code_required"]

    let frame: ConsoleFrame?
    let message: Facts
    let fields: MessageFields
    let clients: [(id: String, name: String)]
    /// The reason by key.
    let wrong: [String: String]
    let mayChange: Bool
    let sendsTexts: Bool
    let reason: String
    /// A digest of the stored texts, which the form carries.
    let shown: String
    let done: MessageAction?

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let language = message["language"] ?? ""
        let path = MessagesPage.address(of: message.id)
        var values: [String: Any] = [
            "title": writer.message("console.message.heading"), "message_id": writer.exact(message.id),
            "languages": writer.languages(MessageEditing.languages, current: language, at: path),
            "target": writer.exact(path), "preview": writer.exact("\(Self.previewPath)/\(message.id)"),
            "cancel": writer.link(MessagesPage.path, [(name: "language", value: language)]),
            "chosen": writer.fields([
                HiddenField(name: "language", value: language), HiddenField(name: FormVerdict.shown, value: shown),
            ]),
            "texts": message.list("texts").enumerated().map { field($1, number: $0, &writer) },
            "clients": clients.map { ["choice": writer.exact($0.id), "choice_label": writer.shown($0.name)] },
            "may_change": mayChange, "sends_texts": sendsTexts, "reason": writer.exact(reason),
        ]
        values.set("done", done.map { writer.message("console.message_done.\($0.rawValue)") })
        return values
    }

    private func field(_ text: Facts, number: Int, _ writer: inout ConsoleWriter) -> [String: Any] {
        let key = text["key"] ?? ""
        let places = text.names("placeholders").map { "{\($0)}" }.joined(separator: ", ")
        let value = fields.texts[key] ?? text["text"] ?? ""
        var values: [String: Any] = [
            "field_name": writer.exact(MessageFields.fieldName(of: key)), "field_id": "text-\(number)",
            "field_label": label(key, number, &writer), "field_value": writer.exact(value),
            "is_changed": text["text"] != text["default"],
            "standard": ["sentence": writer.sentence("console.message.default", ["text": text["default"] ?? ""])],
        ]
        values.set(
            "places",
            places.isEmpty ? nil : ["sentence": writer.sentence("console.message.placeholders", ["list": places])])
        let shared = text.names("shared_with").count
        values.set(
            "shared",
            shared == 0 ? nil : ["sentence": writer.sentence("console.message.shared", ["count": "\(shared)"])])
        values.set(
            "wrong",
            wrong[key].map { writer.message("console.wrong_text.\(Self.wrongs.contains($0) ? $0 : Self.wrongs[0])") })
        return values
    }

    private func label(_ key: String, _ number: Int, _ writer: inout ConsoleWriter) -> String {
        if key.hasPrefix("sms.") { return writer.message("console.message.sms") }
        if number == 0 { return writer.message("console.message.subject") }
        return writer.message("console.message.paragraph", ["number": "\(number)"])
    }
}
