import Foundation
import Testing

/// `docs/architecture.md` lists three paths through the code, file by file.
@Suite("The paths of docs/architecture.md")
struct PathTests {
    private struct Stop {
        let file: String
        let functions: [String]
    }

    private static func paths() throws -> [[Stop]] {
        let section = try #require(
            try Pages.text("docs/architecture.md").components(separatedBy: "## Three paths").dropFirst().first?
                .components(separatedBy: "\n## ").first)
        return section.components(separatedBy: "|---|---|\n").dropFirst().map { table in
            table.split(separator: "\n").prefix { $0.hasPrefix("|") }.compactMap { row in
                let cells = row.split(separator: "|")
                guard cells.count == 2, let file = names(cells[0]).first else { return nil }
                return Stop(file: "Sources/\(file)", functions: names(cells[1]))
            }
        }
    }

    /// The texts between backticks.
    private static func names(_ cell: Substring) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    @Test("each path has at most 15 files and 30 functions")
    func lengths() throws {
        let paths = try Self.paths()
        #expect(paths.count == 3)
        for path in paths {
            #expect((10...15).contains(path.count))
            #expect((15...30).contains(path.map(\.functions.count).reduce(0, +)))
        }
    }

    @Test("each file has the functions that the path names")
    func functions() throws {
        for stop in try Self.paths().joined() {
            let text = try Pages.text(stop.file)
            for name in stop.functions {
                let word = String(name.prefix { $0 != "(" }.split(separator: ".").last ?? "")
                let pattern = try Regex(word == "init" ? #"\binit\??\("# : #"\b(func|function) \#(word)\b"#)
                #expect(text.firstMatch(of: pattern) != nil, "\(name) in \(stop.file)")
            }
        }
    }
}
