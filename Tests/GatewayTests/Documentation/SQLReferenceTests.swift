import Foundation
import Testing

/// The references to SQL files in pages and sources.
@Suite("References to SQL")
struct SQLReferenceTests {
    private static let pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md"].filter(Pages.exists)

    @Test("every SQL file that a page, a Swift file or an SQL file names in backticks exists")
    func files() throws {
        let sql =
            try Pages.files("Sources/Postgres", ".sql") + Pages.files("bench", ".sql") + Pages.files("deploy", ".sql")
        let texts = try Self.pages + Pages.files("docs", ".md") + Pages.swiftFiles("Sources") + sql
        #expect(texts.count > 500)
        var missing: [String] = []
        for path in texts {
            for match in try Pages.text(path).matches(of: /`([\w.\/]+\.sql)`/) {
                let name = String(match.output.1)
                // The pattern of a name is not a name.
                guard !name.hasPrefix("NNNN_"), !name.hasPrefix(".") else { continue }
                if !sql.contains(where: { $0 == name || $0.hasSuffix("/" + name) }) {
                    missing.append("\(path): \(name)")
                }
            }
        }
        #expect(missing == [])
    }
}
