import JSON

/// The texts of a message in a form.
struct MessageFields: Sendable {
    /// By key.
    let texts: [String: String]

    private static let prefix = "text_"

    init(_ message: Facts) {
        texts = message.list("texts").reduce(into: [:]) { $0[$1["key"] ?? ""] = $1["text"] }
    }

    /// - Parameter fields: the submitted values. Line breaks become spaces; a missing text is left out.
    init(form fields: [(name: String, value: String)], keys: [String]) {
        texts = keys.reduce(into: [:]) { texts, key in
            texts[key] = fields.first { $0.name == Self.fieldName(of: key) }
                .map { $0.value.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        }
    }

    static func fieldName(of key: String) -> String { prefix + key }

    /// The changed texts by key; an emptied text restores the default.
    func members(unlike other: MessageFields) -> JSONObject {
        let changed = texts.filter { other.texts[$0.key] != $0.value }.sorted { $0.key < $1.key }
        return JSONObject(changed.map { .init(name: $0.key, value: $0.value.isEmpty ? .null : .string($0.value)) })
    }

    /// All of them.
    var members: JSONObject {
        JSONObject(texts.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
    }
}

/// An operator's action on a message; the raw value appears in forms, addresses and message keys.
package enum MessageAction: String, CaseIterable, Sendable {
    case save, reset
    case testMail = "test_email"
    case testText = "test_sms"
}
