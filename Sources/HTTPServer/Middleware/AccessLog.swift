import FoundationEssentials
import Hummingbird
import Logging
import Telemetry

/// One line for each answered request: method, route, status, microseconds, bytes.
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
        _ request: Request, _ response: Response, route: String?, requestID: String, microseconds: Int
    ) {
        let failed = response.status.code >= 500
        guard failed ? isNoticeOn : isInfoOn else { return }
        var line = LogLine(
            format, at: Date(), level: failed ? .notice : .info, label: "gateway.access", message: "request")
        line.field("request_id", requestID)
        line.field("method", Self.method(request))
        line.field("route", route ?? "none")
        line.field("status", response.status.code)
        line.field("microseconds", microseconds)
        line.field("bytes", response.body.contentLength ?? 0)
        line.finish()
        sink.line { $0.append(contentsOf: line.bytes) }
    }

    /// An unknown method may be any text from outside, so long ones are replaced.
    private static func method(_ request: Request) -> String {
        let name = request.method.rawValue
        return name.utf8.count <= 10 ? name : "other"
    }
}
