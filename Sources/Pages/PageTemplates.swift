import Foundation
package import Mustache

/// Templates of `Templates/` and icons of the brands, by name.
package struct PageTemplates: Sendable {
    package let library: MustacheLibrary
    /// The message keys of each, without the leading `words.`.
    let keys: [String: Set<String>]

    /// The group of pages.
    enum Part: Sendable {
        case pages
        /// The operators' group, which may use all templates.
        case console

        func takes(_ name: String) -> Bool { self == .console || !name.hasPrefix("console_") }
    }

    /// - Throws: ``PageResourceError`` with the file.
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

    /// - Throws: ``PageResourceError/noMessage(_:key:)`` for a missing message, or one with unfilled placeholders.
    func check(against words: Words) throws(PageResourceError) {
        for (name, keys) in keys.sorted(by: { $0.key < $1.key }) {
            for key in keys.sorted() where words.messages[key]?.places != [] {
                throw .noMessage(Self.file(name), key: key)
            }
        }
    }

    /// The name for error messages.
    private static func file(_ name: String) -> String { "Templates/\(name).mustache" }

    private static func read(_ path: String, _ name: String) throws(PageResourceError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw .unreadable(file(name)) }
        // Would look like a mark of ``TextMask``.
        guard !text.utf8.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\n") }) else {
            throw .noTemplate(file(name))
        }
        // A partial within a sentence must not add white space.
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private static func keys(in template: String) -> Set<String> {
        let tags = template.components(separatedBy: "{{").dropFirst().compactMap {
            $0.components(separatedBy: "}}").first
        }
        return Set(tags.filter { $0.hasPrefix("words.") }.map { String($0.dropFirst("words.".count)) })
    }
}
