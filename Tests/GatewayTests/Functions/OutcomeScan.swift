/// Reads the outcomes that a function's body assigns or returns.
///
/// It understands the forms that our functions use: literals, `case`, `coalesce`, arrays, calls of functions with
/// outcomes, variables with any of these, and `select … into` from such a function. Any other form is an error.
struct OutcomeScan {
    struct Unreadable: Error { let text: String }

    /// The functions with outcomes.
    let functions: Set<String>
    private var assigned: [String: [[String]]] = [:]
    private var passedOn: [String: [String]] = [:]
    private var returned: [[String]] = []

    init(_ text: FunctionText, functions: Set<String>) {
        self.functions = functions
        for statement in text.tokens.split(separator: ";").map(Array.init) {
            readAssignment(statement)
            readInto(statement)
            if let place = statement.lastIndex(of: "return"), place + 1 < statement.count,
                statement[place + 1] != "query"
            {
                returned.append(Array(statement[(place + 1)...]))
            }
        }
    }

    /// The outcomes of a function with an outcome column.
    func column() throws -> Set<String> { try value(of: "outcome", []) }

    /// The outcomes of a function that returns them.
    func answer() throws -> Set<String> {
        try returned.reduce(into: []) { $0.formUnion(try words($1, [])) }
    }

    /// `name := …` after a keyword or a label, or with the declaration of the variable.
    private mutating func readAssignment(_ statement: [String]) {
        guard let place = statement.firstIndex(of: ":="), place > 0 else { return }
        let before = place > 1 ? statement[place - 2] : nil
        let isPlain = before.map { ["begin", "then", "else", "loop", ">"].contains($0) } ?? true
        let name = isPlain ? statement[place - 1] : statement[0] == "declare" ? statement[1] : statement[0]
        assigned[name, default: []].append(Array(statement[(place + 1)...]))
    }

    /// `select x.outcome, … into target, … from function(…)`.
    private mutating func readInto(_ statement: [String]) {
        guard let select = statement.firstIndex(of: "select"), let into = statement.firstIndex(of: "into"),
            select < into,
            let from = statement[into...].firstIndex(of: "from"), from + 2 < statement.count,
            statement[from + 2] == "(",
            functions.contains(statement[from + 1])
        else { return }
        let column = SQLTokens.parts(statement[(select + 1)..<into], by: ",")[0].joined()
        let target = SQLTokens.parts(statement[(into + 1)..<from], by: ",")[0].joined()
        guard column.hasSuffix(".outcome") || column.hasSuffix(".*") else { return }
        passedOn[target, default: []].append("*" + statement[from + 1])
    }

    private func value(of variable: String, _ seen: Set<String>) throws -> Set<String> {
        // The column of a record with a complete answer.
        let record = String(variable.split(separator: ".")[0])
        let name = variable.hasSuffix(".outcome") && passedOn[record] != nil ? record : variable
        guard !seen.contains(name) else { return [] }
        guard assigned[name] != nil || passedOn[name] != nil else { throw Unreadable(text: "variable \(name)") }
        return try (assigned[name] ?? []).reduce(into: Set(passedOn[name] ?? [])) {
            $0.formUnion(try words($1, seen.union([name])))
        }
    }

    private func words(_ expression: [String], _ seen: Set<String>) throws -> Set<String> {
        let joined = SQLTokens.parts(expression, by: "||")
        if joined.count > 1 { return try joined.reduce(into: []) { $0.formUnion(try words($1, seen)) } }
        guard let first = expression.first else { throw Unreadable(text: "nothing") }
        if expression.count == 1 {
            if first == "null" { return ["null"] }
            guard first.hasPrefix("'") else { return try value(of: first, seen) }
            let word = String(first.dropFirst().dropLast())
            return word.wholeMatch(of: /[a-z][a-z_]*/) == nil ? [] : [word]
        }
        if first == "case" { return try branches(expression, seen) }
        guard expression.count > 2, [")", "]"].contains(expression.last) else {
            throw Unreadable(text: expression.joined(separator: " "))
        }
        let arguments = SQLTokens.parts(expression[2..<(expression.count - 1)], by: ",")
        switch first {
        case "array": return try arguments.reduce(into: []) { $0.formUnion(try words($1, seen)) }
        case "coalesce":
            let all = try arguments.map { try words($0, seen) }
            return all.dropLast().reduce(into: all.last ?? []) { $0.formUnion($1.subtracting(["null"])) }
        case _ where functions.contains(first): return ["*" + first]
        default: throw Unreadable(text: expression.joined(separator: " "))
        }
    }

    /// The expressions after `then` and `else`; null without an `else`.
    private func branches(_ expression: [String], _ seen: Set<String>) throws -> Set<String> {
        var results: [[String]] = []
        var depth = 0
        var isResult = false
        var hasElse = false
        for token in expression.dropFirst().dropLast() {
            if depth == 0, ["when", "then", "else"].contains(token) {
                isResult = token != "when"
                hasElse = hasElse || token == "else"
                if isResult { results.append([]) }
                continue
            }
            depth += ["(", "[", "case"].contains(token) ? 1 : [")", "]", "end"].contains(token) ? -1 : 0
            if isResult { results[results.count - 1].append(token) }
        }
        return try results.reduce(into: hasElse ? [] : ["null"]) { $0.formUnion(try words($1, seen)) }
    }
}
