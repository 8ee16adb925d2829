import Foundation
import Testing

@Suite("The README of the iOS sample")
struct ReadmeTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("Its numbers of lines are those of the files")
    func lines() throws {
        let readme = try Self.text("README.md")
        let rows = readme.matches(of: /\| `([^`]+\.swift)` \| ([0-9]+) \|/)
        #expect(rows.count == 5)
        var sum = 0
        for row in rows {
            let count = Self.code(try Self.text(String(row.output.1))).count
            #expect(String(count) == row.output.2, "\(row.output.1)")
            sum += count
        }
        #expect(readme.contains("| all | \(sum) |"))
    }

    @Test("Its number of lines for the sign-in is that of the function")
    func signIn() throws {
        let lines = Self.code(try Self.text("App/SampleApp.swift"))
        let begin = try #require(lines.firstIndex { $0.contains("private func signIn(") })
        let end = try #require(lines[begin...].firstIndex(of: "        }"))
        let number = "every further step | \(end - begin + 1) |"
        #expect(try Self.text("README.md").contains(number))
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines that are neither empty nor comments.
    private static func code(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter {
            let line = $0.trimmingCharacters(in: .whitespaces)
            return !line.isEmpty && !line.hasPrefix("//")
        }
    }
}
