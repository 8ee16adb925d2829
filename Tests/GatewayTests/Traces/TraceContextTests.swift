import Testing

@testable import Traces

@Suite("Trace context of callers (W3C)")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test("a valid traceparent is read, and written again the same")
    func valid() throws {
        let text = "00-\(Self.trace)-00f067aa0ba902b7-01"
        let context = try #require(TraceContext(text))
        #expect(context.traceID.text == Self.trace)
        #expect(context.span == 0x00f0_67aa_0ba9_02b7)
        #expect(context.isSampled)
        #expect(context.header == text)
        #expect(TraceContext("00-\(Self.trace)-00f067aa0ba902b7-00")?.isSampled == false)
        // Other flags are reserved.
        #expect(TraceContext("00-\(Self.trace)-00f067aa0ba902b7-ff")?.isSampled == true)
    }

    @Test("a later version may have more fields after a hyphen")
    func laterVersion() {
        #expect(TraceContext("cc-\(Self.trace)-00f067aa0ba902b7-01") != nil)
        #expect(TraceContext("cc-\(Self.trace)-00f067aa0ba902b7-01-what-the-future") != nil)
        #expect(TraceContext("cc-\(Self.trace)-00f067aa0ba902b7-01.what") == nil)
        #expect(TraceContext("cc-\(Self.trace)-00f067aa0ba902b7-01-" + String(repeating: "x", count: 300)) == nil)
    }

    @Test(
        "a malformed traceparent counts as none",
        arguments: [
            "", "00", "00-\(trace)-00f067aa0ba902b7", "00-\(trace)-00f067aa0ba902b7-1",
            "00-\(trace)-00f067aa0ba902b7-01-", "00-\(trace)-00f067aa0ba902b7-01 ", "ff-\(trace)-00f067aa0ba902b7-01",
            "0-\(trace)-00f067aa0ba902b7-01x", "00-\(trace.uppercased())-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-\(trace)-0000000000000000-01",
            "00_\(trace)_00f067aa0ba902b7_01", "00-\(trace)-00f067aa0ba902b7-0g", "00-\(trace)-00f067aa0ba902bé-1",
            "00-\(trace)-00f067aa0ba902b7-01, 00-\(trace)-00f067aa0ba902b7-01",
        ])
    func malformed(text: String) {
        #expect(TraceContext(text) == nil)
    }

    @Test(
        "a valid tracestate stays as it is",
        arguments: [
            "a=1", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "fw529a3039@dt=FfAD 2;x", "a_-*/=!~", "1tenant@sys=x",
        ])
    func validState(text: String) {
        #expect(TraceState.checked(text) == text)
    }

    @Test("spaces, tabs and empty members between the members of a tracestate are left out")
    func spacedState() {
        #expect(TraceState.checked(" a=1 ,\tb=2,,") == "a=1,b=2")
    }

    @Test(
        "a malformed tracestate is dropped",
        arguments: [
            "", " , ", "a", "a=", "=1", "A=1", "1=1", "a=1,a=2", "a=b=c", "a=\u{7F}", "a=é", "a@=1", "@b=1",
            "a@b@c=1", "a@1b=1", "a=1\r\nX: y", "a@\(String(repeating: "s", count: 15))=1",
            String(repeating: "k", count: 257) + "=1", "a=" + String(repeating: "v", count: 257),
            (0..<33).map { "k\($0)=1" }.joined(separator: ","),
            (0..<32).map { "key\($0)=0123456789" }.joined(separator: ","),
        ])
    func malformedState(text: String) {
        #expect(TraceState.checked(text) == nil)
    }

    @Test("new ids differ and are never zero")
    func ids() {
        let traces = Set((0..<1_000).map { _ in RequestTrace().traceID })
        let spans = Set((0..<1_000).map { _ in SpanID.make() })
        #expect(traces.count == 1_000 && spans.count == 1_000 && !spans.contains(0))
    }
}
