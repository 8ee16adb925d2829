import TestSupport

/// A script of `bench/sql` with one statement, without pgbench.
extension BenchScript {
    /// The script's set-up, filled in.
    ///
    /// - Parameter base: a number that differs between scripts, so that ids and digests never collide.
    func preparation(base: Int) throws -> String {
        Self.fill(try Self.text("\(name).setup.sql"), ["base": base, "people": 20, "flows": 1])
    }

    /// The statement of a turn, 0-based.
    func text(turn: Int, base: Int) -> String {
        guard let statement = statements.first else { return "" }
        let number = base + turn
        let text = statement.text.replacing(/\$([0-9]+)/) { found in
            "(\(Int(found.output.1).flatMap { statement.values[$0] } ?? "null"))"
        }
        return Self.fill(
            text, ["chain": base, "turn": turn, "number": number, "next": number + 1, "person": turn % 20 + 1])
    }

    private static func fill(_ text: String, _ variables: [String: Int]) -> String {
        text.replacing(/(?<before>[^:]):(?<name>[a-z]+)/) { found in
            guard let value = variables[String(found.output.name)] else { return String(found.output.0) }
            return "\(found.output.before)\(value)"
        }
    }
}
