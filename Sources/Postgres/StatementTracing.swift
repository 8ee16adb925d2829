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
    ///
    /// It reads bytes, and only up to the name: on texts it took a quarter of a traced sign-in.
    static func of(_ statement: some Collection<UInt8>) -> String {
        var rest = statement.prefix(2_048)
        guard var word = nextWord(&rest) else { return "statement" }
        let verb = text(word.prefix(while: isIdentifier))
        while let next = nextWord(&rest) {
            let name = next.prefix(while: isIdentifier)
            if !name.isEmpty {
                let isCall = next.dropFirst(name.count).first == UInt8(ascii: "(")
                if isCall && word.elementsEqual("select".utf8) && name.contains(UInt8(ascii: "_")) { return text(name) }
                if isCall && word.elementsEqual("from".utf8) { return text(name) }
                if isBeforeTable(word) { return "\(verb) \(text(name))" }
            }
            word = next
        }
        return verb
    }

    private static func nextWord<Bytes: Collection<UInt8>>(_ rest: inout Bytes) -> Bytes?
    where Bytes.SubSequence == Bytes {
        rest = rest.drop(while: isSpace)
        let word = rest.prefix { !isSpace($0) }
        rest = rest[word.endIndex...]
        return word.isEmpty ? nil : word
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether the byte is a letter, a digit or an underscore.
    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func isBeforeTable(_ word: some Collection<UInt8>) -> Bool {
        ["from", "into", "update"].contains { word.elementsEqual($0.utf8) }
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
