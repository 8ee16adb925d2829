import HTTPServer
import Mustache

/// The messages of one language, for templates and page models.
package struct Words: Sendable {
    let language: Language
    let messages: [String: Message]
    /// The key prefix of the current template lookup: `{{words.login.heading}}` is resolved name by name.
    private let prefix: String

    init(_ language: Language, messages: [String: Message], prefix: String = "") {
        (self.language, self.messages, self.prefix) = (language, messages, prefix)
    }

    /// A message as text, for titles and attributes.
    package func text(_ key: String, _ arguments: [String: String] = [:]) -> String {
        messages[key]?.text(arguments) ?? ""
    }

    /// A message for the template `sentence`, which isolates placeholders from their surroundings: a right-to-left name
    /// would reverse the words around it.
    ///
    /// - Parameter numbers: values that belong to a word, so they get neither isolation nor emphasis.
    package func sentence(
        _ key: String, _ arguments: [String: String] = [:], numbers: [String: String] = [:]
    ) -> [[String: Any]] {
        (messages[key]?.pieces ?? []).map { piece in
            switch piece {
            case .text(let text): ["plain": text, "place": false]
            case .place(let name):
                if let number = numbers[name] {
                    ["plain": number, "place": false]
                } else {
                    ["plain": "", "place": arguments[name] ?? ""]
                }
            }
        }
    }
}

extension Words: MustacheParent {
    package func child(named name: String) -> Any? {
        let key = prefix.isEmpty ? name : "\(prefix).\(name)"
        return messages[key]?.text() ?? Words(language, messages: messages, prefix: key)
    }
}
