import Foundation
package import HTTPServer

/// The messages of all pages; a language is read on first use.
///
/// A message has a flat key, the same in each file of `Messages/`. English is the source, and every other language must
/// have the same keys with the same placeholders. There are two catalogues: public pages, and the operators' console.
package struct Messages: Sendable {
    private let pages: [Language: Lazily<Words>]
    private let console: [Language: Lazily<Words>]

    /// The keys that code composes, so that no template names them.
    package struct Promised: Sendable {
        let pages: [String]
        let console: [String]

        package init(pages: [String], console: [String]) {
            (self.pages, self.console) = (pages, console)
        }
    }

    /// Checks that each file exists.
    ///
    /// - Throws: ``PageResourceError/unreadable(_:)`` for the first missing one.
    init(folder: String, promised: Promised) throws(PageResourceError) {
        let pages = try Self.catalogue("", in: folder, promised: promised.pages)
        let console = try Self.catalogue("console/", in: folder, promised: promised.console)
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
    package func console(_ language: Language) throws(PageResourceError) -> Words { try Self.read(console, language) }

    private static func read(
        _ words: [Language: Lazily<Words>], _ language: Language
    ) throws(PageResourceError) -> Words {
        guard let words = words[language] else { throw .unreadable(file(language, of: "")) }
        return try words.value()
    }
}
