import Accounts
import Foundation
import Sessions

/// The messages of all pages; a language is read on first use.
///
/// A message has a flat key, the same in each file of `Messages/`. English is the source, and every other language must
/// have the same keys with the same placeholders. There are two catalogues: public pages, and the operators' console.
struct Messages: Sendable {
    private let pages: [Language: Lazily<Words>]
    private let console: [Language: Lazily<Words>]

    /// Checks that each file exists.
    ///
    /// - Throws: ``PageResourceError/unreadable(_:)`` for the first missing one.
    init(folder: String) throws(PageResourceError) {
        let pages = try Self.catalogue("", in: folder, promised: Array(Self.promised))
        let console = try Self.catalogue("console/", in: folder, promised: ConsoleWords.promised)
        self.pages = pages.reduce(into: [:]) { words, entry in
            words[entry.key] = Lazily { () throws(PageResourceError) in
                Words(entry.key, messages: try entry.value.value())
            }
        }
        self.console = pages.reduce(into: [:]) { words, entry in
            guard let own = console[entry.key] else { return }
            words[entry.key] = Lazily { () throws(PageResourceError) in
                let messages = try own.value()
                return Words(entry.key, messages: try entry.value.value().merging(messages) { first, _ in first })
            }
        }
    }

    /// The messages of the public pages.
    ///
    /// - Throws: ``PageResourceError`` with file and key, for an invalid file.
    func words(_ language: Language) throws(PageResourceError) -> Words { try Self.read(pages, language) }

    /// The console's messages, including those of the public pages, which it shares.
    ///
    /// - Throws: ``PageResourceError`` with file and key, for an invalid file.
    func console(_ language: Language) throws(PageResourceError) -> Words { try Self.read(console, language) }

    private static func read(
        _ words: [Language: Lazily<Words>], _ language: Language
    ) throws(PageResourceError) -> Words {
        guard let words = words[language] else { throw .unreadable(file(language, of: "")) }
        return try words.value()
    }

    /// Whether a code has a message: `problem.throttled`, `notice.signed_out`, `action.back`, `account.done.saved`.
    static func has(_ key: String) -> Bool { keys.contains(key) }

    private static let keys = Set(
        ProblemCode.allCases.map { "problem.\($0.rawValue)" } + NoticeCode.allCases.map { "notice.\($0.rawValue)" }
            + ActionKey.allCases.map { "action.\($0.rawValue)" }
            + AccountNotice.allCases.map { "account.done.\($0.rawValue)" })

    /// The groups that are shown whole: a step, a choice, field labels.
    private static let parts =
        StepPage.Kind.allCases.flatMap { ["step.\($0.rawValue).heading", "step.\($0.rawValue).lead"] }
        + ChoiceKind.allCases.map { "choice.\($0.rawValue)" } + SignInNames.labels
        + SignInNames.Kind.allCases.map { "sign_up.with_\($0.rawValue)" }
        + KnownAttribute.allCases.map { "attribute.\($0.rawValue)" }
        + AccountEvent.Kind.allCases.map { "account.event.\($0.rawValue)" }
        + TokenDialect.allCases.filter { $0 != .gateway }.map { "account.through.\($0.rawValue)" }
        + AccountEvent.Author.allCases.filter { $0 != .person }.map { "account.by_\($0.rawValue)" }

    /// The page messages with keys from Swift codes; the console's are in ``ConsoleWords/promised``.
    static let promised =
        keys.filter { !$0.hasPrefix("notice.") }.union(
            NoticeCode.allCases.flatMap { ["notice.\($0.rawValue).title", "notice.\($0.rawValue).text"] } + parts)
}
