import Mustache

/// The messages of one language, as templates and page models ask for them.
struct Words: Sendable {
    let language: Language
    let messages: [String: Message]
    /// Where a template has got to: `{{words.login.heading}}` is asked for name by name.
    private let prefix: String

    init(_ language: Language, messages: [String: Message], prefix: String = "") {
        (self.language, self.messages, self.prefix) = (language, messages, prefix)
    }

    /// A message as text, for titles and attributes.
    func text(_ key: String, _ arguments: [String: String] = [:]) -> String {
        messages[key]?.text(arguments) ?? ""
    }

    /// A message for the template `sentence`, which sets what fills a place apart from its surroundings: a name that is
    /// written from right to left would turn them round.
    func sentence(_ key: String, _ arguments: [String: String] = [:]) -> [[String: Any]] {
        (messages[key]?.pieces ?? []).map { piece in
            switch piece {
            case .text(let text): ["plain": text, "place": false]
            case .place(let name): ["plain": "", "place": arguments[name] ?? ""]
            }
        }
    }
}

extension Words: MustacheParent {
    func child(named name: String) -> Any? {
        let key = prefix.isEmpty ? name : "\(prefix).\(name)"
        return messages[key]?.text() ?? Words(language, messages: messages, prefix: key)
    }
}
