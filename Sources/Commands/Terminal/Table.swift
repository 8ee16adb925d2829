import Glibc
import JSON

/// Rows of cells under the names of their columns.
struct Table {
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    private let head: [String]
    private let rows: [[String]]

    init(_ columns: [String], _ rows: [JSON]) {
        head = columns.map { ($0.split(separator: ".").last ?? "").uppercased().replacing("_", with: " ") }
        self.rows = rows.map { row in columns.map { Self.cell(Self.value(at: $0, of: row)) } }
    }

    /// Cells between tabs.
    var separated: [String] { rows.map { $0.joined(separator: "\t") } }

    /// The head and the rows with columns of equal width; a column without any value is left out.
    var aligned: [String] {
        let kept = head.indices.filter { column in rows.contains { $0[column] != Self.nothing } }
        let lines = ([head] + rows).map { line in kept.map { line[$0] } }
        let widths = kept.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return rows.isEmpty
            ? []
            : lines.map { cells in
                let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                // The last column has lengths of its own.
                return (padded.dropLast() + cells.suffix(1)).joined(separator: "  ")
            }
    }

    private static let nothing = "-"

    private static func value(at path: String, of row: JSON) -> JSON? {
        path.split(separator: ".").reduce(Optional(row)) { value, name in value?[String(name)] }
    }

    private static func cell(_ value: JSON?) -> String {
        switch value ?? .null {
        case .null: nothing
        case .string(let text): text.isEmpty ? nothing : shown(text)
        case .bool(let flag): flag ? "yes" : "no"
        case .array(let items) where items.isEmpty: nothing
        case .array(let items) where items.allSatisfy { $0.string != nil }: items.map(cell).joined(separator: ", ")
        case .object(let object) where object.members.isEmpty: nothing
        case let value: shown(value.text)
        }
    }

    /// Callers supply some texts: a control character would command the terminal, or end the cell.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
