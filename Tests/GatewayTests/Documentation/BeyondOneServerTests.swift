import Foundation
import Testing

/// `docs/operations.md`, "Beyond one database server": a row for each difference of another database, and the functions
/// that use it.
@Suite("The page about databases of several servers")
struct BeyondOneServerTests {
    /// The first cell of a row, and the pattern in the text of its functions.
    private static let rows: [(uses: String, pattern: String)] = [
        ("advisory locks of the transaction", #"pg_(try_)?advisory_"#),
        ("`pg_notify`", #"pg_notify"#),
        ("the unlogged table `throttles`", #"\bthrottles\b"#),
        ("places of rows (`ctid`)", #"\bctid\b|\btid\[\]"#),
        ("`skip locked`, `nowait`", #"\b(skip locked|nowait)\b"#),
        ("triggers", #"returns trigger"#),
        ("changes of tables", #"\b(execute format|alter table|lock table)\b"#),
        ("blocks with `exception` (savepoints)", #"(?m)^\s*exception\s*(when|$)"#),
        ("`security definer`", #"security definer"#),
    ]

    @Test("each row names exactly the functions that use its feature", arguments: rows.indices)
    func functions(_ index: Int) throws {
        let row = Self.rows[index]
        let page = try Pages.text("docs/operations.md")
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("| \(row.uses) | ") })
        let cells = line.split(separator: "|")
        try #require(cells.count > 2)
        let named = Set(cells[1].matches(of: /`([a-z_]+\/[a-z_]+\.sql)`/).map { String($0.output.1) })
        let using = try Self.functions(using: row.pattern)
        #expect(!using.isEmpty)
        #expect(named.subtracting(using).sorted() == [], "named, and they do not use it")
        #expect(using.subtracting(named).sorted() == [], "they use it, and are not named")
    }

    /// The files below `Functions` with a match outside comments.
    private static func functions(using pattern: String) throws -> Set<String> {
        let place = Configurations.root.appending(path: "Sources/Postgres/Functions").resolvingSymlinksInPath()
        let names = FileManager.default.enumerator(atPath: place.path)?.allObjects.compactMap { $0 as? String } ?? []
        return try Set(
            names.filter { $0.hasSuffix(".sql") }.filter { name in
                let text = try String(contentsOf: place.appending(path: name), encoding: .utf8)
                let code = text.replacing(/--[^\n]*/, with: "")
                return code.range(of: pattern, options: [.regularExpression, .caseInsensitive]) != nil
            })
    }
}
