import Foundation
import Testing

@Suite("The layout in the README")
struct LayoutTests {
    /// The first word of each line.
    private static func paths() throws -> [String] {
        let layout = try #require(try Pages.text("README.md").components(separatedBy: "## Layout\n").last)
        let block = try #require(layout.components(separatedBy: "```").dropFirst().first)
        return block.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test("it has every module of Package.swift once")
    func modules() throws {
        let targets = try Pages.text("Package.swift").matches(
            of: #/\.(?:systemLibrary|target|executableTarget|testTarget)\(\s*name: "([A-Za-z0-9]+)"/#
        ).map { String($0.output.1) }
        #expect(targets.count > 20)
        let listed = try Self.paths().filter { $0.contains("/") && $0 != "Tests/Transcripts" }
        #expect(listed.compactMap { $0.split(separator: "/").last.map(String.init) }.sorted() == targets.sorted())
    }

    @Test("it has every folder at the top, and each of its paths exists")
    func folders() throws {
        let paths = try Self.paths()
        let root = Configurations.root.resolvingSymlinksInPath()
        let folders = try FileManager.default.contentsOfDirectory(
            at: root, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles
        ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }.map(\.lastPathComponent)
        #expect(Set(folders).subtracting(paths) == [])
        // Git ignores var; make creates it.
        #expect(paths.filter { $0 != "var" && !Pages.exists($0) } == [])
    }
}
