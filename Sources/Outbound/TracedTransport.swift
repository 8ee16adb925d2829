import Traces

/// The transport of one service: its requests count in the current request's trace and are spans of it.
package struct TracedTransport: HTTPTransport {
    /// What the service learns about the trace.
    package enum Disclosure: Sendable {
        case nothing
        /// The ids, as `traceparent`.
        case ids
        /// Also the caller's `tracestate`, which is text from outside: for the operator's own services.
        case idsAndState
    }

    private let transport: any HTTPTransport
    private let service: String
    private let disclosure: Disclosure

    /// - Parameter service: its name in spans, from the code or the configuration.
    package init(_ transport: any HTTPTransport, service: String, disclosing disclosure: Disclosure) {
        (self.transport, self.service, self.disclosure) = (transport, service, disclosure)
    }

    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard let trace = RequestTrace.current else { return try await transport.send(request) }
        let (span, start) = (SpanID.make(), ContinuousClock.now)
        var request = request
        if trace.isPropagated { request.headers += headers(trace, span) }
        do {
            let response = try await transport.send(request)
            end(trace, span, start, request.method, response.status)
            return response
        } catch {
            end(trace, span, start, request.method, nil)
            throw error
        }
    }

    private func headers(_ trace: RequestTrace, _ span: UInt64) -> [(name: String, value: String)] {
        guard disclosure != .nothing else { return [] }
        let context = TraceContext(traceID: trace.traceID, span: span, isSampled: trace.isSampled)
        let state = disclosure == .idsAndState ? trace.state : nil
        return [("traceparent", context.header)] + (state.map { [("tracestate", $0)] } ?? [])
    }

    /// - Parameter status: nil without an answer.
    private func end(
        _ trace: RequestTrace, _ span: UInt64, _ start: ContinuousClock.Instant, _ method: HTTPRequest.Method,
        _ status: Int?
    ) {
        let end = ContinuousClock.now
        trace.add(end - start, to: .provider)
        trace.record(
            TraceSpan(
                id: span, parent: trace.span, kind: .client, name: "\(method.rawValue) \(service)", start: start,
                end: end,
                attributes: [("peer.service", .text(service)), ("http.request.method", .text(method.rawValue))]
                    + (status.map { [("http.response.status_code", .number($0))] } ?? []),
                hasFailed: status.map { $0 >= 400 } ?? true))
    }
}
