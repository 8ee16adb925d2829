import Foundation
import TestSupport

/// The code of `docs/backends.md`.
enum BackendPage {
    /// The code blocks of a section: the offline check, then the online one.
    static func code(of section: String) throws -> [String] {
        let text = try Pages.text("docs/backends.md")
        let sections = text.components(separatedBy: "\n## ")
        guard let found = sections.first(where: { $0.hasPrefix(section + "\n") }) else {
            throw HarnessError("docs/backends.md has no section \(section).")
        }
        let pieces = found.components(separatedBy: "```")
        // Every second piece is a block, which begins with its language.
        return stride(from: 1, to: pieces.count, by: 2).map { index in
            pieces[index].split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        }
    }
}
