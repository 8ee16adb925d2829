import Foundation
import Testing

@testable import Postgres

/// A function file, for tests that compare its header with its body.
struct FunctionText: Sendable, CustomTestStringConvertible {
    let path: String
    let name: String
    /// The lines of the header, without their dashes.
    let header: [String]
    /// The declaration up to the body, in lower case.
    let declaration: String
    /// The body without comments.
    let body: String

    var testDescription: String { path }

    static let all: [FunctionText] = {
        let folder = Configurations.root.appending(path: "Sources/Postgres/Functions").path
        return ((try? FunctionFile.read(folder: folder)) ?? []).map(FunctionText.init)
    }()

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    init(_ file: FunctionFile) {
        let lines = file.sql.split(separator: "\n", omittingEmptySubsequences: false)
        let header = lines.prefix { $0.hasPrefix("--") }
        let parts = lines.dropFirst(header.count).joined(separator: "\n").components(separatedBy: "$$")
        path = file.path
        name = file.name
        self.header = header.map { $0.dropFirst(2).trimmingCharacters(in: .whitespaces) }
        declaration = parts[0].lowercased()
        body = parts.count > 1 ? parts[1].replacing(/--[^\n]*/, with: "") : ""
    }

    /// The rest of the header line with this label; nil without one, or with two.
    func line(_ label: String) -> String? {
        let lines = header.filter { $0.hasPrefix(label + ":") }
        return lines.count == 1 ? lines[0].dropFirst(label.count + 1).trimmingCharacters(in: .whitespaces) : nil
    }

    /// Whether a line of a header begins with a label.
    static func isLabelled(_ line: String) -> Bool { line.prefixMatch(of: /(Locks|Outcomes|Invariant):/) != nil }

    /// The text after a label, with its continuation lines.
    private func paragraph(_ label: String) -> String {
        guard let start = header.firstIndex(where: { $0.hasPrefix(label + ":") }) else { return "" }
        let rest = header[(start + 1)...].prefix { !Self.isLabelled($0) }
        return ([String(header[start].dropFirst(label.count + 1))] + rest).joined(separator: " ").trimmingCharacters(
            in: .whitespaces)
    }

    /// The list of the `Locks` line, up to its first full stop; empty for `none`.
    var locks: [String] {
        let list = paragraph("Locks").prefix { $0 != "." }
        return list == "none" ? [] : list.components(separatedBy: ", ")
    }

    /// Writes the list of the `Locks` line anew; the words after its full stop stay.
    func writeLocks(_ list: String) throws {
        let file = Configurations.root.appending(path: "Sources/Postgres/Functions/\(path)")
        let text = try String(contentsOf: file, encoding: .utf8)
        let line = /-- Locks:(?:(?!\n-- (?:Outcomes|Invariant):|\ncreate)[^.])*/
        try text.replacing(line, with: "-- Locks: \(list)", maxReplacements: 1)
            .write(to: file, atomically: true, encoding: .utf8)
    }

    /// The words of the `Outcomes` line; `*other` for those of another function.
    var outcomes: Set<String>? {
        line("Outcomes").map { Set($0.components(separatedBy: ", ")) }
    }

    /// The words that the function may return, including those of called functions.
    ///
    /// Null of another function is not passed on.
    func words(seen: Set<String> = []) -> Set<String> {
        guard !seen.contains(name) else { return [] }
        return (outcomes ?? []).reduce(into: []) { words, word in
            guard word.hasPrefix("*") else {
                words.insert(word)
                return
            }
            let other = FunctionText.byName[String(word.dropFirst())]
            words.formUnion((other?.words(seen: seen.union([name])) ?? [word]).subtracting(["null"]))
        }
    }

    /// Whether the function returns a column or parameter `outcome`.
    var hasOutcomeColumn: Bool { declaration.contains("out outcome text") }

    /// Whether the function returns a text or an array of texts.
    var answersText: Bool { declaration.contains(/returns text\b/) }

    var tokens: [String] { SQLTokens.split(body) }
}

/// The tokens of SQL: literals unchanged, everything else in lower case.
enum SQLTokens {
    static func split(_ text: String) -> [String] {
        text.matches(
            of:
                /('(?:[^']|'')*')|([A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*)|(:=|->>|->|\|\||::|<>|<=|>=|[^\s])/
        )
        .map { match in match.output.1.map(String.init) ?? String(match.output.0).lowercased() }
    }

    /// The parts between separators outside parentheses and cases.
    static func parts(_ tokens: some Collection<String>, by separator: String) -> [[String]] {
        var parts: [[String]] = [[]]
        var depth = 0
        for token in tokens {
            depth += ["(", "[", "case"].contains(token) ? 1 : [")", "]", "end"].contains(token) ? -1 : 0
            if token == separator, depth == 0 {
                parts.append([])
            } else {
                parts[parts.count - 1].append(token)
            }
        }
        return parts
    }
}
