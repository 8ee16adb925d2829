import Foundation
import Testing

/// `docs/threat-model.md` names files and tests, which must exist.
@Suite("The threat model and the tests")
struct ThreatModelTests {
    private struct Row {
        let id: String
        let code: String
        let test: String
    }

    /// The rows `| J-01 | attack | defence | code | test |`; an audit's ids have no hyphen, the third's begin with `3-`.
    private static func rows() throws -> [Row] {
        try Pages.text("docs/threat-model.md").split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5,
                cells[0].range(of: "^([A-Z]-[0-9]{2}|(3-)?[A-Z][0-9]{1,2})$", options: .regularExpression) != nil
            else {
                return nil
            }
            return Row(id: cells[0], code: cells[3], test: cells[4])
        }
    }

    private static func quoted(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
            $0.isMultiple(of: 2) ? nil : String($1)
        }
    }

    /// An audit's id is that of a finding, which may have several rows.
    @Test("two attacks have different ids")
    func ids() throws {
        let ids = try Self.rows().map(\.id).filter { $0.dropFirst().first == "-" && !$0.hasPrefix("3-") }
        #expect(ids.count > 40)
        #expect(Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
    }

    @Test("every file named in a row exists")
    func files() throws {
        let rows = try Self.rows()
        #expect(rows.count > 40)
        for row in rows {
            let paths = Self.quoted(row.code)
            #expect(!paths.isEmpty, "\(row.id)")
            for path in paths { #expect(Pages.exists("Sources/" + path) || Pages.exists(path), "\(row.id): \(path)") }
        }
    }

    @Test("every test named in a row exists, and a row without one states that")
    func tests() throws {
        let scripts = TypeScript.tests(in: "test").map { "clients/typescript/\($0)" }
        let files = try Pages.swiftFiles("Tests") + Pages.swiftFiles("clients/swift/Tests") + scripts
        // By bytes: a search of each title in the text of all tests would take seconds.
        let quoted = try files.reduce(into: Set<String>()) { quoted, file in
            quoted.formUnion(try Pages.text(file).utf8.split(separator: UInt8(ascii: "\"")).map { String($0) ?? "" })
        }
        let rows = try Self.rows()
        let missing = rows.flatMap { Self.quoted($0.test) }.filter { !quoted.contains($0) }
        #expect(missing == [])
        #expect(rows.filter { Self.quoted($0.test).isEmpty && $0.test != "no test yet" }.map(\.id) == [])
    }
}
