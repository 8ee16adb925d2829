import FoundationEssentials
import Hummingbird
import Logging
import Telemetry
import Traces

/// One line for each answered request: method, route, status, bytes, the time and its parts, statements, trace.
///
/// It never contains a query, an address or a user agent. It writes to the sink directly, because its format is fixed.
struct AccessLog: Sendable {
    private let sink: LogSink
    private let format: LogFormat
    private let isInfoOn: Bool
    private let isNoticeOn: Bool

    init(_ configuration: LoggingConfiguration, sink: LogSink = .standardError) {
        self.sink = sink
        format = configuration.format
        isInfoOn = configuration.level <= .info
        isNoticeOn = configuration.level <= .notice
    }

    /// Answers with a 5xx status have level notice, all others info.
    func record(
        _ request: Request, _ response: Response, route: String?, requestID: String, figures: RequestFigures,
        traceID: TraceID
    ) {
        let failed = response.status.code >= 500
        guard failed ? isNoticeOn : isInfoOn else { return }
        var line = LogLine(
            format, at: Date(), level: failed ? .notice : .info, label: "gateway.access", message: "request")
        line.field("request_id", requestID)
        line.field("method", request.method.shortName)
        line.field("route", route ?? "none")
        line.field("status", response.status.code)
        line.field("microseconds", figures.total)
        line.field("bytes", response.body.contentLength ?? 0)
        line.field("gateway_microseconds", figures.gateway)
        line.field("body_microseconds", figures.body)
        line.field("database_microseconds", figures.database)
        line.field("provider_microseconds", figures.providers)
        line.field("hashing_microseconds", figures.hashing)
        line.field("statements", figures.statements)
        line.field("trace_id", traceID)
        line.finish()
        sink.line { $0.append(contentsOf: line.bytes) }
    }
}
