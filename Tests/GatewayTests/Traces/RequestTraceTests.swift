import Testing
import Traces

@Suite("The costs and spans of a request")
struct RequestTraceTests {
    private struct Failure: Error {}

    private static func span(_ trace: RequestTrace, _ name: String) -> TraceSpan {
        TraceSpan(id: SpanID.make(), parent: trace.span, kind: .client, name: name, start: .now, end: .now)
    }

    @Test("times and statements add up, and the gateway has the rest")
    func figures() {
        let trace = RequestTrace()
        trace.add(.microseconds(300), to: .database)
        trace.add(.microseconds(200), to: .database)
        trace.add(.milliseconds(2), to: .provider)
        trace.add(.milliseconds(1), to: .hashing)
        trace.add(statements: 2)
        trace.add(statements: 1)
        let figures = trace.figures(total: .milliseconds(5))
        #expect(
            figures == RequestFigures(total: 5_000, database: 500, providers: 2_000, hashing: 1_000, statements: 3))
        #expect(figures.gateway == 1_500)
    }

    @Test("parts that ran side by side leave the gateway no negative time")
    func sideBySide() {
        #expect(RequestFigures(total: 10, database: 8, providers: 8, hashing: 0, statements: 1).gateway == 0)
    }

    @Test("an unsampled request makes no span")
    func unsampled() {
        let trace = RequestTrace()
        var made = 0
        func make() -> TraceSpan {
            made += 1
            return Self.span(trace, "x")
        }
        trace.record(make())
        #expect(made == 0 && trace.finish().spans.isEmpty)
    }

    @Test("a request keeps a limited number of spans, and none after its end")
    func limit() {
        let trace = RequestTrace(isSampled: true)
        for _ in 0..<130 { trace.record(Self.span(trace, "x")) }
        let (spans, dropped) = trace.finish()
        #expect(spans.count == 128 && dropped == 2)
        trace.record(Self.span(trace, "late"))
        #expect(trace.finish().spans.isEmpty)
    }

    @Test("a measured part is a span of the current request, and a failed one is marked")
    func measured() async throws {
        let trace = RequestTrace(isSampled: true)
        await RequestTrace.$current.withValue(trace) {
            #expect(await RequestTrace.measure(.hashing, .inside, "good") { 7 } == 7)
            await #expect(throws: Failure.self) {
                try await RequestTrace.measure(.hashing, .inside, "bad") { throw Failure() }
            }
        }
        let spans = trace.finish().spans
        #expect(spans.map(\.name) == ["good", "bad"])
        #expect(spans.map(\.hasFailed) == [false, true])
        #expect(spans.allSatisfy { $0.parent == trace.span })
    }

    @Test("outside of a request nothing is measured")
    func outside() async {
        #expect(RequestTrace.current == nil)
        #expect(await RequestTrace.measure(.database, .client, "x") { 7 } == 7)
    }
}
