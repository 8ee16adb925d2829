import Foundation
import Hummingbird
import JSON
import Synchronization
import TestSupport
import Testing

/// A collector of traces: `POST /v1/traces`.
private final class TraceCollector: Sendable {
    private let stored = Mutex<[JSON]>([])

    /// Runs `body` with a collector at its own address.
    static func with(_ body: (TraceCollector, String) async throws -> Void) async throws {
        let collector = TraceCollector()
        try await withLocalServer({ try await collector.respond(to: $0) }) { try await body(collector, $0) }
    }

    private func respond(to request: Request) async throws -> Response {
        let body = String(buffer: try await request.body.collect(upTo: 1 << 20))
        #expect(request.uri.path == "/v1/traces" && request.method == .post)
        let json = try JSON(parsing: body)
        stored.withLock { $0.append(json) }
        return Response(status: .ok, body: .init(byteBuffer: .init(string: "{}")))
    }

    /// The spans of a trace, once its door is among them.
    func spans(of trace: String) async throws -> [JSON] {
        try await poll {
            let bodies = stored.withLock { $0 }
            let resources = bodies.flatMap { $0["resourceSpans"]?.array ?? [] }
            let scopes = resources.flatMap { $0["scopeSpans"]?.array ?? [] }
            let spans = scopes.flatMap { $0["spans"]?.array ?? [] }.filter { $0["traceId"] == .string(trace) }
            return spans.contains { $0["kind"] == 2 } ? spans : nil
        }
    }
}

@Suite("Traces of a running server")
struct TraceServerTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let caller = "00f067aa0ba902b7"

    private static func settings(_ callout: String) -> [String: String] {
        ["CLAIMS_URL": callout, "CLAIMS_AUDIENCE": "traces", "CLAIMS_ALLOWED": "tier", "CLAIMS_FAILURE": "closed"]
    }

    private static let claims = OperatorService.Answer([
        "data": [
            "@odata.type": "microsoft.graph.onTokenIssuanceStartResponseData",
            "actions": [
                [
                    "@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken",
                    "claims": ["tier": "gold"],
                ]
            ],
        ]
    ])

    /// A password sign-in within the caller's trace.
    private static func signIn(_ email: String, _ gateway: GatewayProcess) async throws -> TestAnswer {
        try await gateway.send(
            TestRequest("POST", "/v1/sign-in").json([
                "provider": "password", "client_id": "app",
                "credential": ["username": .string(email), "password": .string(GatewayProcess.password)],
            ]).header("traceparent", "00-\(trace)-\(caller)-01").header("tracestate", "vendor=1"))
    }

    @Test("A-46: the collector gets the door, its statements, hashing and services as one trace without a secret")
    func oneTrace() async throws {
        try await TraceCollector.with { collector, address in
            try await OperatorService.with { service, callout in
                service.answers(Self.claims)
                let traced = ["OTLP_ENDPOINT": address, "TRACES_SAMPLE": "1000000"]
                try await withGateway(Self.settings(callout).merging(traced) { $1 }) { gateway in
                    let email = Fresh.email()
                    _ = try await gateway.signUp(email)
                    service.forget()
                    let session = try SignedInAnswer(try await Self.signIn(email, gateway))
                    let spans = try await collector.spans(of: Self.trace)
                    let door = try #require(spans.first { $0["kind"] == 2 })
                    #expect(door["name"] == "POST /v1/sign-in" && door["parentSpanId"] == .string(Self.caller))
                    let names = Set(spans.compactMap { $0["name"]?.string })
                    #expect(names.isSuperset(of: ["hash a password", "POST claims"]), "\(names)")
                    try Self.expectStatements(in: spans)
                    try Self.expectOneTree(spans, below: door)
                    let text = JSON.array(spans).text
                    let secrets = [
                        email, GatewayProcess.password, session.accessToken, session.refreshToken, session.account,
                        "gold", "127.0.0.1",
                    ]
                    for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
                    try Self.expectHeaders(service, spans)
                }
            }
        }
    }

    private static func expectStatements(in spans: [JSON]) throws {
        let statements = spans.filter { $0["kind"] == 3 && $0["attributes"]?.text.contains("postgresql") == true }
        #expect(!statements.isEmpty)
        for name in statements.compactMap({ $0["name"]?.string }) {
            #expect(name.wholeMatch(of: #/[a-z_0-9 ]+/#) != nil, "\(name)")
        }
    }

    /// Every span but the door has a parent among them.
    private static func expectOneTree(_ spans: [JSON], below door: JSON) throws {
        let ids = Set(spans.compactMap { $0["spanId"]?.string })
        #expect(ids.count == spans.count)
        for span in spans where span["spanId"] != door["spanId"] {
            #expect(span["parentSpanId"]?.string.map(ids.contains) == true, "\(span.text)")
        }
    }

    /// The operator's service learns its own span.
    private static func expectHeaders(_ service: OperatorService, _ spans: [JSON]) throws {
        let call = try #require(spans.first { $0["name"] == "POST claims" })
        let id = try #require(call["spanId"]?.string)
        let received = try #require(service.received.first)
        #expect(received.headers["traceparent"] == "00-\(trace)-\(id)-01")
        #expect(received.headers["tracestate"] == "vendor=1")
    }

    @Test("without a collector no service learns of a trace, and the log line has the costs and the caller's trace")
    func withoutCollector() async throws {
        try await OperatorService.with { service, callout in
            service.answers(Self.claims)
            try await withGateway(Self.settings(callout)) { gateway in
                let email = Fresh.email()
                _ = try await gateway.signUp(email)
                let answer = try await Self.signIn(email, gateway)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(!service.received.isEmpty)
                #expect(service.received.allSatisfy { $0.headers["traceparent"] == nil })
                #expect(service.received.allSatisfy { $0.headers["tracestate"] == nil })
                let line = try await Self.line(answer.requestID, gateway)
                #expect(line["trace_id"] == .string(Self.trace))
                try Self.expectCosts(line)
            }
        }
    }

    /// The access line of a request.
    private static func line(_ id: String, _ gateway: GatewayProcess) async throws -> JSON {
        try await poll {
            gateway.log.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
                .first { $0["logger"] == "gateway.access" && $0["request_id"] == .string(id) }
        }
    }

    private static func expectCosts(_ line: JSON) throws {
        func number(_ name: String) throws -> Int { try #require(line[name]?.integer, "\(name)") }
        let parts = try ["gateway", "database", "provider", "hashing"].map { try number("\($0)_microseconds") }
        #expect(parts.allSatisfy { $0 > 0 }, "\(line.text)")
        // The parts of a sign-in follow one another; each was rounded down.
        let sum = try parts.reduce(number("body_microseconds"), +)
        #expect((0...5).contains(try number("microseconds") - sum), "\(line.text)")
        #expect(try number("statements") >= 2)
    }
}
