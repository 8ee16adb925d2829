import Foundation

/// The tables and triggers of the schema's files.
struct SchemaText: Sendable {
    struct Trigger: Sendable {
        let table: String
        /// Such as `insert or update of a, b`.
        let events: String
        let function: String

        /// Whether an event fires it; an update fires `update of` if it assigns one of the columns.
        func fires(on event: String, columns: Set<String>) -> Bool {
            events.components(separatedBy: " or ").contains { part in
                guard part.hasPrefix("update of ") else { return part == event }
                let watched = part.dropFirst(10).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                return event == "update" && !columns.isDisjoint(with: watched)
            }
        }
    }

    let tables: Set<String>
    let triggers: [Trigger]

    init(_ sql: String) {
        tables = Set(sql.matches(of: /create (?:unlogged )?table (\w+)/).map { String($0.output.1) })
        triggers = sql.matches(
            of: /create trigger \w+\s+(?:before|after) ([^;]*?) on (\w+)\s+for each [^;]*?execute function (\w+)\(\)/
        )
        .map { match in
            Trigger(
                table: String(match.output.2),
                events: String(match.output.1).split(whereSeparator: \.isWhitespace).joined(separator: " "),
                function: String(match.output.3))
        }
    }

    static let current: SchemaText = {
        let folder = Configurations.root.appending(path: "Sources/Postgres/Schema").path
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let texts = files.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        return SchemaText(texts.joined(separator: "\n").replacing(/--[^\n]*/, with: ""))
    }()
}
