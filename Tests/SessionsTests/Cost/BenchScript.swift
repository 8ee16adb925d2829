import Foundation

/// A file of `bench/sql`: the gateway's statement, with expressions for its parameters.
struct BenchScript {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "bench/sql")

    /// The preparation: SQL with psql's variables.
    private let setup: String
    private let statement: String
    private let base: Int

    /// - Parameter base: a number that differs between scripts, so that ids and digests never collide.
    init(_ work: String, base: Int) throws {
        setup = try Self.text("\(work).setup.sql")
        statement = Self.statement(in: try Self.text("\(work).sql"))
        self.base = base
    }

    var preparation: String { Self.fill(setup, ["base": base, "people": 20, "flows": 1]) }

    /// The statement of a turn, 0-based.
    func text(turn: Int) -> String {
        let number = base + turn
        return Self.fill(
            statement, ["chain": base, "turn": turn, "number": number, "next": number + 1, "person": turn % 20 + 1])
    }

    private static func text(_ file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    /// Replaces parameters by the expressions in lines `-- $1 expression`; those with `\` are pgbench's.
    private static func statement(in text: String) -> String {
        let lines = text.split(separator: "\n")
        var statement = lines.filter { !$0.hasPrefix("--") && !$0.hasPrefix("\\") }.joined(separator: "\n")
        let values = lines.compactMap { $0.wholeMatch(of: /-- \$([0-9]+) (.+)/)?.output }
        // The greatest first, because $1 is a prefix of $10.
        for (_, number, value) in values.sorted(by: { Int($0.1) ?? 0 > Int($1.1) ?? 0 }) {
            statement = statement.replacing("$\(number)", with: "(\(value))")
        }
        return statement
    }

    private static func fill(_ text: String, _ variables: [String: Int]) -> String {
        text.replacing(/(?<before>[^:]):(?<name>[a-z]+)/) { found in
            guard let value = variables[String(found.output.name)] else { return String(found.output.0) }
            return "\(found.output.before)\(value)"
        }
    }
}
