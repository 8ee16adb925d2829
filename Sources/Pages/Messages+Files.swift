import Foundation
import HTTPServer
import JSON

/// The files of the messages: checked at the start, read on first use.
extension Messages {
    /// One catalogue, unread.
    ///
    /// - Parameters:
    ///   - part: the folder in `Messages/`: none or `console/`.
    ///   - promised: keys that English must have.
    /// - Throws: ``PageResourceError/unreadable(_:)`` for the first missing file.
    static func catalogue(
        _ part: String, in folder: String, promised: [String]
    ) throws(PageResourceError) -> [Language: Lazily<[String: Message]>] {
        for language in Language.allCases {
            let isThere = FileManager.default.isReadableFile(atPath: path(language, of: part, in: folder))
            guard isThere else { throw .unreadable(file(language, of: part)) }
        }
        let source = Lazily { () throws(PageResourceError) in
            let messages = try read(.english, of: part, in: folder)
            try check(messages, in: file(.english, of: part), holds: promised)
            return messages
        }
        var catalogue = [Language.english: source]
        for language in Language.allCases where language != .english {
            catalogue[language] = Lazily { () throws(PageResourceError) in
                let messages = try read(language, of: part, in: folder)
                try check(messages, in: file(language, of: part), against: try source.value())
                return messages
            }
        }
        return catalogue
    }

    /// The limits of a file: it grows with the console, and is not a caller's.
    private static let limits = JSONLimits(bytes: 512 * 1024, members: 5_000)

    private static func read(
        _ language: Language, of part: String, in folder: String
    ) throws(PageResourceError) -> [String: Message] {
        let file = Self.file(language, of: part)
        guard let data = FileManager.default.contents(atPath: path(language, of: part, in: folder)) else {
            throw .unreadable(file)
        }
        guard let members = (try? JSON(parsing: Array(data), limits: limits))?.object?.members else {
            throw .noObject(file)
        }
        var messages: [String: Message] = [:]
        for member in members {
            guard let text = member.value.string, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 }),
                let message = Message(text)
            else { throw .malformed(file, key: member.name) }
            messages[member.name] = message
        }
        if part.isEmpty { messages.merge(try brandLabels(language)) { first, _ in first } }
        return messages
    }

    /// The words that brands ask for on their buttons.
    private static func brandLabels(_ language: Language) throws(PageResourceError) -> [String: Message] {
        var messages: [String: Message] = [:]
        for (key, text) in Brand.labels(in: language) {
            guard let message = Message(text) else { throw .malformed(file(language, of: ""), key: key) }
            messages[key] = message
        }
        return messages
    }

    private static func path(_ language: Language, of part: String, in folder: String) -> String {
        "\(folder)/\(part)\(language.rawValue).json"
    }

    /// The name for error messages.
    static func file(_ language: Language, of part: String) -> String {
        "Messages/\(part)\(language.rawValue).json"
    }

    private static func check(
        _ messages: [String: Message], in file: String, holds keys: [String]
    ) throws(PageResourceError) {
        for key in keys.sorted() where messages[key] == nil { throw .missing(file, key: key) }
    }

    private static func check(
        _ messages: [String: Message], in file: String, against source: [String: Message]
    ) throws(PageResourceError) {
        for (key, message) in source.sorted(by: { $0.key < $1.key }) {
            guard let translated = messages[key] else { throw .missing(file, key: key) }
            guard translated.places == message.places else { throw .differentPlaces(file, key: key) }
        }
        for key in messages.keys.sorted() where source[key] == nil { throw .unknown(file, key: key) }
    }
}
