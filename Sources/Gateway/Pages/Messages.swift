import Accounts
import Foundation
import JSON

/// The words of all pages in every language, read once at the start.
///
/// A message has a flat key, the same in each file of `Messages/`; English is the source, and every other language must
/// have the same keys with the same places.
struct Messages: Sendable {
    private let words: [Language: Words]

    /// The folders of `Messages/`: the pages that everybody sees, and the operators' console.
    private static let catalogues = ["", "console/"]

    /// - Throws: ``PageResourceError``, which names file and key.
    static func bundled() throws(PageResourceError) -> Messages {
        try Messages(folder: Bundle.module.bundlePath + "/Messages")
    }

    /// - Throws: ``PageResourceError``, which names file and key.
    init(folder: String) throws(PageResourceError) {
        var all: [Language: [String: Message]] = [:]
        var sources: [String: [String: Message]] = [:]
        for part in Self.catalogues { sources[part] = try Self.read(.english, of: part, in: folder) }
        try Self.check(sources.values.reduce([:]) { $0.merging($1) { first, _ in first } }, holds: Self.promised)
        for (part, source) in sources {
            for language in Language.allCases {
                let messages = try Self.read(language, of: part, in: folder)
                try Self.check(messages, in: Self.file(language, of: part), against: source)
                all[language, default: [:]].merge(messages) { first, _ in first }
            }
        }
        words = all.reduce(into: [:]) { $0[$1.key] = Words($1.key, messages: $1.value) }
    }

    subscript(_ language: Language) -> Words { words[language, default: Words(language, messages: [:])] }

    /// Whether pages have words for a code: `problem.throttled`, `notice.signed_out`, `action.back`,
    /// `account.done.saved`.
    static func has(_ key: String) -> Bool { keys.contains(key) }

    private static let keys = Set(
        ProblemCode.allCases.map { "problem.\($0.rawValue)" } + NoticeCode.allCases.map { "notice.\($0.rawValue)" }
            + ActionKey.allCases.map { "action.\($0.rawValue)" }
            + AccountDeed.allCases.map { "account.done.\($0.rawValue)" })

    /// Those of what is shown whole: a step, a choice, what a field asks for.
    private static let parts =
        StepPage.Kind.allCases.flatMap { ["step.\($0.rawValue).heading", "step.\($0.rawValue).lead"] }
        + ChoiceKind.allCases.map { "choice.\($0.rawValue)" } + SignInNames.labels
        + SignInNames.Kind.allCases.map { "sign_up.with_\($0.rawValue)" }
        + KnownAttribute.allCases.map { "attribute.\($0.rawValue)" }
        + AccountEvent.Kind.allCases.map { "account.event.\($0.rawValue)" }
        + AccountEvent.Author.allCases.filter { $0 != .person }.map { "account.by_\($0.rawValue)" }

    /// The messages that a code in Swift leads to.
    static let promised =
        keys.filter { !$0.hasPrefix("notice.") }.union(
            NoticeCode.allCases.flatMap { ["notice.\($0.rawValue).title", "notice.\($0.rawValue).text"] } + parts
                + ConsoleWords.promised)

    private static func read(
        _ language: Language, of part: String, in folder: String
    ) throws(PageResourceError) -> [String: Message] {
        let file = Self.file(language, of: part)
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(part)\(language.rawValue).json") else {
            throw .unreadable(file)
        }
        guard let members = (try? JSON(parsing: Array(data)))?.object?.members else { throw .noObject(file) }
        var messages: [String: Message] = [:]
        for member in members {
            guard let text = member.value.string, !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 }),
                let message = Message(text)
            else { throw .malformed(file, key: member.name) }
            messages[member.name] = message
        }
        return messages
    }

    /// The name that a complaint has.
    private static func file(_ language: Language, of part: String = "") -> String {
        "Messages/\(part)\(language.rawValue).json"
    }

    private static func check(
        _ messages: [String: Message], holds keys: Set<String>
    ) throws(PageResourceError) {
        for key in keys.sorted() where messages[key] == nil { throw .missing(file(.english), key: key) }
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
