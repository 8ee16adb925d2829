import JSON
import Testing

@testable import Commands

@Suite("Tables of the command line")
struct TableTests {
    private static let rows: [JSON] = [
        ["id": "a", "agent": ["last_used_at": "2026-01-02"], "tags": ["x", "y"], "off": false],
        ["id": "longer", "agent": .null, "tags": [], "off": true],
    ]
    private static let table = Table(["id", "agent.last_used_at", "tags", "off", "never"], rows)

    @Test("a terminal gets a head and aligned columns, without those that are empty in every row")
    func aligned() {
        #expect(
            Self.table.aligned == [
                "ID      LAST USED AT  TAGS  OFF", "a       2026-01-02    x, y  no", "longer  -             -     yes",
            ])
        #expect(Table(["id"], []).aligned == [])
    }

    @Test("other readers get every column between tabs, without a head")
    func separated() {
        #expect(Self.table.separated == ["a\t2026-01-02\tx, y\tno\t-", "longer\t-\t-\tyes\t-"])
    }

    @Test("a text commands no terminal and ends no cell", arguments: ["\u{1B}[2J", "a\tb", "a\nb", "\u{9B}1m"])
    func control(text: String) {
        let lines = Table(["name"], [["name": .string(text)]]).separated
        #expect(lines.count == 1)
        #expect(!lines[0].unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(lines)")
        #expect(lines[0].count == text.count)
    }

    @Test("a number and an object are shown as JSON")
    func values() {
        let table = Table(["n", "o", "l"], [["n": 3, "o": ["k": 1], "l": [["k": 1]]]])
        #expect(table.separated == [#"3\#t{"k":1}\#t[{"k":1}]"#])
    }
}
