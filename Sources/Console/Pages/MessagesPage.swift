import Messages

/// `GET /admin/messages`: every message in one language.
struct MessagesPage: ConsolePage {
    static let template = "console_messages"
    static let path = "/admin/messages"

    let frame: ConsoleFrame?
    let language: String
    let messages: [Facts]

    static func address(of id: String) -> String { "\(path)/\(id)" }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "title": writer.message("console.nav.messages"),
            "languages": writer.languages(MessageEditing.languages, current: language, at: Self.path),
            "messages": messages.map { message in
                let id = message.id
                return [
                    "message_id": writer.exact(id), "message_title": writer.shown(message["title"] ?? ""),
                    "address": writer.link(Self.address(of: id), [(name: "language", value: language)]),
                    "changed": message.names("changed").map { writer.shown($0) },
                ] as [String: Any]
            },
        ]
    }
}

extension ConsoleWriter {
    /// Links to the same page for the messages of each language.
    mutating func languages(_ tags: [String], current: String, at path: String) -> [[String: Any]] {
        tags.map { tag in
            [
                "tag": exact(tag), "address": link(path, [(name: "language", value: tag)]),
                "language_name": message("console.language.\(tag)"), "is_current": tag == current,
            ]
        }
    }
}
