import Foundation

/// A script of `bench/sql`: the gateway's statements, with expressions for their parameters.
package struct BenchScript: Sendable {
    package enum Part: Sendable {
        /// Lines that the gateway does not send: pgbench's commands, notes, `begin` and `end`, and what `\gset` keeps.
        case own(String)
        case statement(Statement)
    }

    package struct Statement: Sendable {
        /// With `$1`, `$2` … and without a semicolon.
        package var text: String
        /// pgbench's expressions, by number of the parameter.
        package var values: [Int: String]

        package init(text: String, values: [Int: String]) {
            (self.text, self.values) = (text, values)
        }
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "bench/sql")

    /// The scripts with statements of the gateway; `NAME.setup.sql` and `NAME.waiting.sql` are the benchmark's own.
    package static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sql") && !$0.dropLast(4).contains(".") }.map { String($0.dropLast(4)) }.sorted()
    }

    package let name: String
    package var parts: [Part] = []

    package init(_ name: String) throws {
        self.name = name
        var (lines, values): ([Substring], [Int: String]) = ([], [:])
        for line in try Self.text("\(name).sql").split(separator: "\n") {
            if lines.isEmpty, let found = line.wholeMatch(of: /-- \$([0-9]+) (.+)/), let number = Int(found.1) {
                values[number] = String(found.2)
            } else if lines.isEmpty, line.hasPrefix("\\") || line.hasPrefix("--") {
                parts.append(.own(String(line)))
            } else {
                lines.append(line)
                guard line.hasSuffix(";") || line.hasSuffix("\\gset") else { continue }
                parts.append(Self.part(lines.joined(separator: "\n"), values))
                (lines, values) = ([], [:])
            }
        }
    }

    private static func part(_ text: String, _ values: [Int: String]) -> Part {
        if text.hasSuffix("\\gset") || ["begin;", "end;"].contains(text) { return .own(text) }
        return .statement(Statement(text: String(text.dropLast()), values: values))
    }

    package static func text(_ file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    /// The gateway's statements, in order.
    package var statements: [Statement] {
        get {
            parts.compactMap { if case .statement(let statement) = $0 { statement } else { nil } }
        }
        set {
            var left = newValue[...]
            parts = parts.compactMap { part in
                guard case .statement = part else { return part }
                return left.popFirst().map(Part.statement)
            }
            parts += left.map(Part.statement)
        }
    }

    /// Writes the file anew.
    package func write() throws {
        let blocks = parts.map { part in
            switch part {
            case .own(let text): text
            case .statement(let statement):
                (statement.values.sorted { $0.key < $1.key }.map { "-- $\($0) \($1)" } + ["\(statement.text);"])
                    .joined(separator: "\n")
            }
        }
        let file = Self.folder.appending(path: "\(name).sql")
        try (blocks.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    }
}
