import FoundationEssentials
import HTTPTypes
import Hummingbird
package import Telemetry
import Traces
import Vocabulary

/// The trace of every request: begun from its head, and ended with its answer.
package struct RequestTracing: Sendable {
    /// Nil where no trace is exported.
    let exporter: TraceExporter?
    /// Nil where no request is kept.
    let slow: SlowRequests?

    package init(exporter: TraceExporter? = nil, slow: SlowRequests? = nil) {
        (self.exporter, self.slow) = (exporter, slow)
    }

    /// Joins the caller's trace, or begins a new one where its header is missing or malformed.
    func begin(_ headers: HTTPFields) -> RequestTrace {
        let caller = headers.value(.traceparent).flatMap { TraceContext($0) }
        guard let exporter else { return RequestTrace(after: caller) }
        let state = caller == nil ? nil : headers.value(.tracestate).flatMap(TraceState.checked)
        return RequestTrace(
            after: caller, state: state, isSampled: exporter.sampler.isSampled(caller), isPropagated: true)
    }

    /// Keeps a slow request, and exports a sampled one.
    func end(
        _ request: Request, _ status: Int, _ context: GatewayContext, _ figures: RequestFigures,
        at now: ContinuousClock.Instant
    ) {
        let trace = context.trace
        let isWanted = slow?.isWanted(figures.answering) ?? false
        guard isWanted || trace.isSampled else { return }
        let reference = String(context.requestID.prefix(RequestReference.length))
        let (method, route) = (request.method.shortName, context.routeTemplate ?? "none")
        if isWanted {
            slow?.add(
                .init(
                    at: Date(), reference: reference, method: method, route: route, status: status, figures: figures,
                    traceID: trace.traceID, isSampled: trace.isSampled))
        }
        guard trace.isSampled else { return }
        exporter?.export(
            trace,
            door: TraceSpan(
                id: trace.span, parent: trace.parent, kind: .server, name: "\(method) \(route)",
                start: context.received, end: now,
                attributes: [
                    ("http.request.method", .text(method)), ("http.route", .text(route)),
                    ("http.response.status_code", .number(status)), ("login_gateway.reference", .text(reference)),
                ], hasFailed: status >= 500))
    }
}

extension HTTPField.Name {
    fileprivate static let traceparent = known("traceparent")
    fileprivate static let tracestate = known("tracestate")
}

extension HTTPRequest.Method {
    /// The method; an unknown one may be any text from outside, so long ones are replaced.
    var shortName: String { rawValue.utf8.count <= 10 ? rawValue : "other" }
}
