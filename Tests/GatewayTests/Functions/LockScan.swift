/// Lists the locks in a function's body, in the order of their first appearance.
///
/// A row inserted without `on conflict` is new: no transaction waits for it. Rows of `audit_inbox` and `outbox` are
/// always new, and omitted.
struct LockScan {
    /// A lock, or a function that takes locks.
    struct Taken: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case rows, new, wholeTable, advisory, function

            var isOfTable: Bool { [.rows, .new, .wholeTable].contains(self) }
        }

        let name: String
        var kind: Kind
        /// The lock strengths of rows that are only read, such as `for share`.
        var strengths: [String] = []

        /// The form of headers.
        var text: String {
            switch kind {
            case .rows: strengths.isEmpty ? name : "\(name) (\(strengths.joined(separator: " or ")))"
            case .new: "\(name) (new)"
            case .wholeTable: "\(name) (whole table)"
            case .advisory: "advisory \(name)"
            case .function: "*\(name)"
            }
        }
    }

    static let appendOnly: Set = ["audit_inbox", "outbox"]

    private let tokens: [String]
    private let own: String
    private let locking: Set<String>
    private let schema: SchemaText
    private(set) var taken: [Taken] = []

    /// - Parameter locking: the functions that take locks.
    init(_ function: FunctionText, locking: Set<String>, schema: SchemaText = .current) {
        (tokens, own, self.locking, self.schema) = (function.tokens, function.name, locking, schema)
        for place in tokens.indices { read(place) }
    }

    /// The locks of every function; functions that take locks are named at their calls.
    static func all(_ functions: [FunctionText], schema: SchemaText = .current) -> [String: [Taken]] {
        var locking: Set<String> = []
        while true {
            let scans = functions.map { ($0.name, LockScan($0, locking: locking, schema: schema).taken) }
            let found = Set(scans.filter { !$1.isEmpty }.map(\.0))
            if found == locking { return Dictionary(uniqueKeysWithValues: scans) }
            locking = found
        }
    }

    private func token(_ place: Int) -> String { tokens.indices.contains(place) ? tokens[place] : "" }

    private mutating func read(_ place: Int) {
        switch token(place) {
        case "for" where strength(at: place) != nil:
            for table in tablesRead(before: place) { add(table, .rows, strength(at: place)) }
        case "insert" where token(place + 1) == "into" && schema.tables.contains(token(place + 2)):
            insert(into: token(place + 2), from: place)
        case "update"
        where schema.tables.contains(token(place + 1)) && !["for", "key", "do"].contains(token(place - 1)):
            add(token(place + 1), .rows)
            fire(token(place + 1), "update", columns: columnsSet(after: place))
        case "delete" where token(place + 1) == "from" && schema.tables.contains(token(place + 2)):
            add(token(place + 2), .rows)
            fire(token(place + 2), "delete")
        case "lock" where token(place + 1) == "table": add(token(place + 2), .wholeTable)
        case "execute" where token(place + 1) == "format": add("named table", .wholeTable)
        case let name where name.hasPrefix("pg_advisory") || name.hasPrefix("pg_try_advisory"):
            add(advisoryName(after: place), .advisory)
        case let name where locking.contains(name) && token(place + 1) == "(" && name != own: add(name, .function)
        default: break
        }
    }

    private mutating func add(_ name: String, _ kind: Taken.Kind, _ strength: String? = nil) {
        if kind == .new, Self.appendOnly.contains(name) { return }
        let known = taken.firstIndex { $0.name == name && ($0.kind == kind || $0.kind.isOfTable && kind.isOfTable) }
        guard let known else {
            taken.append(Taken(name: name, kind: kind, strengths: strength.map { [$0] } ?? []))
            return
        }
        if taken[known].kind == .new { taken[known].kind = kind }
        if let strength, !taken[known].strengths.contains(strength) { taken[known].strengths.append(strength) }
    }

    /// The triggers of a table that take locks.
    private mutating func fire(_ table: String, _ event: String, columns: Set<String> = []) {
        for trigger in schema.triggers where trigger.table == table && locking.contains(trigger.function) {
            if trigger.fires(on: event, columns: columns) { add(trigger.function, .function) }
        }
    }

    private mutating func insert(into table: String, from place: Int) {
        let statement = tokens[place..<end(of: place)]
        let outer = SQLTokens.parts(statement, by: "on")
        add(
            table,
            outer.dropFirst().contains { $0.first == "conflict" } && !Self.appendOnly.contains(table) ? .rows : .new)
        fire(table, "insert")
    }

    /// The end of the statement at a position: a semicolon, or the closing parenthesis.
    private func end(of place: Int) -> Int {
        var depth = 0
        for next in tokens[place...].indices {
            depth += tokens[next] == "(" ? 1 : tokens[next] == ")" ? -1 : 0
            if depth < 0 || tokens[next] == ";" { return next }
        }
        return tokens.endIndex
    }

    /// `for update`, `for no key update`, `for share` or `for key share`, with `skip locked` or `nowait`.
    private func strength(at place: Int) -> String? {
        let words = tokens[(place + 1)...].prefix { ["no", "key", "update", "share"].contains($0) }
        guard ["update", "no key update", "share", "key share"].contains(words.joined(separator: " ")) else {
            return nil
        }
        var next = words.endIndex
        if token(next) == "of" { next += 2 }
        let rest = token(next) == "skip" ? ["skip", "locked"] : token(next) == "nowait" ? ["nowait"] : []
        return (["for"] + words + rest).joined(separator: " ")
    }

    /// The tables that a `for …` clause locks: those of its own `from`, or the one after `of`.
    private func tablesRead(before place: Int) -> [String] {
        var depth = 0
        var clause: [String] = []
        for token in tokens[..<place].reversed() {
            depth += [")", "]"].contains(token) ? 1 : ["(", "["].contains(token) ? -1 : 0
            if depth < 0 || (depth == 0 && token == ";") { break }
            if depth == 0 { clause.insert(token, at: 0) }
            if depth == 0, token == "from" { break }
        }
        let tables = clause.prefix { $0 != "where" }.indices.filter {
            $0 > 0 && schema.tables.contains(clause[$0]) && ["from", "join", ",", "lateral"].contains(clause[$0 - 1])
        }
        guard let of = tokens[place..<min(place + 6, tokens.count)].firstIndex(of: "of") else {
            return tables.map { clause[$0] }
        }
        return tables.filter {
            clause[$0] == token(of + 1) || ($0 + 1 < clause.count && clause[$0 + 1] == token(of + 1))
        }
        .map { clause[$0] }
    }

    /// The columns that an update assigns.
    private func columnsSet(after place: Int) -> Set<String> {
        guard let set = tokens[place...].firstIndex(of: "set") else { return [] }
        let list = SQLTokens.parts(tokens[(set + 1)..<end(of: place)], by: "where")[0]
        return Set(SQLTokens.parts(list, by: ",").compactMap(\.first))
    }

    /// The first argument of `hashtextextended`, or the kind of resource of its second one.
    private func advisoryName(after place: Int) -> String {
        guard let call = tokens[place...].firstIndex(of: "hashtextextended") else { return "unknown" }
        let arguments = SQLTokens.parts(tokens[(call + 2)..<end(of: call + 2)], by: ",")
        let first = arguments[0].first ?? ""
        if first.hasPrefix("'") { return String(first.dropFirst().dropLast()) }
        return switch (arguments.last?.first, first) {
        case ("1", _): "identity"
        case ("2", _): "address"
        case ("3", _): "delivery"
        case ("5", "app"): "client claims"
        case ("8", _): "new device"
        case ("5", "encode"): "digest"
        default: "unknown"
        }
    }
}
