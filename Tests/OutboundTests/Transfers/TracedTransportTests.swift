import Outbound
import Synchronization
import Testing
import Traces

@Suite("Requests within a trace")
struct TracedTransportTests {
    private final class Keeper: HTTPTransport {
        private let state = Mutex<[HTTPRequest]>([])
        private let answer: Result<Int, TransferError>
        var headers: [String: String] {
            Dictionary(
                state.withLock { $0.last?.headers ?? [] }.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        }

        init(_ answer: Result<Int, TransferError> = .success(200)) { self.answer = answer }

        func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
            state.withLock { $0.append(request) }
            return HTTPResponse(status: try answer.get())
        }
    }

    private static let request = HTTPRequest.get("https://example.com/secret?code=hush", headers: [("Accept", "a/b")])
    private static let caller = TraceContext(traceID: TraceID(high: 1, low: 2), span: 3, isSampled: true)

    private static func trace(isPropagated: Bool = true) -> RequestTrace {
        RequestTrace(after: caller, state: "a=1", isSampled: true, isPropagated: isPropagated)
    }

    private func headers(
        _ disclosure: TracedTransport.Disclosure, in trace: RequestTrace?
    ) async throws -> [String: String] {
        let keeper = Keeper()
        let transport = TracedTransport(keeper, service: "acme", disclosing: disclosure)
        _ = try await RequestTrace.$current.withValue(trace) { try await transport.send(Self.request) }
        return keeper.headers
    }

    @Test("A-46: a service gets what its kind discloses, and its own headers stay")
    func disclosure() async throws {
        #expect(try await headers(.nothing, in: Self.trace()).keys.sorted() == ["Accept"])
        #expect(try await headers(.ids, in: Self.trace()).keys.sorted() == ["Accept", "traceparent"])
        let all = try await headers(.idsAndState, in: Self.trace())
        #expect(all["tracestate"] == "a=1" && all["Accept"] == "a/b")
    }

    @Test("the header names the request's span in the caller's trace")
    func header() async throws {
        let (keeper, trace) = (Keeper(), Self.trace())
        let transport = TracedTransport(keeper, service: "acme", disclosing: .ids)
        _ = try await RequestTrace.$current.withValue(trace) { try await transport.send(Self.request) }
        let span = try #require(trace.finish().spans.first)
        let told = try #require(keeper.headers["traceparent"].flatMap { TraceContext($0) })
        #expect(told == TraceContext(traceID: Self.caller.traceID, span: span.id, isSampled: true))
        #expect(span.parent == trace.span && span.name == "GET acme" && !span.hasFailed)
        #expect(!"\(span)".contains("hush") && !"\(span)".contains("example.com"))
    }

    @Test("nothing is disclosed where no trace is exported, and outside of requests")
    func silent() async throws {
        #expect(try await headers(.idsAndState, in: Self.trace(isPropagated: false)).keys.sorted() == ["Accept"])
        #expect(try await headers(.idsAndState, in: nil).keys.sorted() == ["Accept"])
    }

    @Test(
        "a refusal and a lost answer are failed spans",
        arguments: [.success(500), .failure(.timedOut)] as [Result<Int, TransferError>])
    func failed(answer: Result<Int, TransferError>) async throws {
        let trace = Self.trace()
        let transport = TracedTransport(Keeper(answer), service: "acme", disclosing: .ids)
        _ = await RequestTrace.$current.withValue(trace) { try? await transport.send(Self.request) }
        #expect(trace.finish().spans.map(\.hasFailed) == [true])
    }
}
