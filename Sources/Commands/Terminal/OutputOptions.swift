import ArgumentParser
import JSON
import Telemetry

/// The output format, which is the same for every command.
///
/// A terminal gets a table. Other readers get cells between tabs, without a head. With `--json` each row is a line.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON; of a list one object per line.") var json = false

    /// Prints a list.
    ///
    /// - Parameters:
    ///   - columns: members of the rows; a dot leads into an object.
    ///   - rows: objects, of which JSON has every member.
    func write(_ columns: [String], _ rows: [JSON]) {
        if json { return rows.forEach { Terminal.write($0.text) } }
        let table = Table(columns, rows)
        Table.isTerminal ? table.aligned.forEach(Terminal.write) : table.separated.forEach(Terminal.write)
        if rows.isEmpty, Table.isTerminal { Terminal.complain("Nothing found.") }
    }

    /// Prints one object, a line for each member.
    func write(record: JSON) {
        if json { return Terminal.write(record.text) }
        let rows = (record.object?.members ?? []).map { JSON.object(["name": .string($0.name), "value": $0.value]) }
        let table = Table(["name", "value"], rows)
        (Table.isTerminal ? Array(table.aligned.dropFirst()) : table.separated).forEach(Terminal.write)
    }

    /// Reports what a command did: a sentence, or as JSON.
    func report(_ sentence: String, _ json: JSON) {
        Terminal.write(self.json ? json.text : sentence)
    }

    /// Prints the option for the next page to standard error, because it is no row.
    func offer(next cursor: String?) {
        if let cursor { Terminal.complain("More: --cursor \(cursor)") }
    }
}
