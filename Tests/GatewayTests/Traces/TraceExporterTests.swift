import JSON
import Logging
import Outbound
import Synchronization
import Testing
import Traces

@testable import Telemetry

@Suite("The export of traces")
struct TraceExporterTests {
    /// A collector that keeps the requests.
    private final class Collector: HTTPTransport {
        private let state = Mutex<(status: Int, requests: [HTTPRequest])>((200, []))
        private let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)
        var requests: [HTTPRequest] { state.withLock { $0.requests } }

        func answers(_ status: Int) { state.withLock { $0.status = status } }

        /// Runs `body` while each request is on its way.
        func takesTime(for body: @escaping @Sendable () -> Void) { meanwhile.withLock { $0 = body } }

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            meanwhile.withLock { $0 }?()
            return state.withLock { state in
                state.requests.append(request)
                return HTTPResponse(status: state.status)
            }
        }
    }

    private let collector = Collector()
    private let registry = MetricsRegistry()

    private var exporter: TraceExporter {
        TraceExporter(
            endpoint: "http://localhost:4318", host: "gw-1", sampler: TraceSampler(oneIn: 1), transport: collector,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, registry: registry)
    }

    private func count(_ outcome: String) -> Double { registry.counter("trace_spans", [("outcome", outcome)]).value }

    private static func door(_ trace: RequestTrace, failed: Bool = false) -> TraceSpan {
        TraceSpan(
            id: trace.span, parent: trace.parent, kind: .server, name: "POST /v1/sign-in", start: .now, end: .now,
            attributes: [("http.route", .text("/v1/sign-in")), ("http.response.status_code", .number(200))],
            hasFailed: failed)
    }

    @Test("the body is OTLP in JSON")
    func body() {
        let (high, low): (UInt64, UInt64) = (0x4bf9_2f35_77b3_4da6, 0xa3ce_929d_0e0e_4736)
        let span = TraceSpan(
            id: 0xb7, parent: 0x2a, kind: .client, name: "sign_in", start: .now, end: .now,
            attributes: [("db.system.name", .text("postgresql")), ("n", .number(7))], hasFailed: true)
        let exported = ExportedSpan(
            traceID: TraceID(high: high, low: low), state: "a=1", span: span, start: 1_700_000_000_000_000_000,
            end: 1_700_000_000_000_250_000)
        let expected: JSON = [
            "resourceSpans": [
                [
                    "resource": [
                        "attributes": [
                            ["key": "service.name", "value": ["stringValue": "login-gateway"]],
                            ["key": "service.instance.id", "value": ["stringValue": "gw-1"]],
                        ]
                    ],
                    "scopeSpans": [
                        [
                            "scope": ["name": "login-gateway"],
                            "spans": [
                                [
                                    "traceId": "4bf92f3577b34da6a3ce929d0e0e4736", "spanId": "00000000000000b7",
                                    "name": "sign_in", "kind": 3, "startTimeUnixNano": "1700000000000000000",
                                    "endTimeUnixNano": "1700000000000250000",
                                    "attributes": [
                                        ["key": "db.system.name", "value": ["stringValue": "postgresql"]],
                                        ["key": "n", "value": ["intValue": "7"]],
                                    ],
                                    "status": ["code": 2], "parentSpanId": "000000000000002a", "traceState": "a=1",
                                ]
                            ],
                        ]
                    ],
                ]
            ]
        ]
        #expect(OTLPBody.json([exported], host: "gw-1") == expected)
    }

    @Test("a root span has no parent, and a good one no error")
    func root() throws {
        let trace = RequestTrace(isSampled: true)
        let exported = ExportedSpan(traceID: trace.traceID, state: nil, span: Self.door(trace), start: 1, end: 2)
        let text = OTLPBody.json([exported], host: "x").text
        #expect(!text.contains("parentSpanId") && !text.contains("traceState") && text.contains("\"status\":{}"))
    }

    @Test("a request's spans are sent with their door, in one batch and once")
    func flush() async throws {
        let exporter = exporter
        let trace = RequestTrace(isSampled: true)
        trace.record(
            TraceSpan(id: 1, parent: trace.span, kind: .client, name: "sign_in", start: .now, end: .now))
        exporter.export(trace, door: Self.door(trace))
        await exporter.flush()
        await exporter.flush()
        #expect(collector.requests.count == 1)
        let request = try #require(collector.requests.first)
        #expect(request.url == "http://localhost:4318/v1/traces" && request.method == .post)
        #expect(request.headers.map { "\($0.name): \($0.value)" } == ["Content-Type: application/json"])
        let text = String(decoding: request.body ?? [], as: UTF8.self)
        #expect(text.contains("\"name\":\"sign_in\"") && text.contains("\"name\":\"POST /v1/sign-in\""))
        #expect(count("sent") == 2)
    }

    @Test("spans beyond the queue are dropped and counted, and a request never waits")
    func full() async {
        let exporter = exporter
        for _ in 0..<(TraceExporter.limit + 3) {
            let trace = RequestTrace(isSampled: true)
            exporter.export(trace, door: Self.door(trace))
        }
        #expect(count("dropped") == 3)
        await exporter.flush()
        #expect(count("sent") == Double(TraceExporter.limit))
        #expect(collector.requests.count == TraceExporter.limit / 512)
        #expect(collector.requests.allSatisfy { ($0.body?.count ?? 0) < 1_048_576 })
    }

    @Test("requests that end while a batch is on its way wait for the next one together")
    func meanwhile() async {
        let exporter = exporter
        @Sendable func finishRequest() {
            let trace = RequestTrace(isSampled: true)
            exporter.export(trace, door: Self.door(trace))
        }
        collector.takesTime { finishRequest() }
        finishRequest()
        finishRequest()
        await exporter.flush()
        #expect(collector.requests.count == 1 && count("sent") == 2)
        finishRequest()
        await exporter.flush()
        #expect(collector.requests.count == 2 && count("sent") == 4)
    }

    @Test("a batch that the collector refuses is counted and not sent again")
    func failing() async {
        let exporter = exporter
        collector.answers(503)
        let trace = RequestTrace(isSampled: true)
        exporter.export(trace, door: Self.door(trace))
        await exporter.flush()
        #expect(count("failed") == 1 && count("sent") == 0)
        collector.answers(200)
        await exporter.flush()
        #expect(collector.requests.count == 1)
    }
}
