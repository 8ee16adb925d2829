import Traces

/// A job of the pool as a part of a request's trace.
struct StatementTracing: Sendable {
    let trace: RequestTrace
    /// The job's span, the parent of its statements.
    let span: UInt64
    private let start: ContinuousClock.Instant

    /// Begins now; nil outside of requests.
    init?() {
        guard let trace = RequestTrace.current else { return nil }
        self.trace = trace
        span = trace.isSampled ? SpanID.make() : 0
        start = .now
    }

    /// Adds the job's time, the wait for a connection included.
    func end(_ statement: SQL?, hasFailed: Bool) {
        let end = ContinuousClock.now
        trace.add(end - start, to: .database)
        trace.record(
            TraceSpan(
                id: span, parent: trace.span, kind: statement == nil ? .inside : .client,
                name: statement.map { StatementName.of($0.statement) } ?? "connection", start: start, end: end,
                attributes: StatementName.attributes, hasFailed: hasFailed))
    }
}

extension Connection {
    /// Runs `body` as a span of the current job.
    func traced<Value>(
        _ text: some Collection<UInt8>, _ body: () throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        guard let tracing, tracing.trace.isSampled else { return try body() }
        let start = ContinuousClock.now
        let result = Result(catching: body)
        var hasFailed = false
        if case .failure = result { hasFailed = true }
        tracing.trace.record(
            TraceSpan(
                id: SpanID.make(), parent: tracing.span, kind: .client, name: StatementName.of(text), start: start,
                end: .now, attributes: StatementName.attributes, hasFailed: hasFailed))
        return try result.get()
    }
}

/// The name of a statement in traces: its SQL function, or its verb and table, and never a value.
enum StatementName {
    static let attributes: [(name: String, value: TraceSpan.Attribute)] = [("db.system.name", .text("postgresql"))]

    /// The name of `select … from end_session($1)` is `end_session`, that of `update sessions set …` `update sessions`.
    static func of(_ statement: some Collection<UInt8>) -> String {
        let words = String(decoding: statement.prefix(2_048), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        guard let verb = words.first.map({ identifier($0) }) else { return "statement" }
        for (word, next) in zip(words, words.dropFirst()) {
            let name = identifier(next)
            guard !name.isEmpty else { continue }
            let isCall = next.dropFirst(name.count).first == "("
            switch word {
            case "select" where isCall && name.contains("_"): return name
            case "from" where isCall: return name
            case "from", "into", "update": return "\(verb) \(name)"
            default: continue
            }
        }
        return verb
    }

    /// The letters, digits and underscores at the start of a word.
    private static func identifier(_ word: Substring) -> String {
        String(word.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
}
