import Foundation
import Mustache

/// Templates of `Templates/` and the icons of the brands, by their names.
struct PageTemplates: Sendable {
    let library: MustacheLibrary
    /// What each asks of the messages, without the leading `words.`.
    let keys: [String: Set<String>]

    /// Whose pages they make.
    enum Part: Sendable {
        case pages
        /// The operators', which have all templates to choose from.
        case console

        func takes(_ name: String) -> Bool { self == .console || !name.hasPrefix("console_") }
    }

    /// - Throws: ``PageResourceError``, which names the file.
    init(_ part: Part, folder: String) throws(PageResourceError) {
        var library = MustacheLibrary()
        var keys: [String: Set<String>] = [:]
        guard let files = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw .unreadable("Templates")
        }
        for path in files where path.hasSuffix(".mustache") {
            let name = String(path.dropLast(".mustache".count))
            guard part.takes(name) else { continue }
            let text = try Self.read("\(folder)/\(path)", name)
            guard let template = try? MustacheTemplate(string: text) else { throw .noTemplate(Self.file(name)) }
            library.register(template, named: name)
            keys[name] = Self.keys(in: text)
        }
        for (name, icon) in Brand.icons {
            guard let template = try? MustacheTemplate(string: icon) else { throw .noTemplate(Self.file(name)) }
            library.register(template, named: name)
        }
        (self.library, self.keys) = (library, keys)
    }

    /// - Throws: ``PageResourceError/noMessage(_:key:)`` for words that aren't there, or that have places nobody fills.
    func check(against words: Words) throws(PageResourceError) {
        for (name, keys) in keys.sorted(by: { $0.key < $1.key }) {
            for key in keys.sorted() where words.messages[key]?.places != [] {
                throw .noMessage(Self.file(name), key: key)
            }
        }
    }

    /// The name that a complaint has.
    private static func file(_ name: String) -> String { "Templates/\(name).mustache" }

    private static func read(_ path: String, _ name: String) throws(PageResourceError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw .unreadable(file(name)) }
        // Would be taken for a mark of ``TextMask``.
        guard !text.utf8.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\n") }) else {
            throw .noTemplate(file(name))
        }
        // A partial within a sentence must not bring a blank with it.
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private static func keys(in template: String) -> Set<String> {
        let tags = template.components(separatedBy: "{{").dropFirst().compactMap {
            $0.components(separatedBy: "}}").first
        }
        return Set(tags.filter { $0.hasPrefix("words.") }.map { String($0.dropFirst("words.".count)) })
    }
}
